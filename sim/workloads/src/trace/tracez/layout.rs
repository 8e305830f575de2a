//! The begin and the end of a trace in frames: its header, its dictionary, and where its index is.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use crate::diagnostic::InputError;
use crate::trace::fault::{shown, Fault};
use crate::trace::header::{self, Header};
use crate::trace::lines::{Lines, Place};

/// Most bytes of a header, of which a name may have a mebibyte.
const MOST_HEADER: u64 = 2 << 20;

/// Most bytes of a dictionary: Accel-Sim's have 64 KiB at most.
const MOST_DICTIONARY: u32 = 1 << 20;

/// Bytes of the last number of a file.
const FOOTER: u64 = 8;

/// See the module.
pub(super) struct Layout {
    pub header: Header,
    /// Lines of the header.
    pub lines: u64,
    pub dictionary: Vec<u8>,
    /// Where the first warp begins, in bytes.
    pub warps: u64,
    /// Where the index begins and ends.
    pub index: std::ops::Range<u64>,
}

/// The layout of the file `path`.
///
/// # Errors
/// When it cannot be read, or is not that of a trace in frames.
pub(super) fn read(path: &Rc<Path>) -> Result<Layout, InputError> {
    let failed = |error| InputError::file("read", path, &error).help("expected a trace file");
    let file = File::open(path).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    let mut reader = BufReader::new(file);
    let mut text = Vec::new();
    reader.by_ref().take(MOST_HEADER).read_until(0, &mut text).map_err(failed)?;
    if text.pop_if(|last| *last == 0).is_none() {
        let problem = format!("{}: the header has no end", path.display());
        return Err(InputError::new(problem).help("expected text, and then a byte 0"));
    }
    let start = text.len() as u64 + 1;
    let (header, lines) = self::header(text, path)?;

    let wrong = |at: u64, problem: &str, expected: &str| wrong(path, at, problem, expected);
    let short =
        |at: u64, field: &str| wrong(at, &format!("the file ends within {field}"), "a whole file");
    let mut words = [0; 8];
    reader.read_exact(&mut words).map_err(|_| short(start, "the size of the dictionary"))?;
    let [low, _] = words.as_chunks::<4>().0 else { unreachable!("eight bytes") };
    let size = u32::from_le_bytes(*low);
    if size > MOST_DICTIONARY {
        let problem = format!("the dictionary has {size} bytes");
        return Err(wrong(start, &problem, &format!("at most {MOST_DICTIONARY}")));
    }
    let mut dictionary = vec![0; size as usize];
    reader.read_exact(&mut dictionary).map_err(|_| short(start + 8, "the dictionary"))?;

    let warps = start + 8 + u64::from(size);
    let end = bytes.saturating_sub(FOOTER);
    let mut footer = [0; FOOTER as usize];
    reader.seek(SeekFrom::Start(end)).map_err(failed)?;
    reader.read_exact(&mut footer).map_err(|_| short(bytes, "the place of the index"))?;
    let index = u64::from_le_bytes(footer);
    if !(warps..end).contains(&index) {
        let problem = format!("the index is at byte {index}");
        let expected =
            format!("a place from {warps}, behind the dictionary, to the end of the file");
        return Err(wrong(end, &problem, &expected));
    }
    Ok(Layout { header, lines, dictionary, warps, index: index..end })
}

/// The header that `text` is, and its lines.
fn header(text: Vec<u8>, path: &Rc<Path>) -> Result<(Header, u64), InputError> {
    let mut lines = Lines::new(Box::new(Cursor::new(text)), Rc::clone(path), Place::START);
    let header = header::read(&mut lines)?;
    while let Some(line) = lines.next_filled()? {
        if !line.text.starts_with(b"#") {
            let problem = format!("`{}` is not a line of a header", shown(line.text));
            let fault = Fault::new(0..line.text.len(), problem, "the byte 0 that ends the header");
            return Err(fault.at(path, line.number, line.text));
        }
    }
    Ok((header, lines.place().lines))
}

/// The diagnostic for what is wrong at byte `at`.
pub(super) fn wrong(path: &Path, at: u64, problem: &str, expected: &str) -> InputError {
    InputError::new(format!("{}, byte {at}: {problem}", path.display()))
        .help(format!("expected {expected}"))
}
