//! A block some places behind another one in a grid.

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
    /// One block on, in a grid of any extent.
    pub fn one() -> Self {
        Self { x: U::new(1), ..Self::default() }
    }

    /// From the first block of a grid to this one, which is within 256 along each dimension.
    pub fn to(block: BlockId) -> Self {
        let BlockId { x, y, z } = block;
        Self { x: U::wrap(x.raw()), y: U::wrap(y.raw()), z: U::wrap(z.raw()) }
    }
}

hdl_module! {
    /// The block `by` behind `at`: a sum of three digits to the bases that `grid` has.
    ///
    /// ```text
    ///   at, by, grid --> [ x ] --carry--> [ y ] --carry--> [ z ] --> block, exists
    /// ```
    ///
    /// Combinational, no storage.
    pub struct BlockAhead combinational_primitive {
        inputs {
            /// A block; within `grid`.
            at: Signal<In, BlockId>,
            /// How far on: the place of a block of the grid, or [`Stride::one`].
            by: Signal<In, Stride>,
            /// The extent of the grid, which is not empty.
            grid: Signal<In, BlockId>,
        }
        outputs {
            /// That block; valid when `exists`.
            block: Signal<Out, BlockId>,
            /// The grid has it.
            exists: Signal<Out, Bit>,
        }
    }
}

/// One digit: what is up to `extent` from `at` on is compared with the step, so that no sum is
/// larger than its digit.
fn digit(bits: u32, at: u64, step: u64, extent: u64) -> (u64, bool) {
    let mask = (1 << bits) - 1;
    let left = extent.wrapping_sub(at) & mask;
    match step >= left {
        true => (step - left, true),
        false => ((at + step) & mask, false),
    }
}

impl Logic for BlockAhead {
    fn update(&mut self) {
        let (at, by, grid) = (self.at.val(), self.by.val(), self.grid.val());
        let (x, carry) = digit(31, at.x.raw(), by.x.raw(), grid.x.raw());
        let (y, carry) = digit(16, at.y.raw(), by.y.raw() + u64::from(carry), grid.y.raw());
        let (z, carry) = digit(16, at.z.raw(), by.z.raw() + u64::from(carry), grid.z.raw());
        self.block.next = BlockId { x: U::new(x), y: U::new(y), z: U::new(z) };
        self.exists.next = !carry;
    }

    fn connect(&mut self) {
        self.block.connect();
        self.exists.connect();
    }

    fn hdl(&self) -> Verilog {
        let digit = |name: char, low: usize, bits: usize, by: usize, carry: &str| {
            let (high, top) = (low + bits - 1, bits - 1);
            format!(
                "wire [{top}:0] left_{name} = grid[{high}:{low}] - at[{high}:{low}];\n\
                 wire [8:0] step_{name} = {{1'b0, by[{}:{by}]}}{carry};\n\
                 wire over_{name} = ~(|left_{name}[{top}:9]) & step_{name} >= left_{name}[8:0];\n\
                 always @(*) block[{high}:{low}] = over_{name}\n    \
                 ? {{{zeros}'h0, step_{name} - left_{name}[8:0]}}\n    \
                 : at[{high}:{low}] + {{{zeros}'h0, step_{name}}};\n",
                by + 7,
                zeros = bits - 9,
            )
        };
        Verilog::Custom(
            digit('x', 0, 31, 0, "")
                + &digit('y', 31, 16, 8, " + {8'h0, over_x}")
                + &digit('z', 47, 16, 16, " + {8'h0, over_y}")
                + "always @(*) exists = ~over_z;\n",
        )
    }
}
