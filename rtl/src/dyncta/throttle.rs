//! The admission gate: which SMXs hold fewer blocks than their limit.

use super::{Limit, Thresholds};
use crate::prelude::*;
use crate::prim::Residents;

hdl_module! {
    /// DYNCTA for `smxs` SMXs: Kayiran et al., PACT 2013, section 4.
    ///
    /// ```text
    ///   sample, idle[s], memory[s] --> [limit each SMX] --limit[s]--+
    ///                                             |    +--> running_limit[s], where it pauses
    ///   finished, taken --------------------------+--> [residents] --below--> & request --> allow
    /// ```
    ///
    /// `allow` is combinational in `request` and `finished`; limits and counts change at the clock
    /// edge. Storage: `smxs * (6 + 6)` registers.
    pub struct Throttle (smxs: usize, slots: u64, thresholds: Thresholds) clocked {
        inputs {
            /// One bit for each SMX that asks for a block.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX to which a block goes in this cycle; within `allow`.
            taken: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX: a block of it ends in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMXs' counts are valid in this cycle.
            sample: Signal<In, Bit>,
            /// Cycles of the period in which no warp could issue, but not for memory.
            idle: Vec<Signal<In, U<12>>> = Signal::each(smxs, U::new(0)),
            /// Cycles in which all warps waited for memory.
            memory: Vec<Signal<In, U<12>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// One bit for each SMX that may receive a block; within `request`.
            allow: Signal<Out, Mask> = Signal::mask(smxs),
            /// How many of its resident blocks each SMX may run; depends on the state alone. No
            /// ports unless [`Throttle::pausing`].
            running_limit: Vec<Signal<Out, U<6>>> = Vec::new(),
        }
        children {
            smx: Vec<Limit> = (0..smxs).map(|_| Limit::new(slots, thresholds)).collect(),
            residents: Residents = Residents::new(smxs),
        }
        state { smxs: usize = smxs, limited: usize = 0 }
    }
}

impl Throttle {
    /// The same, which tells SMXs their limits: blocks beyond are paused (`docs/dyncta.md`, rule
    /// 5).
    pub fn pausing(smxs: usize, slots: u64, thresholds: Thresholds) -> Self {
        Self {
            running_limit: Signal::each(smxs, U::new(0)),
            limited: smxs,
            ..Self::new(smxs, slots, thresholds)
        }
    }
}

impl Logic for Throttle {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].sample.next = self.sample.val();
            self.smx[i].idle.next = self.idle[i].val();
            self.smx[i].memory.next = self.memory[i].val();
            self.residents.limit[i].next = self.smx[i].limit.val();
        }
        for i in 0..self.limited {
            self.running_limit[i].next = self.smx[i].limit.val();
        }
        self.residents.finished.next = self.finished.val();
        self.residents.taken.next = self.taken.val();
        self.allow.next = self.request.val() & self.residents.below.val();
    }
}
