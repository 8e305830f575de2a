//! The admission gate: which SMXs hold fewer blocks than their limit.

use super::{Limit, Thresholds};
use crate::control::Control;
use crate::dispatch::Residents;
use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// DYNCTA for `N` SMXs (1 to 32): Kayiran et al., PACT 2013, section 4.
    ///
    /// ```text
    ///   sample, idle[s], memory[s] --> [limit 0 .. N-1] --limit[s]--+
    ///   finished, taken -----------------------------> [residents] --below--> & request --> allow
    /// ```
    ///
    /// `allow` is combinational in `request` and `finished`; limits and counts change at the clock
    /// edge. Storage: `N * (6 + 6)` registers.
    pub struct Throttle [const N: usize] [N] (slots: u64, thresholds: Thresholds) clocked {
        inputs {
            /// One bit for each SMX that asks for a block.
            request: Signal<In, U<N>>,
            /// One bit for each SMX to which a block goes in this cycle; within `allow`.
            taken: Signal<In, U<N>>,
            /// One bit for each SMX: a block of it ends in this cycle.
            finished: Signal<In, U<N>>,
            /// The SMXs' counts are valid in this cycle.
            sample: Signal<In, Bit>,
            /// Cycles of the period in which no warp could issue, but not for memory.
            idle: [Signal<In, U<12>>; N],
            /// Cycles in which all warps waited for memory.
            memory: [Signal<In, U<12>>; N],
        }
        outputs {
            /// One bit for each SMX that may receive a block; within `request`.
            allow: Signal<Out, U<N>>,
        }
        children {
            smx: [Limit; N] = std::array::from_fn(|_| Limit::new(slots, thresholds)),
            residents: Residents<N>,
        }
    }
}

impl<const N: usize> Logic for Throttle<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        for i in 0..N {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].sample.next = self.sample.val();
            self.smx[i].idle.next = self.idle[i].val();
            self.smx[i].memory.next = self.memory[i].val();
            self.residents.limit[i].next = self.smx[i].limit.val();
        }
        self.residents.finished.next = self.finished.val();
        self.residents.taken.next = self.taken.val();
        self.allow.next = self.request.val() & self.residents.below.val();
    }
}
