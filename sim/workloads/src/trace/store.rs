//! What the kernels of a trace share: how much of the resident blocks' code is in memory, a
//! temporary file for the rest, how many of them may hold a decompressor, and which opcodes
//! run as another.
//!
//! A block of a persistent kernel may have millions of instructions, and some hundred blocks are
//! resident. Up to [`Store::MEMORY`] bytes of their code stay in memory; what does not fit goes to
//! the file in slots of [`SLOT`] bytes, of which a warp has one in memory. A slot is free again
//! when it has been read, so the file is as large as what is yet to be executed.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use super::opcode::NotedOpcodes;
use super::spool::failed;
use crate::diagnostic::InputError;

/// Bytes of a slot.
pub(super) const SLOT: usize = 16 << 10;

/// The number of a slot.
pub(super) type Slot = u32;

/// See the module.
#[derive(Debug)]
pub(super) struct Store {
    /// Bytes of code in memory.
    live: Cell<usize>,
    memory: usize,
    file: RefCell<Option<File>>,
    slots: Cell<Slot>,
    free: RefCell<Vec<Slot>>,
    decompressors: Cell<u32>,
    noted: Rc<NotedOpcodes>,
}

/// The right to hold a decompressor, until it is dropped.
#[derive(Debug)]
pub(super) struct Decompressor(Rc<Store>);

impl Drop for Decompressor {
    fn drop(&mut self) {
        self.0.decompressors.set(self.0.decompressors.get() - 1);
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::with_memory(Self::MEMORY)
    }
}

impl Store {
    /// Bytes of code that stay in memory.
    pub const MEMORY: usize = 128 << 20;
    /// Most bytes of one block in memory.
    const BLOCK: usize = 16 << 20;
    /// Kernels that may hold a decompressor at a time: each takes up to 80 MB.
    pub const DECOMPRESSORS: u32 = 2;
    /// Bytes that every block may have: 512 resident blocks take 32 MiB with these.
    const LEAST: usize = 64 << 10;

    /// One that keeps `memory` bytes in memory.
    pub fn with_memory(memory: usize) -> Self {
        Self {
            live: Cell::new(0),
            memory,
            file: RefCell::new(None),
            slots: Cell::new(0),
            free: RefCell::new(Vec::new()),
            decompressors: Cell::new(0),
            noted: Rc::default(),
        }
    }

    /// Where opcodes are noted that do not run as what they are.
    pub fn noted(&self) -> &Rc<NotedOpcodes> {
        &self.noted
    }

    /// The right to keep a decompressor from one block to the next, if there is one left.
    pub fn decompressor(self: &Rc<Self>) -> Option<Decompressor> {
        let held = self.decompressors.get();
        (held < Self::DECOMPRESSORS).then(|| {
            self.decompressors.set(held + 1);
            Decompressor(Rc::clone(self))
        })
    }

    /// Bytes that the next block may take in memory.
    pub fn room(&self) -> usize {
        let most = Self::BLOCK.min(self.memory / 8);
        self.memory.saturating_sub(self.live.get()).min(most).max(Self::LEAST.min(most))
    }

    /// Counts `bytes` more in memory.
    pub fn take(&self, bytes: usize) {
        self.live.set(self.live.get() + bytes);
    }

    /// Counts `bytes` less in memory.
    pub fn give_back(&self, bytes: usize) {
        self.live.set(self.live.get() - bytes);
    }

    /// Writes `bytes`, at most [`SLOT`] of them, to a slot.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, bytes: &[u8]) -> Result<Slot, InputError> {
        let mut file = self.file.borrow_mut();
        let file = match &mut *file {
            Some(file) => file,
            None => file.insert(tempfile::tempfile().map_err(|error| failed(&error))?),
        };
        let slot = self.free.borrow_mut().pop().unwrap_or_else(|| {
            self.slots.set(self.slots.get() + 1);
            self.slots.get() - 1
        });
        let place = SeekFrom::Start(u64::from(slot) * SLOT as u64);
        let written = file.seek(place).and_then(|_| file.write_all(bytes));
        written.map(|()| slot).map_err(|error| failed(&error))
    }

    /// Reads the first `length` bytes of `slot` into `bytes`, and frees it.
    ///
    /// # Panics
    /// When the temporary file that was written cannot be read: the disk is broken.
    pub fn read(&self, slot: Slot, length: usize, bytes: &mut Vec<u8>) {
        let mut file = self.file.borrow_mut();
        let file = file.as_mut().expect("the slot was written");
        bytes.resize(length, 0);
        let place = SeekFrom::Start(u64::from(slot) * SLOT as u64);
        let read = file.seek(place).and_then(|_| file.read_exact(bytes));
        read.expect("what was written to a temporary file can be read");
        self.free(slot);
    }

    /// Frees `slot`.
    pub fn free(&self, slot: Slot) {
        self.free.borrow_mut().push(slot);
    }

    /// Bytes of code in memory.
    #[cfg(test)]
    pub fn live(&self) -> usize {
        self.live.get()
    }

    /// Decompressors that are held.
    #[cfg(test)]
    pub fn decompressors(&self) -> u32 {
        self.decompressors.get()
    }

    /// Slots of the file.
    #[cfg(test)]
    pub fn slots(&self) -> usize {
        self.slots.get() as usize
    }

    /// Slots of the file that hold nothing.
    #[cfg(test)]
    pub fn free_slots(&self) -> usize {
        self.free.borrow().len()
    }
}
