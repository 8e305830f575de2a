//! The instructions of the kernel. Where every thread has the same number of locations the compiler
//! knows it and unrolls the loop; it leaves each location's load, addition and store together.
//!
//! ```text
//!           t = block * threads + thread            IMAD   r0
//!           address a of the first location         IMAD   r1 <- r0
//! each      load a[i * threads]                     LDG    r5 <- r1
//!           add                                     IADD   r6 <- r5
//!           store a[i * threads]                    STG    <- r1, r6
//! exit
//! ```
//!
//! Where the number is the input's:
//!
//! ```text
//!           address of first[block]                 IADD   r0
//!           load first[block], first[block + 1]     LDG    r2, r3 <- r0
//!           address a of the first location         IMAD   r1 <- r2
//!           its end                                 IMAD   r4 <- r3
//! loop      load a[0]                               LDG    r5 <- r1
//!           add                                     IADD   r6 <- r5
//!           store a[0]                              STG    <- r1, r6
//!           a = a + threads                         IADD   r1 <- r1
//!           more?  branch                           ISETP  r7 <- r1, r4  BRA <- r7
//! exit
//! ```

use std::rc::Rc;

use super::data::Data;
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::program::{
    two_sources, Access, Instruction, KernelCode, Operation, Register, Space, Unit, WarpProgram,
    MAX_SOURCES, WARP_LANES,
};

/// Bytes of an instruction, as on Kepler.
const INSTRUCTION_BYTES: u32 = 8;

const THREAD: Register = 0;
const ADDRESS: Register = 1;
const BEGIN: Register = 2;
const BEHIND: Register = 3;
const END: Register = 4;
const VALUE: Register = 5;
const SUM: Register = 6;
const MORE: Register = 7;

const INTEGER: Operation = Operation::Compute(Unit::Integer);

/// What an instruction does to the warp's data, beside its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// Loads where the block's locations begin, or where the next block's do.
    Offset {
        of_next: bool,
    },
    Load,
    /// The lanes go on to their next locations.
    Store,
    /// Back to the load if there is a location left.
    Loop,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
struct Line {
    operation: Operation,
    destination: Option<Register>,
    sources: [Option<Register>; MAX_SOURCES],
    effect: Effect,
}

const fn line(
    operation: Operation,
    destination: Option<Register>,
    sources: [Option<Register>; 2],
    effect: Effect,
) -> Line {
    Line { operation, destination, sources: two_sources(sources), effect }
}

const fn integer(destination: Register, sources: [Option<Register>; 2]) -> Line {
    line(INTEGER, Some(destination), sources, Effect::Nothing)
}

const fn global(access: Access) -> Operation {
    Operation::Memory { space: Space::Global, access, bytes: 4 }
}

const fn offset(destination: Register, of_next: bool) -> Line {
    let effect = Effect::Offset { of_next };
    line(global(Access::Load), Some(destination), [Some(THREAD), None], effect)
}

/// Where the locations are computed from the thread's number.
const COMPUTED: [Line; 2] = [integer(THREAD, [None, None]), integer(ADDRESS, [Some(THREAD), None])];

/// Where they are loaded.
const LOADED: [Line; 5] = [
    integer(THREAD, [None, None]),
    offset(BEGIN, false),
    offset(BEHIND, true),
    integer(ADDRESS, [Some(BEGIN), None]),
    integer(END, [Some(BEHIND), None]),
];

const LOAD_ADD_STORE: [Line; 3] = [
    line(global(Access::Load), Some(VALUE), [Some(ADDRESS), None], Effect::Load),
    integer(SUM, [Some(VALUE), None]),
    line(global(Access::Store), None, [Some(ADDRESS), Some(SUM)], Effect::Store),
];

const LOOP: [Line; 3] = [
    integer(ADDRESS, [Some(ADDRESS), None]),
    integer(MORE, [Some(ADDRESS), Some(END)]),
    line(INTEGER, None, [Some(MORE), None], Effect::Loop),
];

const EXIT: Line = line(Operation::Exit, None, [None, None], Effect::Nothing);

/// The code of all kernels of a run.
pub(super) struct LoadAddStore {
    data: Rc<Data>,
    lines: Rc<[Line]>,
    /// The number of the first line behind those that find the locations.
    first: usize,
}

impl LoadAddStore {
    pub fn new(data: &Rc<Data>) -> Self {
        let (first, mut lines) = if data.loads_offsets() {
            (LOADED.len(), [&LOADED[..], &LOAD_ADD_STORE, &LOOP].concat())
        } else {
            let unrolled = LOAD_ADD_STORE.repeat(data.locations(0) as usize);
            (COMPUTED.len(), [&COMPUTED[..], &unrolled].concat())
        };
        lines.push(EXIT);
        Self { data: Rc::clone(data), lines: lines.into(), first }
    }
}

impl KernelCode for LoadAddStore {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let thread = warp * WARP_LANES as u32;
            let lanes = self.data.threads.saturating_sub(thread).min(WARP_LANES as u32);
            programs.push(Box::new(Warp {
                data: Rc::clone(&self.data),
                lines: Rc::clone(&self.lines),
                first: self.first,
                at: 0,
                block: block.x,
                thread,
                lanes,
                done: 0,
                values: [0; WARP_LANES],
            }));
        }
        Ok(())
    }
}

/// One warp at work.
struct Warp {
    data: Rc<Data>,
    lines: Rc<[Line]>,
    first: usize,
    at: usize,
    block: u32,
    /// The number in its block of the thread in lane 0.
    thread: u32,
    /// Lanes that have a thread: the lowest.
    lanes: u32,
    /// Locations of each thread that have been stored.
    done: u32,
    /// What the lanes have loaded.
    values: [u32; WARP_LANES],
}

impl Warp {
    /// Does what `effect` says; returns where the warp goes on.
    fn perform(&mut self, effect: Effect, to: &mut Instruction) -> usize {
        match effect {
            Effect::Nothing => {}
            Effect::Loop if self.done < self.data.locations(self.block) => return self.first,
            Effect::Loop => {}
            Effect::Offset { of_next } => {
                let address = self.data.offset(self.block + u32::from(of_next));
                to.addresses.list_mut()[..self.lanes as usize].fill(address);
            }
            Effect::Load | Effect::Store => {
                let addresses = to.addresses.list_mut();
                for lane in 0..self.lanes {
                    let at = lane as usize;
                    let thread = self.thread + lane;
                    let location = self.data.location(self.block, thread, self.done);
                    addresses[at] = self.data.address(location);
                    if effect == Effect::Load {
                        self.values[at] = self.data.load(location);
                    } else {
                        self.data.store(location, self.values[at].wrapping_add(1));
                    }
                }
                self.done += u32::from(effect == Effect::Store);
            }
        }
        self.at + 1
    }
}

impl WarpProgram for Warp {
    fn next(&mut self, to: &mut Instruction) {
        let line = self.lines[self.at];
        to.pc = INSTRUCTION_BYTES * self.at as u32;
        to.operation = line.operation;
        to.active = u32::MAX >> (WARP_LANES as u32 - self.lanes);
        to.destination = line.destination;
        to.sources = line.sources;
        self.at = self.perform(line.effect, to);
    }
}
