//! From the instructions of a block to the programs of its warps.

use std::rc::Rc;

use super::block::Sink;
use super::code::{push_words, Encoded, Record, MOST_KEPT};
use super::instruction::Traced;
use super::known::Known;
use super::routine::Routines;
use super::store::{Slot, Store, SLOT};
use crate::diagnostic::InputError;
use crate::program::{Instruction, WarpProgram};

/// A slot and how many bytes of it are used.
type Chunk = (Slot, u32);

/// Gathers the instructions of one block after the other.
#[derive(Debug)]
pub(super) struct Gather {
    store: Rc<Store>,
    /// Bytes that the block may take in memory.
    room: usize,
    /// Bytes that it takes.
    bytes: usize,
    routines: Routines,
    /// The addresses of the warps that are in memory, in the order of the trace.
    words: Vec<u64>,
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
    /// Its other instructions; `None` for the warp that is gathered.
    records: Option<Rc<[Record]>>,
    /// Where their words begin.
    words: usize,
}

impl Gather {
    /// One that leaves to `store` what is too much.
    pub fn new(store: Rc<Store>) -> Self {
        Self {
            store,
            room: 0,
            bytes: 0,
            routines: Routines::default(),
            words: Vec::new(),
            warps: Vec::new(),
            spilled: false,
        }
    }

    /// Begins a block; forgets one that was not read to its end.
    pub fn start(&mut self) {
        for (slot, _) in self.warps.drain(..).flat_map(|warp| warp.chunks) {
            self.store.free(slot);
        }
        self.routines.abandon();
        self.clear_words();
        self.spilled = false;
        self.bytes = 0;
        self.room = self.store.room();
    }

    /// Appends the programs of the gathered block in order of warps.
    ///
    /// # Errors
    /// When the store cannot take what is too much.
    pub fn finish(&mut self, programs: &mut Vec<Box<dyn WarpProgram>>) -> Result<(), InputError> {
        if self.spilled {
            self.spill()?;
            self.warps.sort_unstable_by_key(|warp| warp.warp);
            for Gathered { chunks, .. } in self.warps.drain(..) {
                let store = Rc::clone(&self.store);
                let chunks = chunks.into_iter();
                let buffer = Vec::new();
                programs.push(Box::new(StoredWarp { store, chunks, buffer, at: 0 }));
            }
            return Ok(());
        }
        self.end_warp();
        self.warps.sort_unstable_by_key(|warp| warp.warp);
        let words = self.words.as_slice().into();
        self.clear_words();
        let block = Rc::new(ResidentBlock::new(words, self.bytes, Rc::clone(&self.store)));
        for Gathered { records, words, .. } in self.warps.drain(..) {
            let records = records.expect("every warp has ended");
            programs.push(Box::new(ResidentWarp {
                block: Rc::clone(&block),
                records,
                at: 0,
                words,
            }));
        }
        Ok(())
    }

    /// Removes all words; keeps the room unless it is much.
    fn clear_words(&mut self) {
        if self.words.capacity() > MOST_KEPT {
            self.words = Vec::new();
        }
        self.words.clear();
    }

    /// The warp that is gathered, if there is one, has no more instructions.
    #[inline]
    fn end_warp(&mut self) {
        if let Some(warp) = self.warps.last_mut() {
            warp.records = Some(self.routines.end());
            if !warp.chunks.is_empty() {
                // These are not all of its records: the next warp must not be taken for the same.
                self.routines.forget();
            }
        }
    }

    /// Counts `records` more, and moves what is in memory to the store's file if it is too much.
    #[inline]
    fn count(&mut self, records: usize, words: usize) -> Result<(), InputError> {
        self.bytes += records * size_of::<Record>() + words * size_of::<u64>();
        if self.bytes > self.room {
            self.spill()?;
        }
        Ok(())
    }

    /// Moves what is in memory to the store's file.
    #[cold]
    fn spill(&mut self) -> Result<(), InputError> {
        self.spilled = true;
        let mut bytes = Vec::with_capacity(SLOT);
        let current = self.warps.len() - 1;
        for (at, warp) in self.warps.iter_mut().enumerate() {
            let records = warp.records.take().unwrap_or_default();
            let records = if at == current { self.routines.current() } else { &*records };
            let mut words = &self.words[warp.words..];
            for record in records {
                if bytes.len() + Encoded::MOST_BYTES > SLOT {
                    warp.chunks.push((self.store.write(&bytes)?, bytes.len() as u32));
                    bytes.clear();
                }
                words = &words[record.encode(words, &mut bytes)..];
            }
            if !bytes.is_empty() {
                warp.chunks.push((self.store.write(&bytes)?, bytes.len() as u32));
                bytes.clear();
            }
            warp.words = 0;
        }
        self.routines.forget();
        self.clear_words();
        self.bytes = 0;
        Ok(())
    }
}

impl Sink for Gather {
    fn warp(&mut self, warp: u32) {
        self.end_warp();
        let words = self.words.len();
        self.warps.push(Gathered { warp, chunks: Vec::new(), records: None, words });
    }

    #[inline]
    fn instruction(&mut self, traced: &Traced) -> Result<(), InputError> {
        let words = push_words(traced, &mut self.words);
        self.routines.push(Record::new(traced));
        self.count(1, words)
    }

    #[inline]
    fn again(&mut self, lines: &[Known]) -> Result<(), InputError> {
        if self.routines.again(lines.len()) {
            return self.count(lines.len(), 0);
        }
        lines.iter().try_for_each(|line| self.instruction(line.traced()))
    }

    #[inline]
    fn again_elsewhere(&mut self, line: &Known) -> Result<(), InputError> {
        let words = push_words(line.traced(), &mut self.words);
        self.routines.push_alike(line.traced());
        self.count(1, words)
    }
}

/// What the warps of a block in memory share.
struct ResidentBlock {
    words: Box<[u64]>,
    /// What counts for its warps, shared or not.
    bytes: usize,
    store: Rc<Store>,
}

impl ResidentBlock {
    fn new(words: Box<[u64]>, bytes: usize, store: Rc<Store>) -> Self {
        store.take(bytes);
        Self { words, bytes, store }
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
    records: Rc<[Record]>,
    /// The next one.
    at: usize,
    /// Where its words begin.
    words: usize,
}

impl WarpProgram for ResidentWarp {
    #[inline]
    fn next(&mut self, instruction: &mut Instruction) {
        let record = &self.records[self.at];
        record.load(instruction);
        self.at += 1;
        if record.has_words() {
            self.load_addresses(instruction);
        }
    }
}

impl ResidentWarp {
    /// Overwrites the addresses of `instruction`, the one that was loaded last.
    #[inline(never)]
    fn load_addresses(&mut self, instruction: &mut Instruction) {
        let words = &self.block.words[self.words..];
        let record = &self.records[self.at - 1];
        self.words += record.load_addresses(words, &mut instruction.addresses);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::addresses::Addresses;

    #[test]
    fn room_for_a_large_block_is_not_kept_for_the_next_one() {
        let addresses = Addresses::Stride { base: 0, stride: 4 };
        let load = Traced { active: 1, addresses, ..Traced::default() };
        let after = |count: usize| {
            let mut gather = Gather::new(Rc::default());
            gather.start();
            gather.warp(0);
            (0..count).for_each(|_| gather.instruction(&load).unwrap());
            gather.start();
            assert!(gather.words.is_empty() && gather.warps.is_empty());
            gather.words.capacity()
        };
        assert!(after(1000) >= 1000);
        assert_eq!(after(1 << 17), 0);
    }
}
