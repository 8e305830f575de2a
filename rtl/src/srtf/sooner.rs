//! Which kernels have less time than which.

mod properties;

use crate::prelude::*;

/// How many kernels there are.
const KERNELS: usize = 8;

hdl_module! {
    /// For each kernel those with less time: an order, as `older` is. Combinational, no storage.
    ///
    /// ```text
    ///   time[8], older[8] --> [ each pair is compared once ] --> sooner[8]
    /// ```
    pub struct Sooner combinational_primitive {
        inputs {
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// The time of each kernel.
            time: [Signal<In, U<40>>; 8],
        }
        outputs {
            /// For each kernel those with less time, or as much and older.
            sooner: [Signal<Out, U<8>>; 8],
        }
        properties { properties::of }
    }
}

/// All pairs of kernels, the lower number first.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..KERNELS).flat_map(|high| (0..high).map(move |low| (low, high)))
}

impl Logic for Sooner {
    fn update(&mut self) {
        let mut sooner = [0; KERNELS];
        for (low, high) in pairs() {
            let (left, right) = (self.time[low].val().raw(), self.time[high].val().raw());
            let is_first = left < right || left == right && self.older[high].val().get_bit(low);
            match is_first {
                true => sooner[high] |= 1 << low,
                false => sooner[low] |= 1 << high,
            }
        }
        for (port, those) in self.sooner.iter_mut().zip(sooner) {
            port.next = U::new(those);
        }
    }

    fn connect(&mut self) {
        self.sooner.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let mut code = "always @(*) begin\n".to_owned();
        for (low, high) in pairs() {
            code += &format!(
                "    sooner${high}[{low}] = time${low} < time${high}\n        \
                 | time${low} == time${high} & older${high}[{low}];\n    \
                 sooner${low}[{high}] = ~sooner${high}[{low}];\n"
            );
        }
        for kernel in 0..KERNELS {
            code += &format!("    sooner${kernel}[{kernel}] = 1'b0;\n");
        }
        code += "end\n";
        Verilog::Custom(code)
    }
}
