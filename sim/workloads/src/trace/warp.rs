//! The lines of a warp: `warp = n`, `insts = n`, and its instructions.

use std::rc::Rc;

use super::block::Sink;
use super::cluster;
use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::header::Header;
use super::instruction::{self, Traced};
use super::lines::Lines;
use super::opcode::Decoder;
use super::quick;
use super::repeats::Repeats;
use crate::diagnostic::InputError;
use crate::program::Operation;

/// The diagnostic for a file that ends within a block.
pub(super) fn no_end(lines: &Lines) -> InputError {
    lines.ends_early("the thread block has no end", "`#END_TB`")
}

/// Most warps of a block: it has at most 1024 threads.
const MOST_WARPS: u32 = 32;

/// A warp of which the first two lines were read.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Its number.
    pub warp: u32,
    /// Its instructions.
    pub count: u32,
}

/// Goes to the instructions of the next warp, one of `warps` and not in the set `seen`; `None` for
/// `#END_TB` after all warps.
///
/// # Errors
/// When something else follows.
pub(super) fn start(lines: &mut Lines, warps: u32, seen: u32) -> Result<Option<Start>, InputError> {
    if let Some((start, behind)) = quick_start(lines.ahead()) {
        if start.warp < warps && seen >> start.warp & 1 == 0 {
            let length = lines.ahead().len() - behind.len();
            lines.pass(length, 3);
            return Ok(Some(start));
        }
    }
    const END: &[u8] = b"\n#END_TB\n";
    if seen == u32::MAX >> (MOST_WARPS - warps) && lines.ahead().starts_with(END) {
        lines.pass(END.len(), 2);
        return Ok(None);
    }
    let path = Rc::clone(lines.path());
    let warp = loop {
        let Some(line) = lines.next_filled()? else { return Err(no_end(lines)) };
        let before_warps = seen == 0 && cluster::is_line(line.text);
        let found = if before_warps {
            cluster::check(line.text).map(|()| None)
        } else {
            next_warp(line.text, warps, seen)
        };
        match found {
            Ok(Some(warp)) => break warp,
            Ok(None) if before_warps => {}
            Ok(None) => return Ok(None),
            Err(fault) => return Err(fault.at(&path, line.number, line.text)),
        }
    };
    let Some(line) = lines.next_filled()? else { return Err(no_end(lines)) };
    match keyed(line.text, "insts", u32::MAX) {
        Ok(count) => Ok(Some(Start { warp, count })),
        Err(fault) => Err(fault.at(&path, line.number, line.text)),
    }
}

/// [`start`] of a warp as tracers print it, and what is behind its first lines.
#[inline]
fn quick_start(text: &[u8]) -> Option<(Start, &[u8])> {
    let (warp, text) = quick::number(text.strip_prefix(b"\nwarp = ")?, b'\n')?;
    let (count, text) = quick::number(text.strip_prefix(b"insts = ")?, b'\n')?;
    Some((Start { warp, count }, text))
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

/// What the instructions of the warps of a block need to be read.
pub(super) struct Reader<'a> {
    header: &'a Header,
    decoder: &'a mut Decoder,
    repeats: &'a mut Repeats,
    traced: Traced,
    /// PC and lanes of the last instruction of a warp.
    end: (u32, u32),
}

impl<'a> Reader<'a> {
    /// One for a block of the kernel with `header`; `repeats` as for [`super::block::read`].
    pub fn new(header: &'a Header, decoder: &'a mut Decoder, repeats: &'a mut Repeats) -> Self {
        Self { header, decoder, repeats, traced: Traced::default(), end: (0, 0) }
    }

    /// Reads the instructions of the warp that begins with `start`, and gives them to `sink`.
    ///
    /// # Errors
    /// When they are not there, or `sink` fails.
    pub fn read(
        &mut self,
        lines: &mut Lines,
        start: Start,
        sink: &mut impl Sink,
    ) -> Result<(), InputError> {
        sink.warp(start.warp);
        let count = start.count as usize;
        let found = self.repeats.read_alike(count, lines, self.header, sink)?;
        let exits = if found == count {
            match self.repeats.last(count) {
                Some(last) => {
                    self.end = (last.pc, last.active);
                    last.operation == Operation::Exit
                }
                None => false,
            }
        } else {
            self.read_lines(lines, start, found, sink)?
        };
        if !exits {
            sink.instruction(&Traced::added_exit(self.end.0, self.end.1))?;
        }
        Ok(())
    }

    /// Reads line by line all but the first `found` instructions of a warp. Returns whether the
    /// last one is an exit.
    fn read_lines(
        &mut self,
        lines: &mut Lines,
        Start { warp, count }: Start,
        mut found: usize,
        sink: &mut impl Sink,
    ) -> Result<bool, InputError> {
        let path = Rc::clone(lines.path());
        let count = count as usize;
        let mut exits = false;
        while found < count {
            let (place, last) = (found, found + 1 == count);
            if let Some(known) = self.repeats.line(place, last) {
                if lines.skip(known.text()) {
                    found += 1;
                    let known = known.traced();
                    if last {
                        self.end = (known.pc, known.active);
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
            let read = match self.repeats.find(place, last, line.text) {
                Some(known) => known.read(line.text, self.header),
                None => {
                    let traced = &mut self.traced;
                    instruction::read(line.text, self.header, self.decoder, last, traced).map(
                        |head| {
                            // The last line says something else: an exit elsewhere does not end the
                            // warp.
                            self.repeats.remember(place, last, line.text, head, traced);
                            &*traced
                        },
                    )
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
                self.end = (instruction.pc, instruction.active);
                exits = instruction.operation == Operation::Exit;
            }
            sink.instruction(instruction)?;
        }
        self.repeats.warp_ends(count);
        Ok(exits)
    }
}

fn fewer(text: &[u8], warp: u32, found: usize, count: usize) -> Box<Fault> {
    let problem =
        format!("warp {warp} has {found} of the {count} instructions that its `insts` states");
    Fault::new(0..text.len(), problem, "an instruction")
}
