//! What modules declare to store: register bits and memories, by hierarchy.
//!
//! Primitives with state say what it is; [`hdl_module!`](crate::hdl_module) writes for every module
//! which parts it has. Nothing here looks at Verilog, so that both can be compared.

use crate::property::Properties;

/// What a primitive stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Registers: every bit is at hand in every cycle.
    Registers {
        /// How many bits.
        bits: usize,
    },
    /// A memory: words behind ports.
    Memory(Memory),
}

/// A memory that a primitive declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory {
    /// How many words.
    pub words: usize,
    /// Bits of each.
    pub width: usize,
    /// Words that can be read in one cycle.
    pub reads: usize,
    /// Words that can be written in one cycle.
    pub writes: usize,
    /// How it is read.
    pub kind: MemoryKind,
}

/// How a memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryKind {
    /// In the same cycle: flip-flops, latches or distributed memory, as the technology has them.
    RegisterFile,
    /// In the cycle after, through an output register: a compiled SRAM or a block memory. With one
    /// port, a word is read or written in a cycle.
    Sram {
        /// Reads and writes share one port.
        one_port: bool,
    },
}

impl Storage {
    /// A register file of `words` of `width` bits.
    pub fn register_file(words: usize, width: usize, reads: usize, writes: usize) -> Self {
        Self::Memory(Memory { words, width, reads, writes, kind: MemoryKind::RegisterFile })
    }

    /// A synchronous memory of `words` of `width` bits, without its output register.
    pub fn sram(words: usize, width: usize, one_port: bool) -> Self {
        let kind = MemoryKind::Sram { one_port };
        Self::Memory(Memory { words, width, reads: 1, writes: 1, kind })
    }

    /// Its bits.
    pub fn bits(&self) -> usize {
        match self {
            Self::Registers { bits } => *bits,
            Self::Memory(memory) => memory.bits(),
        }
    }
}

impl Memory {
    /// Words times width.
    pub fn bits(&self) -> usize {
        self.words * self.width
    }
}

/// A clocked primitive, which states what it stores.
pub trait Stores {
    /// All that it stores; nothing for a configuration that does without.
    fn stores(&self) -> Vec<Storage>;
}

/// Sees the parts of a module, each with its name and, in an array of parts, its index.
pub type PartVisitor<'a> = dyn FnMut(&'static str, Option<usize>, &dyn Declared) + 'a;

/// A module as a declaration: what it is, which parts it has, what it stores itself.
pub trait Declared {
    /// The module's name with its path in this crate: `laperm::selector::Selector`.
    fn kind(&self) -> &'static str;

    /// Shows the parts in the order of their declaration.
    fn parts(&self, see: &mut PartVisitor);

    /// What it stores beside its parts; nothing but for clocked primitives.
    fn storage(&self) -> Vec<Storage>;

    /// Its inputs that count only under a condition; see [`crate::condition`].
    fn conditional(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What it promises; nothing where nobody has stated it.
    fn properties(&self) -> Properties {
        Properties::default()
    }
}

/// A part as it is declared: one module or several in a row.
#[doc(hidden)]
pub trait Part {
    /// Shows each module of it under `name`.
    fn show(&self, name: &'static str, see: &mut PartVisitor);
}

impl<D: Declared> Part for D {
    #[inline]
    fn show(&self, name: &'static str, see: &mut PartVisitor) {
        see(name, None, self);
    }
}

impl<D: Declared> Part for Vec<D> {
    fn show(&self, name: &'static str, see: &mut PartVisitor) {
        show_each(self, name, see);
    }
}

impl<D: Declared, const K: usize> Part for [D; K] {
    fn show(&self, name: &'static str, see: &mut PartVisitor) {
        show_each(self, name, see);
    }
}

fn show_each<D: Declared>(parts: &[D], name: &'static str, see: &mut PartVisitor) {
    for (index, part) in parts.iter().enumerate() {
        see(name, Some(index), part);
    }
}

/// All bits that a module and all below it declare: registers, then memories.
pub fn declared_bits(module: &dyn Declared) -> (usize, usize) {
    let mut sum = (0, 0);
    for storage in module.storage() {
        match storage {
            Storage::Registers { bits } => sum.0 += bits,
            Storage::Memory(memory) => sum.1 += memory.bits(),
        }
    }
    module.parts(&mut |_, _, part| {
        let (registers, memories) = declared_bits(part);
        sum = (sum.0 + registers, sum.1 + memories);
    });
    sum
}
