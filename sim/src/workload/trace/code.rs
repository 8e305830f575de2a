//! The instructions of a block in memory, and the warps that execute them.

use std::rc::Rc;

use super::block::Sink;
use super::instruction::{Addresses, Traced, RZ};
use crate::diagnostic::InputError;
use crate::workload::program::{
    Instruction, Operation, Register, WarpProgram, MAX_SOURCES, WARP_LANES,
};

/// An instruction, 24 bytes; its addresses are in the words of its block.
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

/// Instructions and their addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub records: Vec<Record>,
    /// Base and stride, or one address an active lane.
    pub words: Vec<u64>,
}

impl Code {
    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.records.len() * size_of::<Record>() + self.words.len() * size_of::<u64>()
    }

    /// Removes everything and keeps the room.
    pub fn clear(&mut self) {
        self.records.clear();
        self.words.clear();
    }

    fn push(&mut self, traced: &Traced) {
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

    /// Overwrites `instruction` with record `at`.
    #[inline]
    pub fn load(&self, at: usize, instruction: &mut Instruction) {
        let record = &self.records[at];
        let register = |register: Register| (register != RZ).then_some(register);
        instruction.pc = record.pc;
        instruction.active = record.active;
        instruction.operation = record.operation;
        instruction.destination = register(record.destination);
        instruction.sources = record.sources.map(register);
        if matches!(record.operation, Operation::Memory { .. }) {
            self.load_addresses(record, &mut instruction.addresses);
        }
    }

    fn load_addresses(&self, record: &Record, into: &mut [u64; WARP_LANES]) {
        let words = &self.words[(record.addresses >> 1) as usize..];
        if record.addresses & 1 == 0 {
            // Constant memory has no addresses.
            if let [base, stride, ..] = *words {
                for (lane, address) in (0..).zip(into) {
                    *address = base.wrapping_add(stride.wrapping_mul(lane));
                }
            }
        } else if record.active == u32::MAX {
            into.copy_from_slice(&words[..WARP_LANES]);
        } else {
            let mut left = record.active;
            for &address in &words[..record.active.count_ones() as usize] {
                into[left.trailing_zeros() as usize] = address;
                left &= left - 1;
            }
        }
    }
}

/// A warp whose block is in memory.
struct Warp {
    code: Rc<Code>,
    at: usize,
}

impl WarpProgram for Warp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.code.load(self.at, instruction);
        self.at += 1;
    }
}

/// Gathers the instructions of one block after the other.
#[derive(Debug, Default)]
pub(super) struct Gather {
    code: Code,
    /// Number of the warp and where it begins, in the order of the trace.
    warps: Vec<(u32, usize)>,
}

impl Gather {
    /// Appends the programs of the gathered block in order of warps, and forgets the block.
    pub fn finish(&mut self, programs: &mut Vec<Box<dyn WarpProgram>>) {
        let code = Rc::new(Code {
            records: self.code.records.as_slice().into(),
            words: self.code.words.as_slice().into(),
        });
        self.warps.sort_unstable();
        for &(_, at) in &self.warps {
            programs.push(Box::new(Warp { code: Rc::clone(&code), at }));
        }
        self.clear();
    }

    /// Forgets a block that was not read to its end.
    pub fn clear(&mut self) {
        self.code.clear();
        self.warps.clear();
    }
}

impl Sink for Gather {
    fn warp(&mut self, warp: u32) {
        self.warps.push((warp, self.code.records.len()));
    }

    fn instruction(&mut self, traced: &Traced) -> Result<(), InputError> {
        self.code.push(traced);
        Ok(())
    }
}
