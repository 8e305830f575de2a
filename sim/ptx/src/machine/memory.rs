//! Global memory: what was allocated, and nothing between.

use std::ops::Range;

use super::bytes::{put, value_of};
use crate::address_space::HEAP;
use crate::semantics::Word;
use blockyard_gpu::program::WARP_LANES;

/// Alignment of what is allocated, in bytes.
const ALIGN: u64 = 256;
/// Most bytes of all allocations.
const MOST: u64 = 1 << 36;
/// Bytes from one lane's to the next's with which all of them are looked up at once.
const CLOSE: u64 = 64;
/// Bytes of an allocation from which the system is asked whether it has them.
const LARGE: u64 = 1 << 24;

/// One piece.
#[derive(Debug)]
struct Piece {
    start: u64,
    bytes: Vec<u8>,
}

impl Piece {
    #[inline]
    fn contains(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        let length = self.bytes.len() as u64;
        offset < length && bytes <= length - offset
    }
}

/// See the module.
#[derive(Debug)]
pub struct Memory {
    /// In order of address; an empty piece takes room, too.
    pieces: Vec<Piece>,
    /// Where the last access was.
    last: usize,
    /// Where the next piece begins.
    next: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self { pieces: Vec::new(), last: 0, next: HEAP }
    }
}

impl Memory {
    /// See [`super::Machine::allocate`].
    pub fn allocate(&mut self, bytes: u64) -> Option<u64> {
        let start = self.next;
        let end = start.checked_add(bytes.max(1))?.checked_next_multiple_of(ALIGN)?;
        if end - HEAP > MOST || !there_are(bytes) {
            return None;
        }
        self.next = end;
        self.place(start, vec![0; bytes as usize]);
        Some(start)
    }

    /// Puts `bytes` at `start`, where nothing else is.
    pub fn place(&mut self, start: u64, bytes: Vec<u8>) {
        let at = self.pieces.partition_point(|piece| piece.start < start);
        self.pieces.insert(at, Piece { start, bytes });
    }

    /// Gives back what was allocated at `address`; whether something was.
    pub fn release(&mut self, address: u64) -> bool {
        let found = self.pieces.binary_search_by_key(&address, |piece| piece.start);
        found.map(|index| drop(self.pieces.remove(index))).is_ok()
    }

    /// The `bytes` bytes from `address` on, if all of them are of one piece.
    #[inline]
    pub fn get(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let near = self.pieces.get(self.last).is_some_and(|piece| piece.contains(address, bytes));
        if !near {
            self.seek(address, bytes)?;
        }
        let piece = &mut self.pieces[self.last];
        let offset = (address - piece.start) as usize;
        Some(&mut piece.bytes[offset..offset + bytes as usize])
    }

    /// Loads `bytes` bytes for each lane of a warp, those of a lane `stride` above those of the one
    /// before; whether they lie apart, close to each other and in one piece: else nothing is done.
    #[inline]
    pub(crate) fn load_in_steps<E: Word>(
        &mut self,
        first: u64,
        stride: u64,
        bytes: u64,
        to: &mut [E; WARP_LANES],
    ) -> bool {
        let Some(all) = self.steps(first, stride, bytes) else { return false };
        match (stride, bytes) {
            (4, 4) => {
                let words = to.iter_mut().zip(all.as_chunks().0);
                words.for_each(|(to, word)| *to = E::of(u32::from_le_bytes(*word).into()));
            }
            (8, 8) => {
                let words = to.iter_mut().zip(all.as_chunks().0);
                words.for_each(|(to, word)| *to = E::of(u64::from_le_bytes(*word)));
            }
            _ => {
                let places = to.iter_mut().zip(all.chunks(stride as usize));
                places.for_each(|(to, place)| *to = E::of(value_of(&place[..bytes as usize])));
            }
        }
        true
    }

    /// As [`Memory::load_in_steps`], the other way.
    #[inline]
    pub(crate) fn store_in_steps<E: Word>(
        &mut self,
        first: u64,
        stride: u64,
        bytes: u64,
        from: &[E; WARP_LANES],
    ) -> bool {
        let Some(all) = self.steps(first, stride, bytes) else { return false };
        match (stride, bytes) {
            (4, 4) => {
                let words = from.iter().zip(all.as_chunks_mut().0);
                words.for_each(|(from, word)| *word = (from.bits() as u32).to_le_bytes());
            }
            (8, 8) => {
                let words = from.iter().zip(all.as_chunks_mut().0);
                words.for_each(|(from, word)| *word = from.bits().to_le_bytes());
            }
            _ => {
                let places = from.iter().zip(all.chunks_mut(stride as usize));
                places.for_each(|(from, place)| put(&mut place[..bytes as usize], from.bits()));
            }
        }
        true
    }

    /// All bytes from those of the first lane to those of the last one.
    #[inline]
    fn steps(&mut self, first: u64, stride: u64, bytes: u64) -> Option<&mut [u8]> {
        if !(bytes..=CLOSE).contains(&stride) {
            return None;
        }
        self.get(first, stride * (WARP_LANES as u64 - 1) + bytes)
    }

