//! The blocks of one kernel's trace, in whatever order they are asked for.
//!
//! The text is read forward as far as needed. A block that is passed on the way to another is
//! remembered by its place; for a compressed text, which cannot be read backwards, its text goes to
//! a temporary file. Each block is given once, and when all have been given, nothing but the header
//! is kept.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::{self, Seen};
use super::gather::Gather;
use super::header::{self, Header};
use super::lines::{Lines, Place};
use super::opcode::Decoder;
use super::repeats::Repeats;
use super::source;
use super::spool::Spool;
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
    lines: Lines,
    /// Where blocks that were passed are: in the file, or in the spool if there is one.
    passed: FxHashMap<u32, Place>,
    spool: Option<Spool>,
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
        let (mut lines, _) = source::open(&path)?;
        let header = header::read(&mut lines)?;
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
        let (mut lines, seekable) = source::open(&self.path)?;
        if header::read(&mut lines)? != self.header {
            let problem = format!("{} has changed since it was opened", self.path.display());
            return Err(InputError::new(problem));
        }
        let mut reading = Box::new(Reading {
            lines,
            passed: FxHashMap::default(),
            spool: if seekable { None } else { Some(Spool::new()?) },
            seen: Seen::default(),
            given: 0,
            decoder: Decoder::new(self.header.architecture, Rc::clone(self.store.noted())),
            repeats: Repeats::default(),
            gather: Gather::new(Rc::clone(&self.store)),
            decompressor: if seekable { None } else { self.store.decompressor() },
        });
        if !seekable && reading.decompressor.is_none() {
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
            let path = self.lines.path();
            let mut lines = match &mut self.spool {
                Some(spool) => spool.read(path, place)?,
                None => source::reopen(path, place)?,
            };
            let readers = (&mut self.decoder, &mut self.repeats);
            return block::read(&mut lines, header, readers, &mut self.gather);
        }
        while let Some(found) = block::next(&mut self.lines, header, &mut self.seen)? {
            if found == wanted {
                let readers = (&mut self.decoder, &mut self.repeats);
                return block::read(&mut self.lines, header, readers, &mut self.gather);
            }
            self.pass(found)?;
        }
        Err(missing(&self.lines, header, wanted, &self.seen))
    }

    /// Passes over the block `found` and remembers where it is.
    fn pass(&mut self, found: u32) -> Result<(), InputError> {
        let place = match &mut self.spool {
            Some(spool) => spool.keep(&mut self.lines)?,
            None => {
                let place = self.lines.place();
                block::skip(&mut self.lines, None)?;
                place
            }
        };
        self.passed.insert(found, place);
        Ok(())
    }

    /// Passes over all blocks, so that the file can be closed.
    fn pass_all(&mut self, header: &Header) -> Result<(), InputError> {
        while let Some(found) = block::next(&mut self.lines, header, &mut self.seen)? {
            self.pass(found)?;
        }
        self.lines.close();
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
            block::next(&mut reading.lines, &self.header, &mut reading.seen)?;
            *slot = None;
        }
        Ok(())
    }
}
