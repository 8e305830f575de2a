//! The text of a thread block: `#BEGIN_TB`, its index, its warps, `#END_TB`.

use std::io::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::header::Header;
use super::instruction::Traced;
use super::known::Known;
use super::lines::Lines;
use super::opcode::Decoder;
use super::quick;
use super::repeats::Repeats;
use super::warp::{self, Reader};
use crate::diagnostic::InputError;
use crate::port::Dim3;

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

    /// The next instructions of the warp are `lines`, which have no addresses. So far the warp,
    /// these included, has the lines of the one before, wherever they have no addresses.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn again(&mut self, lines: &[Known]) -> Result<(), InputError> {
        lines.iter().try_for_each(|line| self.instruction(line.traced()))
    }

    /// The next instruction of the warp is `line`, under the conditions of [`Sink::again`]; it
    /// differs from that of the warp before in its addresses, and in what follows from these.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn again_elsewhere(&mut self, line: &Known) -> Result<(), InputError> {
        self.instruction(line.traced())
    }
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

    /// Adds `block`; whether it was not there.
    pub fn insert(&mut self, block: u32) -> bool {
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
    if let Some((index, behind)) = quick_index(lines.ahead()) {
        let length = lines.ahead().len() - behind.len();
        let block = is_inside(index, header).then(|| index.linear(header.grid) as u32);
        if let Some(block) = block.filter(|&block| seen.insert(block)) {
            lines.pass(length, 4);
            return Ok(Some(block));
        }
    }
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

/// The index of a block that begins as tracers print it, and what is behind its first lines.
fn quick_index(text: &[u8]) -> Option<(Dim3, &[u8])> {
    let text = text.strip_prefix(b"\n#BEGIN_TB\n\nthread block = ")?;
    let (x, text) = quick::number(text, b',')?;
    let (y, text) = quick::number(text, b',')?;
    let (z, text) = quick::number(text, b'\n')?;
    Some((Dim3::new(x, y, z), text))
}

/// Whether there is a block `index`.
pub(super) fn is_inside(index: Dim3, Header { grid, .. }: &Header) -> bool {
    index.x < grid.x && index.y < grid.y && index.z < grid.z
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
    if !is_inside(index, header) {
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
    Err(warp::no_end(lines))
}

/// Reads the warps of a block up to `#END_TB` and gives their instructions to `sink`. `repeats` has
/// seen nothing but blocks of this kernel, all of which went to `sink`.
///
/// # Errors
/// When the text is not that of a block whose warps are all there, or `sink` fails.
pub(super) fn read(
    lines: &mut Lines,
    header: &Header,
    (decoder, repeats): (&mut Decoder, &mut Repeats),
    sink: &mut impl Sink,
) -> Result<(), InputError> {
    let warps = header.warps();
    let mut reader = Reader::new(header, decoder, repeats);
    // One bit a warp.
    let mut seen = 0_u32;
    while let Some(start) = warp::start(lines, warps, seen)? {
        seen |= 1 << start.warp;
        reader.read(lines, start, sink)?;
    }
    Ok(())
}
