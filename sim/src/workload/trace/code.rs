//! Instructions in memory and in bytes.

use std::rc::Rc;

use super::instruction::{Addresses, Traced, RZ};
use crate::workload::program::{
    Access, Instruction, Operation, Register, Space, Unit, MAX_SOURCES, WARP_LANES,
};

/// An instruction, 20 bytes; its addresses are in the words of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pc: u32,
    active: u32,
    /// Twice the index of the first of its words, plus 1 if these are a list.
    addresses: u32,
    operation: Operation,
    destination: Register,
    sources: [Register; MAX_SOURCES],
}

/// Most entries for which room is kept from one block to the next. Every kernel of which blocks are
/// yet to come keeps that much, 900 KB.
const MOST_KEPT: usize = 1 << 15;

/// Instructions and their addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub records: Vec<Record>,
    /// Base and stride, or one address an active lane.
    words: Vec<u64>,
}

impl Code {
    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.records.len() * size_of::<Record>() + self.words.len() * size_of::<u64>()
    }

    /// Removes everything; keeps the room unless it is much.
    pub fn clear(&mut self) {
        if self.records.capacity().max(self.words.capacity()) > MOST_KEPT {
            *self = Self::default();
        }
        self.records.clear();
        self.words.clear();
    }

    /// A copy that takes no more room than it needs. It shares the records `known` if those are the same;
    /// if not, its own are known from now on.
    pub fn share(&self, known: &mut Rc<[Record]>) -> SharedCode {
        if **known != *self.records {
            *known = self.records.as_slice().into();
        }
        let records = Rc::clone(known);
        if records.len() > MOST_KEPT {
            *known = Rc::default();
        }
        SharedCode { records, words: self.words.as_slice().into() }
    }

    /// Appends an instruction.
    #[inline]
    pub fn push(&mut self, traced: &Traced) {
        let start = (self.words.len() as u32) << 1;
        let addresses = match traced.addresses {
            Addresses::None => 0,
            Addresses::Stride { base, stride } => {
                self.words.extend([base, stride]);
                start
            }
            Addresses::List => {
                self.words.extend(traced.listed());
                start | 1
            }
        };
        self.records.push(Record {
            pc: traced.pc,
            active: traced.active,
            addresses,
            operation: traced.operation,
            destination: traced.destination,
            sources: traced.sources,
        });
    }

    /// Appends record `at` and its addresses to `bytes`.
    pub fn encode(&self, at: usize, bytes: &mut Vec<u8>) {
        let record = &self.records[at];
        let words = record.words_of(&self.words);
        bytes.extend(record.pc.to_le_bytes());
        bytes.extend(record.active.to_le_bytes());
        let list = !words.is_empty() && record.addresses & 1 == 1;
        let (operation, width) = operation_bytes(record.operation);
        bytes.extend([operation, width, u8::from(list), record.destination]);
        bytes.extend(record.sources);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// Code that does not grow: the blocks of a kernel mostly differ in their addresses alone.
pub(super) struct SharedCode {
    records: Rc<[Record]>,
    words: Box<[u64]>,
}

impl SharedCode {
    /// Overwrites `instruction` with record `at`.
    #[inline]
    pub fn load(&self, at: usize, instruction: &mut Instruction) {
        let record = &self.records[at];
        record.load(instruction);
        match *record.words_of(&self.words) {
            [] => {}
            [base, stride] if record.addresses & 1 == 0 => {
                strided(base, stride, &mut instruction.addresses);
            }
            ref list => listed(record.active, list.iter().copied(), &mut instruction.addresses),
        }
    }
}

impl Record {
    /// Its words among `words`, those of its block.
    #[inline]
    fn words_of<'a>(&self, words: &'a [u64]) -> &'a [u64] {
        let Operation::Memory { space: Space::Global | Space::Shared, .. } = self.operation else {
            return &[];
        };
        let start = (self.addresses >> 1) as usize;
        let count = if self.addresses & 1 == 0 { 2 } else { self.active.count_ones() as usize };
        &words[start..start + count]
    }

    #[inline]
    fn load(&self, instruction: &mut Instruction) {
        let register = |register: Register| (register != RZ).then_some(register);
        instruction.pc = self.pc;
        instruction.active = self.active;
        instruction.operation = self.operation;
        instruction.destination = register(self.destination);
        instruction.sources = self.sources.map(register);
    }
}

fn strided(base: u64, stride: u64, into: &mut [u64; WARP_LANES]) {
    for (lane, address) in (0..).zip(into) {
        *address = base.wrapping_add(stride.wrapping_mul(lane));
    }
}

/// Gives the active lanes the addresses `list`.
#[inline]
fn listed(active: u32, list: impl Iterator<Item = u64>, into: &mut [u64; WARP_LANES]) {
    if active == u32::MAX {
        into.iter_mut().zip(list).for_each(|(to, from)| *to = from);
        return;
    }
    let mut left = active;
    for address in list.take(active.count_ones() as usize) {
        into[left.trailing_zeros() as usize] = address;
        left &= left - 1;
    }
}

const UNITS: [Unit; 5] = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special, Unit::Tensor];
const SPACES: [Space; 3] = [Space::Global, Space::Shared, Space::Constant];
const ACCESSES: [Access; 3] = [Access::Load, Access::Store, Access::Atomic];
const BARRIER: u8 = 14;
const EXIT: u8 = 15;

/// An operation and the bytes a lane accesses: units 0 to 4, memory 5 to 13, barrier, exit.
fn operation_bytes(operation: Operation) -> (u8, u8) {
    match operation {
        Operation::Compute(unit) => (place(&UNITS, unit), 0),
        Operation::Memory { space, access, bytes } => {
            (5 + 3 * place(&SPACES, space) + place(&ACCESSES, access), bytes)
        }
        Operation::Launch => unreachable!("no traced instruction launches"),
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
        5..=13 => {
            let (space, access) = ((code - 5) / 3, (code - 5) % 3);
            let (space, access) = (SPACES[usize::from(space)], ACCESSES[usize::from(access)]);
            Operation::Memory { space, access, bytes }
        }
        _ => Operation::Exit,
    }
}

/// Bytes that begin with what [`Code::encode`] wrote.
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
        let record = Record {
            pc: word(0),
            active: word(4),
            addresses: 0,
            operation: operation_of(bytes[8], bytes[9]),
            destination: bytes[11],
            sources: [bytes[12], bytes[13], bytes[14], bytes[15]],
        };
        record.load(instruction);
        let address = |at: usize| {
            let at = Self::HEAD + 8 * at;
            u64::from(word(at)) | u64::from(word(at + 4)) << 32
        };
        let addresses = &mut instruction.addresses;
        let words = match record.operation {
            Operation::Memory { space: Space::Global | Space::Shared, .. } if bytes[10] == 0 => {
                strided(address(0), address(1), addresses);
                2
            }
            Operation::Memory { space: Space::Global | Space::Shared, .. } => {
                let words = record.active.count_ones() as usize;
                listed(record.active, (0..words).map(address), addresses);
                words
            }
            _ => 0,
        };
        Self::HEAD + 8 * words
    }
}
