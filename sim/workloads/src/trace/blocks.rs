//! The blocks of a kernel's file one after the other, whatever holds their text.

use std::path::Path;
use std::rc::Rc;

use super::block::{self, Seen};
use super::header::{self, Header};
use super::lines::{Lines, Place};
use super::source;
use super::spool::Spool;
use super::tracez::Tracez;
use crate::diagnostic::InputError;

/// See the module.
pub(super) enum Blocks {
    /// Text that can be read again anywhere.
    Plain(Lines),
    /// Text that is compressed as a whole, and what of it was passed.
    Compressed(Lines, Option<Spool>),
    /// Frames that are found through an index.
    Framed(Box<Tracez>),
}

impl Blocks {
    /// The header of the file `path`, and its blocks. What a file is, tells its name where it ends
    /// with `.tracez`, and its first bytes otherwise.
    ///
    /// # Errors
    /// When the file cannot be read, or its header is not valid.
    pub fn open(path: &Rc<Path>) -> Result<(Header, Self), InputError> {
        if path.extension().is_some_and(|end| end == "tracez") {
            let (header, tracez) = Tracez::open(path)?;
            return Ok((header, Self::Framed(Box::new(tracez))));
        }
        let (mut lines, seekable) = source::open(path)?;
        let header = header::read(&mut lines)?;
        let blocks = if seekable { Self::Plain(lines) } else { Self::Compressed(lines, None) };
        Ok((header, blocks))
    }

    /// Goes to the next block's warps and gives its linear id; `None` behind the last one.
    ///
    /// # Errors
    /// When something else follows, or the block is outside of the grid or was there before.
    pub fn next(&mut self, header: &Header, seen: &mut Seen) -> Result<Option<u32>, InputError> {
        match self {
            Self::Plain(lines) | Self::Compressed(lines, _) => block::next(lines, header, seen),
            Self::Framed(tracez) => tracez.next(header, seen),
        }
    }

    /// The lines of the block that was found last, from its first warp on.
    pub fn lines(&mut self) -> &mut Lines {
        match self {
            Self::Plain(lines) | Self::Compressed(lines, _) => lines,
            Self::Framed(tracez) => tracez.lines(),
        }
    }

    /// Passes over that block; gives where it is, for [`Blocks::passed`].
    ///
    /// # Errors
    /// When the file ends within it, or its text cannot be kept.
    pub fn pass(&mut self) -> Result<Place, InputError> {
        match self {
            Self::Plain(lines) => {
                let place = lines.place();
                block::skip(lines, None)?;
                Ok(place)
            }
            Self::Compressed(lines, spool) => match spool {
                Some(spool) => spool.keep(lines),
                None => spool.insert(Spool::new()?).keep(lines),
            },
            Self::Framed(tracez) => Ok(tracez.place()),
        }
    }

    /// The lines of the block at `place`, from its first warp on.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn passed(&mut self, place: Place, header: &Header) -> Result<Lines, InputError> {
        match self {
            Self::Plain(lines) => source::reopen(lines.path(), place),
            Self::Compressed(lines, spool) => {
                let spool = spool.as_mut().expect("the block was passed");
                spool.read(lines.path(), place)
            }
            Self::Framed(tracez) => tracez.block(place, header),
        }
    }

    /// Whether reading on takes a decompressor of the whole text.
    pub fn is_compressed(&self) -> bool {
        matches!(self, Self::Compressed(..))
    }
}
