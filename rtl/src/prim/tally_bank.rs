//! Counters of things in execution, many of which begin at once.

use super::counts::Counts;
use super::verilog::{number_that_hold, widened};
use super::Tagged;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// 32 counters of `bits` bits that count what is in execution, where up to `ports` things begin
    /// in one cycle.
    ///
    /// ```text
    ///   increase (entry each) --> [ 32 x bits ] --> zero (one bit a counter)
    ///   decrease (entry each) -->
    /// ```
    ///
    /// In one cycle each of the `ports` increments adds one to its counter and each of the `ports`
    /// decrements takes one off its counter; any of them may meet in one counter. Counters wrap.
    /// What is counted in `c` shows in `zero` of `c + 1`. Reset clears all. Storage: `32 * bits`
    /// registers.
    pub struct TallyBank (ports: usize, bits: usize) clocked_primitive {
        inputs {
            /// Each adds one to the counter that it names.
            increase: Vec<Signal<In, Tagged>> = Signal::each(ports, Tagged::default()),
            /// One bit for each decrement: it takes one off a counter.
            decrease: Signal<In, Mask> = Signal::mask(ports),
            /// The counter that each concerns; valid with its bit of `decrease`.
            decrease_entry: Vec<Signal<In, U<5>>> = Signal::each(ports, U::new(0)),
        }
        outputs {
            /// One bit for each counter: it is zero.
            zero: Signal<Out, U<32>>,
        }
        state { counts: Counts = Counts::new(bits) }
    }
}

impl Stores for TallyBank {
    fn stores(&self) -> Vec<Storage> {
        self.counts.stores()
    }
}

impl Logic for TallyBank {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let Self { increase, decrease, decrease_entry, .. } = self;
        self.counts.clock(self.control.reset.val(), |counts| {
            for Tagged { valid, entry } in increase.iter().map(|port| port.val()) {
                counts.add(entry, u64::from(valid));
            }
            counts.take(decrease, decrease_entry);
        });
        self.zero.next = self.counts.zero();
    }

    fn connect(&mut self) {
        self.zero.connect();
    }

    fn hdl(&self) -> Verilog {
        let (ports, bits) = (self.decrease_entry.len(), self.counts.bits());
        let narrow = count_bits(self.increase.len()).min(bits);
        let increase = |port| format!("increase${port}[0] && increase${port}[5:1] == k[4:0]");
        let increases = (0..self.increase.len()).map(increase);
        let begun = format!("({})", number_that_hold(increases, narrow));
        self.counts.hdl(ports, "1'b1", &widened(&begun, narrow, bits))
    }
}
