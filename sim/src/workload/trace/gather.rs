//! From the instructions of a block to the programs of its warps.

use std::rc::Rc;

use super::block::Sink;
use super::code::{Code, Encoded, Record, SharedCode};
use super::instruction::Traced;
use super::store::{Slot, Store, SLOT};
use crate::diagnostic::InputError;
use crate::workload::program::{Instruction, WarpProgram};

/// A slot and how many bytes of it are used.
type Chunk = (Slot, u32);

/// Gathers the instructions of one block after the other.
#[derive(Debug)]
pub(super) struct Gather {
    store: Rc<Store>,
    /// Bytes that the block may take in memory.
    room: usize,
    code: Code,
    /// The records of the block before.
    known: Rc<[Record]>,
    warps: Vec<Gathered>,
    /// Whether a part of the block is in the store's file.
    spilled: bool,
}

/// A warp of which instructions were gathered.
#[derive(Debug)]
struct Gathered {
    warp: u32,
    /// Its instructions that are in the file.
    chunks: Vec<Chunk>,
    /// Where its other instructions begin.
    at: usize,
}

impl Gather {
    /// One that leaves to `store` what is too much.
    pub fn new(store: Rc<Store>) -> Self {
        Self {
            store,
            room: 0,
            code: Code::default(),
            known: Rc::default(),
            warps: Vec::new(),
            spilled: false,
        }
    }

    /// Begins a block; forgets one that was not read to its end.
    pub fn start(&mut self) {
        for (slot, _) in self.warps.drain(..).flat_map(|warp| warp.chunks) {
            self.store.free(slot);
        }
        self.code.clear();
        self.spilled = false;
        self.room = self.store.room();
    }

    /// Appends the programs of the gathered block in order of warps.
    ///
    /// # Errors
    /// When the store cannot take what is too much.
    pub fn finish(&mut self, programs: &mut Vec<Box<dyn WarpProgram>>) -> Result<(), InputError> {
        if self.spilled {
            self.spill()?;
        }
        self.warps.sort_unstable_by_key(|warp| warp.warp);
        if self.spilled {
            for Gathered { chunks, .. } in self.warps.drain(..) {
                let store = Rc::clone(&self.store);
                let chunks = chunks.into_iter();
                let buffer = Vec::new();
                programs.push(Box::new(StoredWarp { store, chunks, buffer, at: 0 }));
            }
            return Ok(());
        }
        let (code, bytes) = (self.code.share(&mut self.known), self.code.bytes());
        let block = Rc::new(ResidentBlock::new(code, bytes, Rc::clone(&self.store)));
        self.code.clear();
        for Gathered { at, .. } in self.warps.drain(..) {
            programs.push(Box::new(ResidentWarp { block: Rc::clone(&block), at }));
        }
        Ok(())
    }

    /// Moves what is in memory to the store's file.
    #[cold]
    fn spill(&mut self) -> Result<(), InputError> {
        self.spilled = true;
        let ends = self.warps.iter().skip(1).map(|warp| warp.at);
        let ends: Vec<usize> = ends.chain([self.code.records.len()]).collect();
        let mut bytes = Vec::with_capacity(SLOT);
        for (warp, end) in self.warps.iter_mut().zip(ends) {
            for at in warp.at..end {
                if bytes.len() + Encoded::MOST_BYTES > SLOT {
                    warp.chunks.push((self.store.write(&bytes)?, bytes.len() as u32));
                    bytes.clear();
                }
                self.code.encode(at, &mut bytes);
            }
            if !bytes.is_empty() {
                warp.chunks.push((self.store.write(&bytes)?, bytes.len() as u32));
                bytes.clear();
            }
            warp.at = 0;
        }
        self.code.clear();
        Ok(())
    }
}

impl Sink for Gather {
    fn warp(&mut self, warp: u32) {
        self.warps.push(Gathered { warp, chunks: Vec::new(), at: self.code.records.len() });
    }

    #[inline]
    fn instruction(&mut self, traced: &Traced) -> Result<(), InputError> {
        self.code.push(traced);
        if self.code.bytes() > self.room {
            self.spill()?;
        }
        Ok(())
    }
}

/// A block in memory.
struct ResidentBlock {
    code: SharedCode,
    /// What counts for it, shared or not.
    bytes: usize,
    store: Rc<Store>,
}

impl ResidentBlock {
    fn new(code: SharedCode, bytes: usize, store: Rc<Store>) -> Self {
        store.take(bytes);
        Self { code, bytes, store }
    }
}

impl Drop for ResidentBlock {
    fn drop(&mut self) {
        self.store.give_back(self.bytes);
    }
}

/// A warp whose block is in memory.
struct ResidentWarp {
    block: Rc<ResidentBlock>,
    at: usize,
}

impl WarpProgram for ResidentWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.block.code.load(self.at, instruction);
        self.at += 1;
    }
}

/// A warp whose block is in the store's file.
struct StoredWarp {
    store: Rc<Store>,
    /// The chunks that were not read yet.
    chunks: std::vec::IntoIter<Chunk>,
    /// The chunk that is being executed, and how far.
    buffer: Vec<u8>,
    at: usize,
}

impl WarpProgram for StoredWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        if self.at == self.buffer.len() {
            let (slot, length) = self.chunks.next().expect("a warp ends with an exit");
            self.store.read(slot, length as usize, &mut self.buffer);
            self.at = 0;
        }
        self.at += Encoded(&self.buffer[self.at..]).load(instruction);
    }
}

impl Drop for StoredWarp {
    fn drop(&mut self) {
        for (slot, _) in self.chunks.by_ref() {
            self.store.free(slot);
        }
    }
}
