//! What the opcodes of a trace mean, by architecture.
//!
//! The classes are those of Accel-Sim's public opcode tables, with its finer units folded into the
//! five of [`Unit`]: branches, calls, conversions, surfaces and the uniform data path are integer
//! instructions, textures go to the special-function unit. A base opcode is what stands before the
//! first dot: `LDG.E.SYS` is an `LDG`.

mod ampere;
mod before_volta;
mod common;
mod kepler;
mod maxwell_pascal;
mod since_maxwell;
mod turing;
mod unknown;
mod volta;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Serialize;

pub(super) use unknown::UnknownOpcodes;

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
    /// Compute capability 8.x.
    Ampere,
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
            _ => None,
        }
    }

    fn tables(self) -> &'static [&'static [Group]] {
        match self {
            Self::Kepler => &[common::TABLE, before_volta::TABLE, kepler::TABLE],
            Self::MaxwellPascal => {
                &[common::TABLE, before_volta::TABLE, since_maxwell::TABLE, maxwell_pascal::TABLE]
            }
            Self::Volta => &[common::TABLE, since_maxwell::TABLE, volta::TABLE],
            Self::Turing => &[common::TABLE, since_maxwell::TABLE, volta::TABLE, turing::TABLE],
            Self::Ampere => {
                &[common::TABLE, since_maxwell::TABLE, volta::TABLE, turing::TABLE, ampere::TABLE]
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
        // Each lane of a matrix load gives the address of one row of 8 halves.
        let default_bytes = if base == b"LDSM" { 16 } else { 4 };
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
    unknown: Rc<UnknownOpcodes>,
    known: FxHashMap<Box<[u8]>, Opcode>,
}

impl Decoder {
    /// Of a kernel for `architecture`; opcodes that it does not have are noted in `unknown`.
    pub fn new(architecture: Architecture, unknown: Rc<UnknownOpcodes>) -> Self {
        Self { architecture, unknown, known: FxHashMap::default() }
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
        if opcode.unknown {
            self.unknown.note(full);
        }
        if self.known.len() < MOST_KNOWN && full.len() <= MOST_NAME {
            self.known.insert(full.into(), opcode);
        }
        opcode
    }
}
