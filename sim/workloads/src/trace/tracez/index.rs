//! The index of the blocks, read record by record: none but one is in memory.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use super::layout::{wrong, Layout};
use super::LINES_OF_WARP;
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::trace::block::is_inside;
use crate::trace::header::Header;

/// What the index says of a block.
pub(super) struct Record {
    /// Where the record begins, in bytes.
    pub offset: u64,
    /// Its index in the grid.
    pub block: Dim3,
    pub warps: Vec<WarpEntry>,
}

/// What the index says of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WarpEntry {
    pub instructions: u32,
    /// Frames that its lines are in.
    pub frames: u32,
    /// Where it begins, in bytes.
    pub offset: u64,
}

impl Record {
    /// Lines of all warps.
    pub fn lines(&self) -> u64 {
        self.warps.iter().map(|warp| LINES_OF_WARP + u64::from(warp.instructions)).sum()
    }
}

/// See the module.
pub(super) struct Index {
    path: Rc<Path>,
    reader: BufReader<File>,
    /// Where the next number is, in bytes.
    at: u64,
    /// Where the last record ends.
    end: u64,
    /// Blocks that were not read yet.
    left: u32,
    /// Where warps may begin.
    warps: Range<u64>,
}

impl Index {
    /// That of the file `path`, which is `file` and laid out as `layout` says.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn new(path: Rc<Path>, file: File, layout: &Layout) -> Result<Self, InputError> {
        let Range { start, end } = layout.index;
        let (reader, warps) = (BufReader::new(file), layout.warps..start);
        let mut index = Self { path, reader, at: start, end, left: 0, warps };
        index.go(start)?;
        index.left = index.u32("the number of blocks")?;
        Ok(index)
    }

    /// The next record; `None` behind the last one.
    ///
    /// # Errors
    /// When it is not one of a block of the grid, or something follows the last one.
    pub fn next(&mut self, header: &Header) -> Result<Option<Record>, InputError> {
        if self.left > 0 {
            self.left -= 1;
            return self.record(header).map(Some);
        }
        if self.at < self.end {
            let problem = format!("{} bytes follow the index", self.end - self.at);
            return Err(self.wrong(self.at, &problem, "the place of the index alone"));
        }
        Ok(None)
    }

    /// The record at byte `offset` once more.
    ///
    /// # Errors
    /// When the file has changed meanwhile.
    pub fn again(&mut self, offset: u64, header: &Header) -> Result<Record, InputError> {
        let next = self.at;
        self.go(offset)?;
        let record = self.record(header)?;
        self.go(next)?;
        Ok(record)
    }

    fn record(&mut self, header: &Header) -> Result<Record, InputError> {
        let offset = self.at;
        let block = self.three("the block's index")?;
        if !is_inside(block, header) {
            let problem = format!("thread block {block} is outside of the grid");
            return Err(self.wrong(offset, &problem, &format!("an index below {}", header.grid)));
        }
        // No scheduler places clusters, and what is said of them is of no effect.
        self.three("the index of its cluster")?;
        self.three("its index in the cluster")?;
        self.u32("its rank in the cluster")?;
        let at = self.at;
        let count = self.u32("the number of warps")?;
        if count != header.warps() {
            let problem = format!("thread block {block} has {count} warps");
            let expected = format!("{}, as its threads need", header.warps());
            return Err(self.wrong(at, &problem, &expected));
        }
        let warps = (0..count).map(|warp| self.warp(warp)).collect::<Result<_, _>>()?;
        Ok(Record { offset, block, warps })
    }

    fn warp(&mut self, warp: u32) -> Result<WarpEntry, InputError> {
        let at = self.at;
        let instructions = self.u32("the warp's instructions")?;
        let frames = self.u32("the warp's frames")?;
        let offset = self.u64("the warp's place")?;
        if !self.warps.contains(&offset) {
            let Range { start, end } = self.warps;
            let problem = format!("warp {warp} is at byte {offset}");
            return Err(self.wrong(at + 8, &problem, &format!("a place from {start} to {end}")));
        }
        let mut counted = 0;
        for _ in 0..frames {
            counted += u64::from(self.u32("the instructions of a frame")?);
        }
        if counted != u64::from(instructions) {
            let problem = format!("the frames of warp {warp} have {counted} instructions");
            return Err(self.wrong(at, &problem, &format!("{instructions}, as the warp has")));
        }
        Ok(WarpEntry { instructions, frames, offset })
    }

    fn three(&mut self, field: &str) -> Result<Dim3, InputError> {
        Ok(Dim3::new(self.u32(field)?, self.u32(field)?, self.u32(field)?))
    }

    fn u32(&mut self, field: &str) -> Result<u32, InputError> {
        self.bytes(field).map(u32::from_le_bytes)
    }

    fn u64(&mut self, field: &str) -> Result<u64, InputError> {
        self.bytes(field).map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self, field: &str) -> Result<[u8; N], InputError> {
        let mut bytes = [0; N];
        if self.at + N as u64 > self.end {
            let problem = format!("the index ends within {field}");
            return Err(self.wrong(
                self.at,
                &problem,
                "as many blocks, warps and frames as stated",
            ));
        }
        self.reader.read_exact(&mut bytes).map_err(|error| self.unreadable(&error))?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn go(&mut self, at: u64) -> Result<(), InputError> {
        self.reader.seek(SeekFrom::Start(at)).map_err(|error| self.unreadable(&error))?;
        self.at = at;
        Ok(())
    }

    fn unreadable(&self, error: &std::io::Error) -> InputError {
        InputError::file("read", &self.path, error)
    }

    /// The diagnostic for what is wrong at byte `at`.
    pub fn wrong(&self, at: u64, problem: &str, expected: &str) -> InputError {
        wrong(&self.path, at, problem, expected)
    }
}