    #[cold]
    fn seek(&mut self, address: u64, bytes: u64) -> Option<()> {
        let behind = self.pieces.partition_point(|piece| piece.start <= address);
        let index = behind.checked_sub(1)?;
        let empty = bytes == 0 && self.pieces[index].start == address;
        (empty || self.pieces[index].contains(address, bytes)).then_some(())?;
        self.last = index;
        Some(())
    }

    /// The pieces before and behind `address`, for messages.
    pub fn around(&self, address: u64) -> [Option<Range<u64>>; 2] {
        let behind = self.pieces.partition_point(|piece| piece.start <= address);
        let range = |piece: &Piece| piece.start..piece.start + piece.bytes.len() as u64;
        let before = behind.checked_sub(1).map(|index| range(&self.pieces[index]));
        [before, self.pieces.get(behind).map(range)]
    }
}

/// Whether the system has so many bytes: to take what it has not would end the process.
fn there_are(bytes: u64) -> bool {
    bytes < LARGE || Vec::<u8>::new().try_reserve_exact(bytes as usize).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::Lanes;

    #[test]
    fn bytes_are_found_inside_a_piece_and_not_one_byte_beyond() {
        let mut memory = Memory::default();
        let first = memory.allocate(10).unwrap();
        let second = memory.allocate(4).unwrap();
        assert_eq!((first % ALIGN, second - first), (0, ALIGN));
        assert!(memory.get(first, 10).is_some());
        assert!(memory.get(first, 11).is_none());
        assert!(memory.get(first + 9, 1).is_some());
        assert!(memory.get(first + 10, 1).is_none());
        assert!(memory.get(first - 1, 1).is_none());
        memory.get(second, 4).unwrap().copy_from_slice(&[1, 2, 3, 4]);
        assert_eq!(memory.get(second + 1, 2).unwrap(), [2, 3]);
        assert!(memory.get(u64::MAX, 2).is_none());
    }

    /// What the lanes load in steps of `stride` bytes, if they do.
    fn loaded(memory: &mut Memory, first: u64, stride: u64, bytes: u64) -> Option<Lanes> {
        let mut lanes = [0; WARP_LANES];
        memory.load_in_steps(first, stride, bytes, &mut lanes).then_some(lanes)
    }

    #[test]
    fn steps_of_a_warp_are_of_one_piece() {
        let mut memory = Memory::default();
        let first = memory.allocate(31 * 8 + 4).unwrap();
        assert!(loaded(&mut memory, first, 8, 4).is_some());
        assert!(loaded(&mut memory, first, 8, 5).is_none(), "one byte too many");
        assert!(loaded(&mut memory, first + 1, 8, 4).is_none(), "one byte too far");
        assert!(loaded(&mut memory, first, 3, 4).is_none(), "lanes that overlap");
        assert!(loaded(&mut memory, first, 0, 4).is_none(), "lanes at one place");
        assert!(loaded(&mut memory, first, u64::MAX, 4).is_none(), "downwards");
        assert!(!memory.store_in_steps(first, 8, 5, &[1; WARP_LANES]));
        assert_eq!(memory.get(first, 31 * 8 + 4).unwrap(), [0; 31 * 8 + 4]);
    }

    #[test]
    fn steps_of_a_warp_are_what_each_lane_alone_would_access() {
        for (stride, bytes) in [(4, 4), (8, 8), (8, 4), (1, 1), (2, 2), (64, 8), (16, 2)] {
            let mut memory = Memory::default();
            let size = 31 * stride + bytes;
            let first = memory.allocate(size).unwrap();
            let given: Vec<u8> = (1..=size).map(|at| ((at * 37) >> 3) as u8).collect();
            memory.get(first, size).unwrap().copy_from_slice(&given);
            let lanes = loaded(&mut memory, first, stride, bytes).unwrap();
            let one = |lane| value_of(memory.get(first + lane * stride, bytes).unwrap());
            assert_eq!(lanes.to_vec(), (0..32).map(one).collect::<Vec<_>>(), "{stride} {bytes}");
            let others = lanes.map(|value| !value);
            assert!(memory.store_in_steps(first, stride, bytes, &others));
            let stored = memory.get(first, size).unwrap().to_vec();
            for (at, (stored, given)) in stored.iter().zip(given).enumerate() {
                let covered = (at as u64) % stride < bytes;
                assert_eq!(*stored, if covered { !given } else { given }, "{stride} {bytes} {at}");
            }
        }
    }

    #[test]
    fn what_is_released_is_gone_and_nothing_else() {
        let mut memory = Memory::default();
        let first = memory.allocate(4).unwrap();
        let second = memory.allocate(4).unwrap();
        assert!(memory.release(first) && !memory.release(first) && !memory.release(second + 1));
        assert!(memory.get(first, 1).is_none());
        assert!(memory.get(second, 4).is_some());
    }

    #[test]
    fn more_than_there_is_cannot_be_allocated() {
        let mut memory = Memory::default();
        assert_eq!(memory.allocate(u64::MAX), None);
        assert!(!there_are(i64::MAX as u64) && there_are(LARGE));
        assert_eq!(memory.allocate(MOST + 1), None);
        assert!(memory.allocate(0).is_some());
    }
}
