//! The text of a thread block: `#BEGIN_TB`, its index, its warps, `#END_TB`.

use std::io::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::header::Header;
use super::instruction::{self, Traced};
use super::lines::Lines;
use super::opcode::Decoder;
use super::repeats::Repeats;
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::workload::program::Operation;

/// What takes the instructions of a block.
pub(super) trait Sink {
    /// The instructions of warp `warp` follow; warps come in the order of the trace.
    fn warp(&mut self, warp: u32);

    /// The next instruction of the warp; the last one is an exit. `opcode` is empty for one that
    /// the trace does not have.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn instruction(&mut self, traced: &Traced) -> Result<(), InputError>;
}

/// The blocks that the text has had so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// One bit a block, 64 blocks a word.
    words: FxHashMap<u32, u64>,
    count: u32,
}

impl Seen {
    /// Blocks so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether the block with linear id `block` was there.
    pub fn contains(&self, block: u32) -> bool {
        self.words.get(&(block / 64)).is_some_and(|word| word >> (block % 64) & 1 == 1)
    }

    fn insert(&mut self, block: u32) -> bool {
        let word = self.words.entry(block / 64).or_default();
        let fresh = *word >> (block % 64) & 1 == 0;
        *word |= 1 << (block % 64);
        self.count += u32::from(fresh);
        fresh
    }
}

const BLOCK_LINE: &str = "`thread block = x,y,z`";

/// Goes to the next block's warps and gives its linear id; `None` at the end of the file.
///
/// # Errors
/// When something else follows, or the block is outside of the grid or was there before.
pub(super) fn next(
    lines: &mut Lines,
    header: &Header,
    seen: &mut Seen,
) -> Result<Option<u32>, InputError> {
    let path = Rc::clone(lines.path());
    let Some(line) = lines.next_filled()? else {
        return Ok(None);
    };
    if line.text.trim_ascii() != b"#BEGIN_TB" {
        let problem = format!("`{}` is not the begin of a thread block", shown(line.text));
        let fault = Fault::new(0..line.text.len(), problem, "`#BEGIN_TB` or the end of the file");
        return Err(fault.at(&path, line.number, line.text));
    }
    let Some(line) = lines.next_filled()? else {
        return Err(lines.ends_early("the thread block has no index", BLOCK_LINE));
    };
    match index(line.text, header, seen) {
        Ok(block) => Ok(Some(block)),
        Err(fault) => Err(fault.at(&path, line.number, line.text)),
    }
}

fn index(text: &[u8], header: &Header, seen: &mut Seen) -> Parsed<u32> {
    let equals = memchr::memchr(b'=', text).unwrap_or(0);
    let key = text[..equals].trim_ascii();
    let index = (key == b"thread block").then(|| three_numbers(&text[equals + 1..])).flatten();
    let Some(index) = index else {
        let problem = format!("`{}` is not the index of a thread block", shown(text));
        return Err(Fault::new(0..text.len(), problem, BLOCK_LINE));
    };
    let refused = |what: &str, expected: String| {
        let span = equals + 1..text.len();
        let problem = format!("thread block {index} {what}");
        Fault::new(span, problem, expected)
    };
    let grid = header.grid;
    if index.x >= grid.x || index.y >= grid.y || index.z >= grid.z {
        let expected = format!("an index below {grid}");
        return Err(refused("is outside of the grid", expected));
    }
    let linear = index.linear(grid) as u32;
    if !seen.insert(linear) {
        return Err(refused("is here again", "each block once".to_owned()));
    }
    Ok(linear)
}

