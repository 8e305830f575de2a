//! The blocks of one kernel's trace, in whatever order they are asked for.
//!
//! The file is read forward as far as needed. A block that is passed on the way to another is
//! remembered by its place; of a text that is compressed as a whole, which cannot be read
//! backwards, its text goes to a temporary file. Each block is given once, and when all have been
//! given, nothing but the header is kept.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::{self, Seen};
use super::blocks::Blocks;
use super::gather::Gather;
use super::header::Header;
use super::lines::{Lines, Place};
use super::opcode::Decoder;
use super::repeats::Repeats;
use super::store::{Decompressor, Store};
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::program::{KernelCode, WarpProgram};

/// The code of a traced kernel.
pub(super) struct TracedKernel {
    header: Header,
    path: Rc<Path>,
    store: Rc<Store>,
    reading: RefCell<Option<Box<Reading>>>,
}

/// A trace of which blocks have been asked for and more will be.
struct Reading {
    blocks: Blocks,
    /// Where blocks that were passed are.
    passed: FxHashMap<u32, Place>,
    seen: Seen,
    given: u32,
    decoder: Decoder,
    repeats: Repeats,
    gather: Gather,
    decompressor: Option<Decompressor>,
}

impl TracedKernel {
    /// The kernel whose trace is the file `path`; `store` keeps the code of its blocks. Its header
    /// is read, and nothing more.
    ///
    /// # Errors
    /// When the file cannot be read, or its header is not valid.
    pub fn open(path: Rc<Path>, store: Rc<Store>) -> Result<Self, InputError> {
        let (header, _) = Blocks::open(&path)?;
        Ok(Self { header, path, store, reading: RefCell::new(None) })
    }

    /// Takes the kernel's name from `names`, so that kernels of one name share it.
    pub fn share_name(&mut self, names: &mut FxHashSet<Rc<str>>) {
        match names.get(&self.header.name) {
            Some(name) => self.header.name = Rc::clone(name),
            None => drop(names.insert(Rc::clone(&self.header.name))),
        }
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether nothing but the header is kept.
    #[cfg(test)]
    pub fn is_closed(&self) -> bool {
        self.reading.borrow().is_none()
    }

    /// Begins to read the blocks.
    fn start(&self) -> Result<Box<Reading>, InputError> {
        let (header, blocks) = Blocks::open(&self.path)?;
        if header != self.header {
            let problem = format!("{} has changed since it was opened", self.path.display());
            return Err(InputError::new(problem));
        }
        let compressed = blocks.is_compressed();
        let mut reading = Box::new(Reading {
            blocks,
            passed: FxHashMap::default(),
            seen: Seen::default(),
            given: 0,
            decoder: Decoder::new(self.header.architecture, Rc::clone(self.store.noted())),
            repeats: Repeats::default(),
            gather: Gather::new(Rc::clone(&self.store)),
            decompressor: if compressed { self.store.decompressor() } else { None },
        });
        if compressed && reading.decompressor.is_none() {
            // With many kernels at a time, decompressors would take gigabytes.
            reading.pass_all(&self.header)?;
        }
        Ok(reading)
    }
}

impl Reading {
    /// Reads the block `wanted` into `gather`.
    fn read(&mut self, header: &Header, wanted: u32) -> Result<(), InputError> {
        self.gather.start();
        if let Some(place) = self.passed.remove(&wanted) {
            let mut lines = self.blocks.passed(place, header)?;
            let readers = (&mut self.decoder, &mut self.repeats);
            return block::read(&mut lines, header, readers, &mut self.gather);
        }
        while let Some(found) = self.blocks.next(header, &mut self.seen)? {
            if found == wanted {
                let readers = (&mut self.decoder, &mut self.repeats);
                return block::read(self.blocks.lines(), header, readers, &mut self.gather);
            }
            self.passed.insert(found, self.blocks.pass()?);
        }
        Err(missing(self.blocks.lines(), header, wanted, &self.seen))
    }

    /// Passes over all blocks, so that the file can be closed.
    fn pass_all(&mut self, header: &Header) -> Result<(), InputError> {
        while let Some(found) = self.blocks.next(header, &mut self.seen)? {
            self.passed.insert(found, self.blocks.pass()?);
        }
        self.blocks.lines().close();
        Ok(())
    }
}

/// The diagnostic for a block that the trace does not have.
pub(super) fn missing(lines: &Lines, header: &Header, block: u32, seen: &Seen) -> InputError {
    let Dim3 { x, y, .. } = header.grid;
    let index = Dim3::new(block % x, block / x % y, block / x / y);
    let (found, blocks) = (seen.count(), header.blocks());
    let problem = format!("thread block {index} is missing ({found} of {blocks} are there)");
    lines.ends_early(&problem, "`#BEGIN_TB`")
}

impl KernelCode for TracedKernel {
    fn file(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn block(
        &self,
        block: Dim3,
        _warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let mut slot = self.reading.borrow_mut();
        let reading = match &mut *slot {
            Some(reading) => reading,
            None => slot.insert(self.start()?),
        };
        reading.read(&self.header, block.linear(self.header.grid) as u32)?;
        reading.gather.finish(programs)?;
        reading.given += 1;
        if reading.given == self.header.blocks() {
            // Whatever follows is refused: no block can be new.
            reading.blocks.next(&self.header, &mut reading.seen)?;
            *slot = None;
        }
        Ok(())
    }
}
