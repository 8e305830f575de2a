//! Text of blocks that were passed and cannot be read again from where they came from.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::rc::Rc;

use super::block;
use super::lines::{Lines, Place};
use crate::diagnostic::InputError;

/// A temporary file without a name, which is gone when it is closed.
#[derive(Debug)]
pub(super) struct Spool {
    file: File,
    length: u64,
}

/// The diagnostic for a temporary file that fails.
pub(super) fn failed(error: &std::io::Error) -> InputError {
    InputError::new(format!("cannot use a temporary file: {error}"))
        .help("expected room for the text of thread blocks in the folder for temporary files")
}

impl Spool {
    /// An empty one.
    pub fn new() -> Result<Self, InputError> {
        let file = tempfile::tempfile().map_err(|error| failed(&error))?;
        Ok(Self { file, length: 0 })
    }

    /// Copies the block at which `lines` is and passes it; gives where it is here.
    pub fn keep(&mut self, lines: &mut Lines) -> Result<Place, InputError> {
        let place = Place { offset: self.length, lines: lines.place().lines };
        let failed = |error| failed(&error);
        self.file.seek(SeekFrom::Start(self.length)).map_err(failed)?;
        let mut writer = BufWriter::with_capacity(64 << 10, &mut self.file);
        block::skip(lines, Some(&mut writer))?;
        writer.flush().map_err(failed)?;
        drop(writer);
        self.length = self.file.stream_position().map_err(failed)?;
        Ok(place)
    }

    /// The block at `place`; its lines are called those of `path`.
    pub fn read(&mut self, path: &Rc<Path>, place: Place) -> Result<Lines, InputError> {
        let failed = |error| failed(&error);
        self.file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
        let file = self.file.try_clone().map_err(failed)?;
        Ok(Lines::new(Box::new(file.take(self.length - place.offset)), Rc::clone(path), place))
    }
}
