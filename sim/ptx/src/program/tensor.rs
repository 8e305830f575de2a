//! Matrices that a warp holds together, and what is done with them.

use super::{Lookup, Reg, Source, Use};

/// What a matrix consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Half,
    Brain,
    /// An f32 of which 10 bits of the fraction count.
    Tensor,
    Single,
    Double,
    Byte {
        signed: bool,
    },
    Nibble {
        signed: bool,
    },
    Word,
}

impl Element {
    pub fn bits(self) -> u32 {
        match self {
            Element::Nibble { .. } => 4,
            Element::Byte { .. } => 8,
            Element::Half | Element::Brain => 16,
            Element::Tensor | Element::Single | Element::Word => 32,
            Element::Double => 64,
        }
    }

    /// How many lie in a register.
    pub fn per_register(self) -> u32 {
        (32 / self.bits()).max(1)
    }
}

/// How the elements are distributed among lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// As the manual says of the first and second factor and of the sums of `mma`.
    Left,
    Right,
    Sums,
    /// Of `wmma` it says nothing.
    Opaque,
}

/// The part of a matrix that each lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub rows: u32,
    pub columns: u32,
    pub element: Element,
    pub spread: Spread,
    /// Registers of a lane.
    pub registers: u32,
}

impl Fragment {
    /// That of an `mma`.
    pub fn of_mma(rows: u32, columns: u32, element: Element, spread: Spread) -> Self {
        let registers = rows * columns / 32 / element.per_register();
        Self { rows, columns, element, spread, registers }
    }

    /// That of a `wmma`. Factors of f16 have each element twice.
    pub fn of_wmma(rows: u32, columns: u32, element: Element, is_factor: bool) -> Self {
        let own = rows * columns / 32 / element.per_register();
        let registers = if is_factor && element == Element::Half { 8 } else { own };
        Self { rows, columns, element, spread: Spread::Opaque, registers }
    }

    /// Elements of a lane.
    pub fn slots(&self) -> u32 {
        self.registers * self.element.per_register()
    }

    /// Row and column of an element of a lane.
    pub fn place(&self, lane: u32, slot: u32) -> (u32, u32) {
        let (group, member) = (lane / 4, lane % 4);
        let packed = self.element.per_register();
        let (register, part) = (slot / packed, slot % packed);
        match self.spread {
            Spread::Left => {
                let groups = self.rows / 8;
                let column = register / groups * 4 * packed + member * packed + part;
                (group + 8 * (register % groups), column)
            }
            Spread::Right => (register * 4 * packed + member * packed + part, group),
            Spread::Sums => (group + 8 * (slot / 2), 2 * member + slot % 2),
            Spread::Opaque => {
                let number = (lane * self.slots() + slot) % (self.rows * self.columns);
                (number / self.columns, number % self.columns)
            }
        }
    }
}

/// A fragment and the registers that hold it.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub fragment: Fragment,
    pub registers: Vec<Source>,
}

/// What is done.
#[derive(Clone, Debug)]
pub(crate) enum Tensor {
    /// `mma` and `wmma.mma`: the product of two matrices and a third one. Integers may be clamped.
    Multiply {
        factors: [Held; 2],
        sums: Held,
        result: Fragment,
        to: Vec<Option<Reg>>,
        clamps: bool,
    },
    /// `wmma.load`
    Load { from: Lookup, fragment: Fragment, order: Order, to: Vec<Option<Reg>> },
    /// `wmma.store`
    Store { to: Lookup, matrix: Held, order: Order },
    /// `ldmatrix`: lanes say where rows of 8 by 8 halves are.
    Rows { from: Lookup, transposed: bool, to: Vec<Option<Reg>> },
    /// `cp.async`: so many bytes, of which those behind the first `valid` are zero.
    Copy { to: Lookup, from: Lookup, bytes: u64, valid: Option<Source> },
}

/// How a matrix lies in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub by_columns: bool,
    /// Elements from one row or column to the next; `None`: as many as it has.
    pub stride: Option<Source>,
}

impl Tensor {
    /// See [`super::Action::registers`].
    pub fn registers(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        let mut read = |source: &mut Source| {
            if let Source::Register(register) = source {
                see(register, Use::Read);
            }
        };
        match self {
            Tensor::Multiply { factors, sums, .. } => {
                let held = factors.iter_mut().chain([sums]);
                held.flat_map(|held| &mut held.registers).for_each(read);
            }
            Tensor::Load { from, order, .. } => {
                from.address.base.iter_mut().chain(&mut order.stride).for_each(read);
            }
            Tensor::Store { to, matrix, order } => {
                let place = to.address.base.iter_mut().chain(&mut order.stride);
                place.chain(&mut matrix.registers).for_each(read);
            }
            Tensor::Rows { from, .. } => from.address.base.iter_mut().for_each(read),
            Tensor::Copy { to, from, valid, .. } => {
                let places = to.address.base.iter_mut().chain(&mut from.address.base);
                places.chain(valid).for_each(&mut read);
            }
        }
        if let Tensor::Multiply { to, .. } | Tensor::Load { to, .. } | Tensor::Rows { to, .. } =
            self
        {
            to.iter_mut().flatten().for_each(|register| see(register, Use::Write));
        }
    }
}
