//! A block some places behind another one in a grid.

use super::doubled_stride::digit;
use super::Stride;
use crate::port::BlockId;
use crate::prelude::*;

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
            /// How far on: the place of a block of the grid, or of the one behind its last.
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

impl Logic for BlockAhead {
    fn update(&mut self) {
        let (at, by, grid) = (self.at.val(), self.by.val(), self.grid.val());
        let (x, carry) = digit(at.x.raw() + by.x.raw(), grid.x.raw());
        let (y, carry) = digit(at.y.raw() + by.y.raw() + u64::from(carry), grid.y.raw());
        let (z, carry) = digit(at.z.raw() + by.z.raw() + u64::from(carry), grid.z.raw());
        self.block.next = BlockId { x, y, z };
        self.exists.next = !carry;
    }

    fn connect(&mut self) {
        self.block.connect();
        self.exists.connect();
    }

    /// Of each digit the sum, and beside it the sum less the extent, which is negative where there
    /// is no carry.
    fn hdl(&self) -> Verilog {
        let digit = |name: char, low: usize, bits: usize, by: usize, carry: &str| {
            let (high, sign) = (low + bits - 1, bits + 1);
            let sum = format!(
                "{{2'h0, at[{high}:{low}]}} + {{{}'h0, by[{}:{by}]}}{carry}",
                bits - 6,
                by + 7
            );
            format!(
                "wire [{sign}:0] sum_{name} = {sum};\n\
                 wire [{sign}:0] less_{name} = {sum} - {{2'h0, grid[{high}:{low}]}};\n\
                 wire carry_{name} = ~less_{name}[{sign}];\n\
                 always @(*) block[{high}:{low}] = carry_{name} ? less_{name}[{top}:0] : sum_{name}[{top}:0];\n",
                top = bits - 1,
            )
        };
        Verilog::Custom(
            digit('x', 0, 31, 0, "")
                + &digit('y', 31, 16, 8, " + {17'h0, carry_x}")
                + &digit('z', 47, 16, 16, " + {17'h0, carry_y}")
                + "always @(*) exists = ~carry_z;\n",
        )
    }
}
