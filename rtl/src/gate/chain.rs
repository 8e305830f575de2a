//! One gate after another.

use crate::claso;
use crate::dyncta::{Thresholds, Throttle};
use crate::prelude::*;
use crate::prim::Tagged;

/// A gate, with its parameters chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    /// CLASO's credits.
    Claso(claso::Levels),
    /// DYNCTA's limit of resident blocks.
    Dyncta {
        /// Thread-block slots of an SMX, 1 to 63.
        slots: u64,
        /// Where its limit moves.
        thresholds: Thresholds,
    },
}

impl GateKind {
    fn claso(&self) -> Option<claso::Levels> {
        match *self {
            Self::Claso(levels) => Some(levels),
            Self::Dyncta { .. } => None,
        }
    }

    fn dyncta(&self) -> Option<(u64, Thresholds)> {
        match *self {
            Self::Dyncta { slots, thresholds } => Some((slots, thresholds)),
            Self::Claso(_) => None,
        }
    }
}

/// Whether one of the gates looks at what SMXs count.
pub fn samples(gates: &[GateKind]) -> bool {
    gates.iter().any(|gate| gate.dyncta().is_some())
}

hdl_module! {
    /// The gates of a list, each asked for what the one before lets go; none lets every block go that fits.
    ///
    /// ```text
    ///   request --> [ first gate: claso or dyncta ] --> [ rest: the gates behind it ] --> allow
    ///   taken ------------^--------------------------------^
    /// ```
    ///
    /// `allow` is combinational in `request`, `kernel` and `first`: a gate delays nothing by itself. Storage: that
    /// of the gates.
    pub struct GateChain (smxs: usize, gates: &[GateKind]) clocked {
        inputs {
            /// A kernel is accepted into this entry.
            launch: Signal<In, Tagged>,
            /// A group is coalesced to the kernel in this entry; not in a cycle with `launch`.
            coalesced: Signal<In, Tagged>,
            /// Its thread blocks; valid with `launch` and with `coalesced`.
            blocks: Signal<In, U<31>>,
            /// The kernel that `request` is about.
            kernel: Signal<In, U<5>>,
            /// One bit for each SMX that asks for a block.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMX whose turn it is.
            first: Signal<In, Word> = Signal::id(smxs),
            /// One bit for each SMX to which a block goes in this cycle; within `allow`.
            taken: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMXs' counts are valid in this cycle; there if a gate looks at them.
            sample: Signal<In, Bit> = Signal::optional(samples(gates), false),
            /// Cycles of the period in which no warp could issue, but not for memory; there with `sample`.
            idle: Vec<Signal<In, U<12>>> = Signal::each(sampled(smxs, gates), U::new(0)),
            /// Cycles in which all warps waited for memory; there with `sample`.
            memory: Vec<Signal<In, U<12>>> = Signal::each(sampled(smxs, gates), U::new(0)),
        }
        outputs {
            /// One bit for each SMX that may receive a block; within `request`.
            allow: Signal<Out, Mask> = Signal::mask(smxs),
        }
        locals {
            passed: Signal<Local, Mask> = Signal::mask(smxs),
        }
        children {
            claso: Optional<claso::Gate> = Optional::new(
                gates.first().and_then(GateKind::claso).map(|levels| claso::Gate::new(smxs, levels))
            ),
            dyncta: Optional<Throttle> = Optional::new(
                gates.first()
                    .and_then(GateKind::dyncta)
                    .map(|(slots, thresholds)| Throttle::new(smxs, slots, thresholds))
            ),
            rest: Optional<GateChain> = Optional::new(
                (!rest(gates).is_empty()).then(|| GateChain::new(smxs, rest(gates)))
            ),
        }
        state {
            is_claso: usize = usize::from(gates.first().and_then(GateKind::claso).is_some()),
            is_dyncta: usize = usize::from(gates.first().and_then(GateKind::dyncta).is_some()),
            is_followed: usize = usize::from(!rest(gates).is_empty()),
            first_sampled: usize = sampled(smxs, gates.get(..1).unwrap_or_default()),
            rest_samples: usize = usize::from(samples(rest(gates))),
            rest_sampled: usize = sampled(smxs, rest(gates)),
        }
    }
}

fn rest(gates: &[GateKind]) -> &[GateKind] {
    gates.get(1..).unwrap_or_default()
}

/// SMXs of `smxs` whose counts the gates look at: all or none.
pub fn sampled(smxs: usize, gates: &[GateKind]) -> usize {
    if samples(gates) {
        smxs
    } else {
        0
    }
}

impl Logic for GateChain {
    #[hdl_gen]
    fn update(&mut self) {
        self.passed.next = self.request.val();
        for _is in 0..self.is_claso {
            Control::link(&mut self.control, &mut self.claso.control);
            self.claso.launch.next = self.launch.val();
            self.claso.coalesced.next = self.coalesced.val();
            self.claso.blocks.next = self.blocks.val();
            self.claso.kernel.next = self.kernel.val();
            self.claso.request.next = self.request.val();
            self.claso.first.next = self.first.val();
            self.claso.taken.next = self.taken.val();
            self.passed.next = self.claso.allow.val();
        }
        for _is in 0..self.is_dyncta {
            Control::link(&mut self.control, &mut self.dyncta.control);
            self.dyncta.request.next = self.request.val();
            self.dyncta.taken.next = self.taken.val();
            self.dyncta.finished.next = self.finished.val();
            self.dyncta.sample.next = self.sample.val();
            self.passed.next = self.dyncta.allow.val();
        }
        self.allow.next = self.passed.val();
        for _is in 0..self.is_followed {
            Control::link(&mut self.control, &mut self.rest.control);
            self.rest.launch.next = self.launch.val();
            self.rest.coalesced.next = self.coalesced.val();
            self.rest.blocks.next = self.blocks.val();
            self.rest.kernel.next = self.kernel.val();
            self.rest.request.next = self.passed.val();
            self.rest.first.next = self.first.val();
            self.rest.taken.next = self.taken.val();
            self.rest.finished.next = self.finished.val();
            self.allow.next = self.rest.allow.val();
        }
        for i in 0..self.first_sampled {
            self.dyncta.idle[i].next = self.idle[i].val();
            self.dyncta.memory[i].next = self.memory[i].val();
        }
        for _is in 0..self.rest_samples {
            self.rest.sample.next = self.sample.val();
        }
        for i in 0..self.rest_sampled {
            self.rest.idle[i].next = self.idle[i].val();
            self.rest.memory[i].next = self.memory[i].val();
        }
    }
}
