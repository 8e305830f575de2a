//! Traces in frames (`.tracez`), as Accel-Sim 2 writes them: the lines of warps, compressed each by
//! itself, and an index of the blocks.
//!
//! ```text
//!   header, as text           -- ends with a byte 0
//!   u32 d, u32                -- bytes of the dictionary; instructions that a frame aims at
//!   d bytes                   -- dictionary of zstd, none if d is 0
//!   for each warp             -- u32 instructions, u32 frames; for each frame u32 bytes, and those
//!   u32 blocks                -- the index; each block:
//!     3 u32                      its index in the grid
//!     3 u32, 3 u32, u32          its cluster, its index and its rank there
//!     u32 warps                  each: u32 instructions, u32 frames n, u64 where it begins, n u32
//!                                instructions of each frame
//!   u64                       -- where the index begins
//! ```
//!
//! All numbers have the lowest byte first. A block is read as the text that it stands for, so that
//! what is said of its lines has the numbers that they have in the text that Accel-Sim's `traceDsm`
//! makes of the file.

mod frames;
mod index;
mod layout;
mod text;

use std::cell::RefCell;
use std::fs::File;
use std::path::Path;
use std::rc::Rc;

use self::frames::Frames;
use self::index::{Index, Record};
use self::text::BlockText;
use super::block::Seen;
use super::header::Header;
use super::lines::{Lines, Place};
use crate::diagnostic::InputError;

/// Lines of a block's text before its first warp: `#BEGIN_TB`, three that say where it is, blank
/// ones.
const LINES_BEFORE: u64 = 7;
/// Lines between the instructions of two warps: a blank one, `warp = n`, `insts = n`.
const LINES_OF_WARP: u64 = 3;
/// Lines behind its last warp: a blank one, `#END_TB`.
const LINES_BEHIND: u64 = 2;

/// A kernel's trace of which the blocks are read through the index.
pub(super) struct Tracez {
    path: Rc<Path>,
    index: Index,
    frames: Rc<RefCell<Frames>>,
    /// Lines of the text before the next block.
    before: u64,
    /// Those of the block that was found last.
    lines: Lines,
    place: Place,
}

impl Tracez {
    /// The header of the file `path`, and the file before its first block.
    ///
    /// # Errors
    /// When it cannot be read, or is not laid out as the module says.
    pub fn open(path: &Rc<Path>) -> Result<(Header, Self), InputError> {
        let layout = layout::read(path)?;
        let again = || File::open(path).map_err(|error| InputError::file("read", path, &error));
        let frames = Frames::new(again()?, &layout.dictionary);
        let frames = frames.map_err(|error| {
            InputError::new(format!("{}: the dictionary cannot be used: {error}", path.display()))
                .help("expected a dictionary of zstd")
        })?;
        let index = Index::new(Rc::clone(path), again()?, &layout)?;
        let place = Place { offset: 0, lines: layout.lines };
        let tracez = Self {
            path: Rc::clone(path),
            index,
            frames: Rc::new(RefCell::new(frames)),
            before: layout.lines,
            lines: Lines::new(Box::new(std::io::empty()), Rc::clone(path), place),
            place,
        };
        Ok((layout.header, tracez))
    }

    /// Goes to the next block's warps and gives its linear id; `None` behind the last one.
    ///
    /// # Errors
    /// When the index is wrong, or the block is outside of the grid or was there before.
    pub fn next(&mut self, header: &Header, seen: &mut Seen) -> Result<Option<u32>, InputError> {
        let Some(record) = self.index.next(header)? else {
            let place = Place { offset: 0, lines: self.before };
            self.lines = Lines::new(Box::new(std::io::empty()), Rc::clone(&self.path), place);
            return Ok(None);
        };
        let block = record.block.linear(header.grid) as u32;
        if !seen.insert(block) {
            let problem = format!("thread block {} is here again", record.block);
            return Err(self.index.wrong(record.offset, &problem, "each block once"));
        }
        self.place = Place { offset: record.offset, lines: self.before + LINES_BEFORE };
        self.before = self.place.lines + record.lines() + LINES_BEHIND;
        self.lines = self.text(record, self.place);
        Ok(Some(block))
    }

    /// The lines of the block that was found last, from its first warp on.
    pub fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }

    /// Where that block is, for [`Tracez::block`].
    pub fn place(&self) -> Place {
        self.place
    }

    /// The lines of the block at `place`, from its first warp on.
    ///
    /// # Errors
    /// When the file has changed meanwhile.
    pub fn block(&mut self, place: Place, header: &Header) -> Result<Lines, InputError> {
        let record = self.index.again(place.offset, header)?;
        Ok(self.text(record, place))
    }

    fn text(&self, record: Record, place: Place) -> Lines {
        let text = BlockText::new(Rc::clone(&self.frames), record.warps);
        Lines::new(Box::new(text), Rc::clone(&self.path), place)
    }
}
