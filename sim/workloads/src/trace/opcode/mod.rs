//! What the opcodes of a trace mean, by architecture.
//!
//! Which opcodes an architecture has is from the instruction set reference of NVIDIA's *CUDA Binary
//! Utilities*. The classes are those of Accel-Sim's public opcode tables, with its finer units
//! folded into the five of [`Unit`]: branches, calls, conversions, surfaces and the uniform data
//! path are integer instructions, textures go to the special-function unit. A base opcode is what
//! stands before the first dot: `LDG.E.SYS` is an `LDG`.

mod ampere;
mod before_volta;
mod blackwell;
mod common;
mod hopper;
mod kepler;
mod maxwell_pascal;
mod noted;
mod since_hopper;
mod since_maxwell;
mod turing;
mod volta;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Serialize;

pub(super) use noted::NotedOpcodes;

use crate::program::{Access, Space, Unit};

/// What an opcode is, before its mask and operands are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Arithmetic on a unit.
    Compute(Unit),
    /// Loads and stores; where to is `None` when the address decides.
    Memory(Option<Space>, Access),
    /// Loads from constant memory.
    Constant,
    /// Reads of arrays through textures.
    Texture,
    /// Copies, prefetches and reductions of the Tensor Memory Accelerator, which are noted and not
    /// timed.
    Bulk,
    /// Waits for the other warps of the block.
    Barrier,
    /// Ends lanes.
    Exit,
}

const GLOBAL: Option<Space> = Some(Space::Global);
const SHARED: Option<Space> = Some(Space::Shared);
const GENERIC: Option<Space> = None;

impl Class {
    pub const INTEGER: Self = Self::Compute(Unit::Integer);
    const SINGLE: Self = Self::Compute(Unit::Single);
    const DOUBLE: Self = Self::Compute(Unit::Double);
    const SPECIAL: Self = Self::Compute(Unit::Special);
    const TENSOR: Self = Self::Compute(Unit::Tensor);

    const fn load(space: Option<Space>) -> Self {
        Self::Memory(space, Access::Load)
    }

    const fn store(space: Option<Space>) -> Self {
        Self::Memory(space, Access::Store)
    }

    const fn atomic(space: Option<Space>) -> Self {
        Self::Memory(space, Access::Atomic)
    }
}

/// A class and its base opcodes, apart by spaces.
type Group = (Class, &'static str);

/// A GPU architecture of which the opcodes are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Architecture {
    /// Compute capability 3.x, and Fermi's 2.x, whose opcodes are a subset.
    Kepler,
    /// Compute capability 5.x and 6.x.
    MaxwellPascal,
    /// Compute capability 7.0 and 7.2.
    Volta,
    /// Compute capability 7.5.
    Turing,
    /// Compute capability 8.x: Ampere, and Ada.
    Ampere,
    /// Compute capability 9.0.
    Hopper,
    /// Compute capability 10.x to 12.x.
    Blackwell,
}

impl Architecture {
    /// The architecture of a binary version (ten times the compute capability), or `None` for one
    /// that is not known.
    pub fn of_binary(version: u32) -> Option<Self> {
        match version {
            20..=39 => Some(Self::Kepler),
            50..=69 => Some(Self::MaxwellPascal),
            70..=74 => Some(Self::Volta),
            75..=79 => Some(Self::Turing),
            80..=89 => Some(Self::Ampere),
            90..=99 => Some(Self::Hopper),
            100..=129 => Some(Self::Blackwell),
            _ => None,
        }
    }

    fn tables(self) -> &'static [&'static [Group]] {
        use {
            ampere as a, before_volta as b, common as c, hopper as h, since_hopper as s,
            since_maxwell as m, turing as t, volta as v,
        };
        match self {
            Self::Kepler => &[c::TABLE, b::TABLE, kepler::TABLE],
            Self::MaxwellPascal => &[c::TABLE, b::TABLE, m::TABLE, maxwell_pascal::TABLE],
            Self::Volta => &[c::TABLE, m::TABLE, v::TABLE],
            Self::Turing => &[c::TABLE, m::TABLE, v::TABLE, t::TABLE],
            Self::Ampere => &[c::TABLE, m::TABLE, v::TABLE, t::TABLE, a::TABLE],
            Self::Hopper => &[c::TABLE, m::TABLE, v::TABLE, t::TABLE, a::TABLE, s::TABLE, h::TABLE],
            Self::Blackwell => {
                &[c::TABLE, m::TABLE, v::TABLE, t::TABLE, a::TABLE, s::TABLE, blackwell::TABLE]
            }
        }
    }

    /// The class of `base`, or `None` for an opcode that the architecture does not have.
    fn class(self, base: &[u8]) -> Option<Class> {
        let groups = self.tables().iter().copied().flatten();
        let has = |names: &str| names.split_ascii_whitespace().any(|name| name.as_bytes() == base);
        groups.copied().find(|(_, names)| has(names)).map(|(class, _)| class)
    }
}

/// An opcode with its modifiers, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opcode {
    pub class: Class,
    /// Whether no table has it; it counts as an integer instruction.
    pub unknown: bool,
    /// Bytes a lane for a memory instruction of which the trace states 0 and yet has addresses.
    pub default_bytes: u8,
}

impl Opcode {
    fn resolve(architecture: Architecture, full: &[u8]) -> Self {
        let mut parts = full.split(|&byte| byte == b'.');
        let base = parts.next().unwrap_or(full);
        let found = architecture.class(base);
        let class = match found {
            // Arriving at a barrier without waiting there.
            Some(Class::Barrier) if parts.next() == Some(b"ARV") => Class::INTEGER,
            Some(class) => class,
            None => Class::INTEGER,
        };
        // Each lane of a matrix load or store gives the address of one row of 8 halves.
        let default_bytes = if matches!(base, b"LDSM" | b"STSM") { 16 } else { 4 };
        Self { class, unknown: found.is_none(), default_bytes }
    }
}

/// Most different opcodes that a decoder remembers; a kernel has some hundred.
const MOST_KNOWN: usize = 4096;

/// Most bytes of an opcode that is remembered: real ones have at most some fifty, and a line of a
/// damaged trace may have a million.
const MOST_NAME: usize = 128;

/// Resolves the opcodes of one kernel, each of them once.
#[derive(Debug)]
pub(super) struct Decoder {
    architecture: Architecture,
    noted: Rc<NotedOpcodes>,
    known: FxHashMap<Box<[u8]>, Opcode>,
}

impl Decoder {
    /// Of a kernel for `architecture`; opcodes that run as another are noted in `noted`.
    pub fn new(architecture: Architecture, noted: Rc<NotedOpcodes>) -> Self {
        Self { architecture, noted, known: FxHashMap::default() }
    }

    /// The opcode `full`, modifiers and all.
    pub fn resolve(&mut self, full: &[u8]) -> Opcode {
        match self.known.get(full) {
            Some(&opcode) => opcode,
            None => self.learn(full),
        }
    }

    #[cold]
    fn learn(&mut self, full: &[u8]) -> Opcode {
        let opcode = Opcode::resolve(self.architecture, full);
        self.noted.note(full, opcode);
        if self.known.len() < MOST_KNOWN && full.len() <= MOST_NAME {
            self.known.insert(full.into(), opcode);
        }
        opcode
    }
}
