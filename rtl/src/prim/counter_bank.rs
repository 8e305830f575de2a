//! Counters of things in execution.

mod properties;

use super::counts::Counts;
use super::verilog::widened;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// 32 counters of `bits` bits that count what is in execution.
    ///
    /// ```text
    ///   increase (entry, by) --> [ 32 x bits ] --> zero (one bit a counter)
    ///   decrease (entry each) -->
    /// ```
    ///
    /// In one cycle one counter grows by `increase_by`, of `most` bits, and each of the `ports`
    /// decrements takes one off its counter; they may meet in one counter. Counters wrap. What is
    /// counted in `c` shows in `zero` of `c + 1`. Reset clears all. Storage: `32 * bits` registers.
    pub struct CounterBank (ports: usize, bits: usize, most: usize) clocked_primitive {
        inputs {
            /// The counter that grows.
            increase_entry: Signal<In, U<5>> => Self::increases,
            /// By how much; zero for not at all.
            increase_by: Signal<In, Word> = Signal::word(most),
            /// One bit for each decrement: it takes one off a counter.
            decrease: Signal<In, Mask> = Signal::mask(ports),
            /// The counter that each concerns; valid with its bit of `decrease`.
            decrease_entry: Vec<Signal<In, U<5>>> = Signal::each(ports, U::new(0)) => Self::decreases,
        }
        outputs {
            /// One bit for each counter: it is zero.
            zero: Signal<Out, U<32>>,
        }
        state { counts: Counts = Counts::new(bits) }
        properties { properties::of }
    }
}

impl CounterBank {
    /// With `counters` counters alone, a power of two, for proofs: whoever drives it names no other
    /// one.
    pub(crate) fn with_counters(self, counters: usize) -> Self {
        Self { counts: self.counts.fewer(counters), ..self }
    }
}

impl CounterBank {
    fn increases(&self) -> bool {
        self.increase_by.val().any()
    }

    fn decreases(&self) -> bool {
        self.decrease.val().any()
    }
}

impl Stores for CounterBank {
    fn stores(&self) -> Vec<Storage> {
        self.counts.stores()
    }
}

impl Logic for CounterBank {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let Self { increase_entry, increase_by, decrease, decrease_entry, .. } = self;
        self.counts.clock(self.control.reset.val(), |counts| {
            counts.add(increase_entry.val(), increase_by.val().raw());
            counts.take(decrease, decrease_entry);
        });
        self.zero.next = self.counts.zero();
    }

    fn connect(&mut self) {
        self.zero.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, most) = (self.counts.bits(), self.increase_by.val().bits());
        let by = match most > bits {
            true => format!("increase_by[{}:0]", bits - 1),
            false => widened("increase_by", most, bits),
        };
        self.counts.hdl(self.decrease_entry.len(), "increase_entry == k[4:0]", &by)
    }
}
