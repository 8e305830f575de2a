//! From a block of a grid to one twice as far on.

use crate::port::BlockId;
use crate::prelude::*;

/// So many blocks on, as the place of a block: less than 256 along each dimension.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Stride {
    /// Runs fastest.
    pub x: U<8>,
    /// Runs next.
    pub y: U<8>,
    /// Runs slowest.
    pub z: U<8>,
}

impl Stride {
    /// From the first block of a grid to this one, which is within 256 along each dimension.
    pub fn to(block: BlockId) -> Self {
        let BlockId { x, y, z } = block;
        Self { x: U::wrap(x.raw()), y: U::wrap(y.raw()), z: U::wrap(z.raw()) }
    }
}

hdl_module! {
    /// The place of the block twice as far from the first one, or one more: a shift of three digits
    /// to the bases that `grid` has.
    ///
    /// ```text
    ///   of, one, grid --> [ x ] --carry--> [ y ] --carry--> [ z ] --> twice, exists
    /// ```
    ///
    /// Combinational, no storage.
    pub struct DoubledStride combinational_primitive {
        inputs {
            /// A block of the grid, less than 128 along each dimension.
            of: Signal<In, Stride>,
            /// The block behind that which is twice as far.
            one: Signal<In, Bit>,
            /// The extent of the grid, which is not empty.
            grid: Signal<In, BlockId>,
        }
        outputs {
            /// That block; valid when `exists`.
            twice: Signal<Out, Stride>,
            /// The grid has it.
            exists: Signal<Out, Bit>,
        }
    }
}

/// The digit that is left of a sum of two, to the base that the extent is, and whether there is a
/// carry to the next one.
pub(super) fn digit<const BITS: usize>(sum: u64, extent: u64) -> (U<BITS>, bool) {
    let carries = sum >= extent;
    (U::wrap(if carries { sum - extent } else { sum }), carries)
}

impl Logic for DoubledStride {
    fn update(&mut self) {
        let (of, grid) = (self.of.val(), self.grid.val());
        let twice = |of: U<8>, carry: bool| of.raw() << 1 | u64::from(carry);
        let (x, carry) = digit(twice(of.x, self.one.val()), grid.x.raw());
        let (y, carry) = digit(twice(of.y, carry), grid.y.raw());
        let (z, carry) = digit(twice(of.z, carry), grid.z.raw());
        self.twice.next = Stride { x, y, z };
        self.exists.next = !carry;
    }

    fn connect(&mut self) {
        self.twice.connect();
        self.exists.connect();
    }

    /// A carry needs an extent of no more than nine bits.
    fn hdl(&self) -> Verilog {
        let digit = |name: char, low: usize, bits: usize, of: usize, carry: &str| {
            let (extent, high) = (format!("grid[{}:{low}]", low + 8), low + bits - 1);
            format!(
                "wire [8:0] twice_{name} = {{of[{top}:{of}], {carry}}};\n\
                 wire [9:0] less_{name} = {{1'b0, twice_{name}}} - {{1'b0, {extent}}};\n\
                 wire carry_{name} = ~less_{name}[9] & ~(|grid[{high}:{}]);\n\
                 always @(*) twice[{top}:{of}] = carry_{name} ? less_{name}[7:0] : twice_{name}[7:0];\n",
                low + 9,
                top = of + 7,
            )
        };
        Verilog::Custom(
            digit('x', 0, 31, 0, "one")
                + &digit('y', 31, 16, 8, "carry_x")
                + &digit('z', 47, 16, 16, "carry_y")
                + "always @(*) exists = ~carry_z;\n",
        )
    }
}