/// `x,y,z`
pub(super) fn three_numbers(text: &[u8]) -> Option<Dim3> {
    let mut numbers = text.split(|&byte| byte == b',').map(|part| {
        let mut fields = Fields::new(part.trim_ascii());
        let number = fields.decimal("", u64::from(u32::MAX)).ok()?;
        fields.end("").ok().map(|()| number as u32)
    });
    let dim = Dim3::new(numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(dim)
}

/// Passes over the warps of a block, and copies their text to `copy`.
///
/// # Errors
/// When the file ends within the block, or `copy` fails.
pub(super) fn skip(lines: &mut Lines, mut copy: Option<&mut dyn Write>) -> Result<(), InputError> {
    while let Some(line) = lines.next()? {
        if let Some(copy) = &mut copy {
            let written = copy.write_all(line.text).and_then(|()| copy.write_all(b"\n"));
            written.map_err(|error| super::spool::failed(&error))?;
        }
        if line.text.starts_with(b"#END_TB") {
            return Ok(());
        }
    }
    Err(no_end(lines))
}

fn no_end(lines: &Lines) -> InputError {
    lines.ends_early("the thread block has no end", "`#END_TB`")
}

/// Reads the warps of a block up to `#END_TB` and gives their instructions to `sink`. `repeats` has
/// seen nothing but blocks of this kernel.
///
/// # Errors
/// When the text is not that of a block whose warps are all there, or `sink` fails.
pub(super) fn read(
    lines: &mut Lines,
    header: &Header,
    (decoder, repeats): (&mut Decoder, &mut Repeats),
    sink: &mut impl Sink,
) -> Result<(), InputError> {
    let path = Rc::clone(lines.path());
    // A block has at most 32 warps, for it has at most 1024 threads.
    let mut seen = 0_u32;
    let mut traced = Traced::default();
    // PC and lanes of the last instruction of a warp.
    let mut end = (0, 0);
    loop {
        let Some(line) = lines.next_filled()? else { return Err(no_end(lines)) };
        let warp = match next_warp(line.text, header.warps(), seen) {
            Ok(Some(warp)) => warp,
            Ok(None) => return Ok(()),
            Err(fault) => return Err(fault.at(&path, line.number, line.text)),
        };
        seen |= 1 << warp;
        let Some(line) = lines.next_filled()? else { return Err(no_end(lines)) };
        let count = match keyed(line.text, "insts", u32::MAX) {
            Ok(count) => count,
            Err(fault) => return Err(fault.at(&path, line.number, line.text)),
        };
        sink.warp(warp);
        let (mut found, mut exits) = (0, false);
        while found < count {
            let (place, last) = (found as usize, found + 1 == count);
            if let Some((text, known)) = repeats.line(place, last) {
                if lines.skip(text) {
                    found += 1;
                    if last {
                        end = (known.pc, known.active);
                        exits = known.operation == Operation::Exit;
                    }
                    sink.instruction(known)?;
                    continue;
                }
            }
            let Some(line) = lines.next()? else { return Err(no_end(lines)) };
            if line.is_blank() {
                continue;
            }
            found += 1;
            let read = match repeats.find(place, last, line.text) {
                Some(known) => known.read(line.text, header),
                None => {
                    instruction::read(line.text, header, decoder, last, &mut traced).map(|head| {
                        // The last line says something else: an exit elsewhere does not end the warp.
                        repeats.remember(place, last, line.text, head, &traced);
                        &traced
                    })
                }
            };
            let instruction = match read {
                Ok(instruction) => instruction,
                Err(fault) => {
                    let fault = match line.text.first() {
                        Some(b'#' | b'w') => fewer(line.text, warp, found - 1, count),
                        _ => fault,
                    };
                    return Err(fault.at(&path, line.number, line.text));
                }
            };
            if last {
                end = (instruction.pc, instruction.active);
                exits = instruction.operation == Operation::Exit;
            }
            sink.instruction(instruction)?;
        }
        if !exits {
            sink.instruction(&Traced::added_exit(end.0, end.1))?;
        }
    }
}

fn fewer(text: &[u8], warp: u32, found: u32, count: u32) -> Box<Fault> {
    let problem =
        format!("warp {warp} has {found} of the {count} instructions that its `insts` states");
    Fault::new(0..text.len(), problem, "an instruction")
}

/// The number in `warp = n`, which is one of `warps` and not in `seen`; `None` for `#END_TB` after
/// all warps.
fn next_warp(text: &[u8], warps: u32, seen: u32) -> Parsed<Option<u32>> {
    let whole = 0..text.len();
    if text.trim_ascii() == b"#END_TB" {
        let missing = (0..warps).find(|warp| seen >> warp & 1 == 0);
        return missing.map_or(Ok(None), |warp| {
            let problem = format!("warp {warp} of the thread block is missing");
            Err(Fault::new(whole, problem, format!("warps 0 to {}", warps - 1)))
        });
    }
    let warp = keyed(text, "warp", warps - 1)?;
    if seen >> warp & 1 == 1 {
        let problem = format!("warp {warp} of the thread block is here again");
        return Err(Fault::new(whole, problem, "each warp once"));
    }
    Ok(Some(warp))
}

/// The number in `key = number`.
fn keyed(text: &[u8], key: &'static str, limit: u32) -> Parsed<u32> {
    let mut fields = Fields::new(text);
    let is = |word: Parsed<(&[u8], _)>, expected: &str| {
        word.is_ok_and(|(word, _)| word == expected.as_bytes())
    };
    if !is(fields.word("", ""), key) || !is(fields.word("", ""), "=") {
        let problem = format!("`{}` is not `{key} = ...`", shown(text));
        let expected = match key {
            "warp" => {
                "`warp = ...` or `#END_TB` (the warp before has as many lines as its `insts`)"
            }
            _ => "the number of the warp's instructions, `insts = ...`",
        };
        return Err(Fault::new(0..text.len(), problem, expected));
    }
    let number = fields.decimal(key, u64::from(limit))?;
    fields.end("one number")?;
    Ok(number as u32)
}
