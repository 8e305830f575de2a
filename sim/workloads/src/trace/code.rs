//! Instructions in memory and in bytes.

use super::addresses::Addresses;
use super::instruction::{Traced, RZ};
use crate::program::{
    Access, Instruction, LaneAddresses, Operation, Register, Space, Unit, MAX_SOURCES, WARP_LANES,
};

/// Which words a record has in those of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    None,
    /// Base and stride.
    Stride,
    /// One address an active lane.
    List,
}

impl Words {
    #[inline]
    fn of(traced: &Traced) -> Self {
        match traced.addresses {
            Addresses::None => Self::None,
            Addresses::Stride { .. } => Self::Stride,
            Addresses::List => Self::List,
        }
    }
}

/// An instruction, 24 bytes; its addresses are in the words of its block, in the order in which a
/// warp executes its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pc: u32,
    active: u32,
    operation: Operation,
    words: Words,
    destination: Option<Register>,
    sources: [Option<Register>; MAX_SOURCES],
}

/// Most entries for which room is kept from one block to the next. Every kernel of which blocks are
/// yet to come keeps that much, 1 MB.
pub(super) const MOST_KEPT: usize = 1 << 15;

impl Record {
    /// That of an instruction.
    #[inline]
    pub fn new(traced: &Traced) -> Self {
        Self {
            pc: traced.pc,
            active: traced.active,
            operation: traced.operation,
            words: Words::of(traced),
            destination: traced.destination,
            sources: traced.sources,
        }
    }

    /// Whether what follows from the addresses of `traced` is the same.
    #[inline]
    pub fn accesses_like(&self, traced: &Traced) -> bool {
        self.words == Words::of(traced) && self.operation == traced.operation
    }

    /// Whether it has words.
    #[inline]
    pub fn has_words(&self) -> bool {
        self.words != Words::None
    }

    /// Its words.
    #[inline]
    fn word_count(&self) -> usize {
        match self.words {
            Words::None => 0,
            Words::Stride => 2,
            Words::List => self.active.count_ones() as usize,
        }
    }

    /// Overwrites `instruction` with this, but for its addresses.
    #[inline]
    pub fn load(&self, instruction: &mut Instruction) {
        instruction.pc = self.pc;
        instruction.active = self.active;
        instruction.operation = self.operation;
        instruction.destination = self.destination;
        instruction.sources = self.sources;
    }

    /// Overwrites `addresses` with those of the record, whose words are the first of `words`, if it
    /// has some. Gives how many words.
    #[inline]
    pub fn load_addresses(&self, words: &[u64], addresses: &mut LaneAddresses) -> usize {
        let count = self.word_count();
        match words[..count] {
            [] => {}
            [base, stride] if self.words == Words::Stride => addresses.set_stride(base, stride),
            ref list => listed(self.active, list, addresses.list_mut()),
        }
        count
    }

    /// Appends this and its words, the first of `words`, to `bytes`. Gives how many words.
    pub fn encode(&self, words: &[u64], bytes: &mut Vec<u8>) -> usize {
        let words = &words[..self.word_count()];
        bytes.extend(self.pc.to_le_bytes());
        bytes.extend(self.active.to_le_bytes());
        let (operation, width) = operation_bytes(self.operation);
        let register = |register: Option<Register>| register.unwrap_or(RZ);
        let words_kind = place(&WORDS, self.words);
        bytes.extend([operation, width, words_kind, register(self.destination)]);
        bytes.extend(self.sources.map(register));
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        words.len()
    }
}

/// Appends the words of `traced`, those that [`Record::new`] counts on, and gives how many.
#[inline]
pub(super) fn push_words(traced: &Traced, words: &mut Vec<u64>) -> usize {
    match traced.addresses {
        Addresses::None => 0,
        Addresses::Stride { base, stride } => {
            words.extend_from_slice(&[base, stride]);
            2
        }
        Addresses::List => {
            words.extend_from_slice(traced.listed());
            traced.listed().len()
        }
    }
}

/// Gives the active lanes the addresses `list`.
#[inline]
fn listed(active: u32, list: &[u64], into: &mut [u64; WARP_LANES]) {
    if let Ok(list) = list.try_into() {
        *into = list;
        return;
    }
    let mut left = active;
    for &address in list {
        into[left.trailing_zeros() as usize] = address;
        left &= left - 1;
    }
}

const UNITS: [Unit; 5] = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
const SPACES: [Space; 5] =
    [Space::Global, Space::Shared, Space::Constant, Space::Unplaced, Space::Texture];
const ACCESSES: [Access; 3] = [Access::Load, Access::Store, Access::Atomic];
const WORDS: [Words; 3] = [Words::None, Words::Stride, Words::List];
const BARRIER: u8 = 20;
const EXIT: u8 = 21;

/// An operation and the bytes a lane accesses: units 0 to 4, memory 5 to 19, barrier, exit.
fn operation_bytes(operation: Operation) -> (u8, u8) {
    match operation {
        Operation::Compute(unit) => (place(&UNITS, unit), 0),
        Operation::Memory { space, access, bytes } => {
            (5 + 3 * place(&SPACES, space) + place(&ACCESSES, access), bytes)
        }
        Operation::NamedBarrier(_)
        | Operation::ClusterArrive
        | Operation::ClusterWait
        | Operation::Launch
        | Operation::Synchronize
        | Operation::Trigger
        | Operation::AwaitPredecessor
        | Operation::Cancel
        | Operation::Fault => {
            unreachable!("no traced instruction does so")
        }
        Operation::Barrier => (BARRIER, 0),
        Operation::Exit => (EXIT, 0),
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> u8 {
    all.iter().position(|each| *each == one).expect("all are listed") as u8
}

fn operation_of(code: u8, bytes: u8) -> Operation {
    match code {
        BARRIER => Operation::Barrier,
        0..=4 => Operation::Compute(UNITS[usize::from(code)]),
        5..=19 => {
            let (space, access) = ((code - 5) / 3, (code - 5) % 3);
            let (space, access) = (SPACES[usize::from(space)], ACCESSES[usize::from(access)]);
            Operation::Memory { space, access, bytes }
        }
        _ => Operation::Exit,
    }
}

/// Bytes that begin with what [`Record::encode`] wrote.
pub(super) struct Encoded<'a>(pub &'a [u8]);

impl Encoded<'_> {
    const HEAD: usize = 16;
    /// Most bytes of one instruction.
    pub const MOST_BYTES: usize = Self::HEAD + 8 * WARP_LANES;

    /// Overwrites `instruction` with the first one, and gives its length in bytes.
    pub fn load(&self, instruction: &mut Instruction) -> usize {
        let bytes = self.0;
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let register = |register: Register| (register != RZ).then_some(register);
        let record = Record {
            pc: word(0),
            active: word(4),
            operation: operation_of(bytes[8], bytes[9]),
            words: WORDS[usize::from(bytes[10])],
            destination: register(bytes[11]),
            sources: [bytes[12], bytes[13], bytes[14], bytes[15]].map(register),
        };
        let mut words = [0; WARP_LANES];
        let count = record.word_count();
        for (at, to) in words[..count].iter_mut().enumerate() {
            let at = Self::HEAD + 8 * at;
            *to = u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        }
        record.load(instruction);
        record.load_addresses(&words, &mut instruction.addresses);
        Self::HEAD + 8 * count
    }
}
