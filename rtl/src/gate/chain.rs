//! One gate after another.

use super::SamplePorts;
use crate::claso;
use crate::dyncta::{Thresholds, Throttle};
use crate::prelude::*;
use crate::prim::{Bundle, Tagged};
use rust_hdl::core::direction::Direction;

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
        /// Whether SMXs are told their limits, and pause the blocks beyond.
        pauses: bool,
    },
}

impl GateKind {
    fn claso(&self) -> Option<claso::Levels> {
        match *self {
            Self::Claso(levels) => Some(levels),
            Self::Dyncta { .. } => None,
        }
    }

    /// The gate over `smxs` SMXs, if it is that one.
    fn dyncta(&self, smxs: usize) -> Option<Throttle> {
        match *self {
            Self::Dyncta { slots, thresholds, pauses: false } => {
                Some(Throttle::new(smxs, slots, thresholds))
            }
            Self::Dyncta { slots, thresholds, pauses: true } => {
                Some(Throttle::pausing(smxs, slots, thresholds))
            }
            Self::Claso(_) => None,
        }
    }
}

/// What a place for gates has beside `request`, `taken`, `finished` and `allow`, since one of its
/// gates looks at it. In the `state` of a module the numbers are the ends of loops.
#[derive(Clone, Copy, Debug)]
pub struct GatePorts {
    /// There are gates: 1, else 0.
    pub gated: usize,
    /// SMXs with gates: all of them, else none.
    pub smxs: usize,
    /// 1 for `launch`, `coalesced`, `blocks`, `kernel` and `first`, at which CLASO looks; else 0.
    pub credits: usize,
    /// SMXs whose counts DYNCTA looks at: all of them, else none.
    pub sampled: usize,
    /// SMXs that are told how many blocks may run: all of them, else none.
    pub limited: usize,
}

impl GatePorts {
    /// For `gates` over `smxs` SMXs.
    pub fn of(smxs: usize, gates: &[GateKind]) -> Self {
        let samples = gates.iter().any(|gate| matches!(gate, GateKind::Dyncta { .. }));
        let limits = gates.iter().any(|gate| matches!(gate, GateKind::Dyncta { pauses: true, .. }));
        Self {
            gated: usize::from(!gates.is_empty()),
            smxs: if gates.is_empty() { 0 } else { smxs },
            credits: usize::from(gates.iter().any(|gate| gate.claso().is_some())),
            sampled: if samples { smxs } else { 0 },
            limited: if limits { smxs } else { 0 },
        }
    }

    /// The port `sample` of a module with that place.
    pub fn sample(self) -> Signal<In, Bit> {
        Signal::optional(self.sampled != 0, false)
    }

    /// The ports `idle` or `memory` of a module with that place.
    pub fn counts(self) -> Vec<Signal<In, U<12>>> {
        Signal::each(self.sampled, U::new(0))
    }

    /// The ports `running_limit` of a module with that place.
    pub fn limits(self) -> Vec<Signal<Out, U<6>>> {
        Signal::each(self.limited, U::new(0))
    }

    /// A constant that is there if credits are counted: an event that never comes, the SMX looked
    /// at first.
    pub fn constant<T: Value>(self, value: T) -> Constant<T> {
        Constant::optional(self.credits != 0, value)
    }

    /// A signal that is there if credits are counted.
    pub fn credit<D: Direction, T: Value>(self, value: T) -> Signal<D, T> {
        Signal::optional(self.credits != 0, value)
    }
}

hdl_module! {
    /// The gates of a list, each asked for what the one before lets go; none lets every block go
    /// that fits.
    ///
    /// ```text
    ///   request --> [ first gate: claso or dyncta ] --> [ rest: the gates behind it ] --> allow
    ///   taken ------------^--------------------------------^
    /// ```
    ///
    /// `allow` is combinational in `request`, `kernel` and `first`: a gate delays nothing by
    /// itself. Ports at which none of the gates looks are not there, see [`GatePorts`]. Storage:
    /// that of the gates.
    pub struct GateChain (smxs: usize, gates: &[GateKind]) clocked {
        bundles {
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// A kernel is accepted into this entry.
            launch: Signal<In, Tagged> = GatePorts::of(smxs, gates).credit(Tagged::default()),
            /// A group is coalesced to the kernel in this entry; not in a cycle with `launch`.
            coalesced: Signal<In, Tagged> = GatePorts::of(smxs, gates).credit(Tagged::default()),
            /// Its thread blocks; valid with `launch` and with `coalesced`.
            blocks: Signal<In, U<31>> = GatePorts::of(smxs, gates).credit(U::new(0)),
            /// The kernel that `request` is about.
            kernel: Signal<In, U<5>> = GatePorts::of(smxs, gates).credit(U::new(0)),
            /// One bit for each SMX that asks for a block.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMX whose turn it is.
            first: Signal<In, Word> = GatePorts::of(smxs, gates).credit(Word::id(smxs, 0)),
            /// One bit for each SMX to which a block goes in this cycle; what CLASO counts is
            /// within `allow`.
            taken: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
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
            dyncta: Optional<Throttle> =
                Optional::new(gates.first().and_then(|gate| gate.dyncta(smxs))),
            rest: Optional<GateChain> = GateChain::placed(smxs, rest(gates)),
        }
        state {
            is_claso: usize = usize::from(gates.first().and_then(GateKind::claso).is_some()),
            is_dyncta: usize = usize::from(matches!(gates.first(), Some(GateKind::Dyncta { .. }))),
            throttled: usize = GatePorts::of(smxs, gates.get(..1).unwrap_or_default()).sampled,
            limited: usize = GatePorts::of(smxs, gates.get(..1).unwrap_or_default()).limited,
            behind: GatePorts = GatePorts::of(smxs, rest(gates)),
        }
    }
}

impl GateChain {
    /// CLASO alone, for `entries` entries (a power of two, at most 32), for proofs: whoever drives
    /// it uses no other one.
    pub(crate) fn claso_with_entries(smxs: usize, levels: claso::Levels, entries: usize) -> Self {
        let gate = claso::Gate::with_entries(smxs, levels, entries);
        Self { claso: Optional::new(Some(gate)), ..Self::new(smxs, &[GateKind::Claso(levels)]) }
    }
}

impl GateChain {
    /// The gates over `smxs` SMXs, or nothing in their place where there are none.
    pub fn placed(smxs: usize, gates: &[GateKind]) -> Optional<Self> {
        Optional::new((!gates.is_empty()).then(|| Self::new(smxs, gates)))
    }

    /// What puts one bit of each SMX into `request` or `taken`, where there are gates.
    pub fn masks(smxs: usize, gates: &[GateKind]) -> Optional<Bundle<Mask>> {
        Optional::new((!gates.is_empty()).then(|| Bundle::of(smxs)))
    }
}

fn rest(gates: &[GateKind]) -> &[GateKind] {
    gates.get(1..).unwrap_or_default()
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
            self.dyncta.sample.next = self.sample_ports.sample.val();
            self.passed.next = self.dyncta.allow.val();
        }
        self.allow.next = self.passed.val();
        for i in 0..self.throttled {
            self.dyncta.idle[i].next = self.sample_ports.idle[i].val();
            self.dyncta.memory[i].next = self.sample_ports.memory[i].val();
        }
        for i in 0..self.limited {
            self.sample_ports.running_limit[i].next = self.dyncta.running_limit[i].val();
        }
        for _is in 0..self.behind.gated {
            Control::link(&mut self.control, &mut self.rest.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.rest.sample_ports);
            self.rest.request.next = self.passed.val();
            self.rest.taken.next = self.taken.val();
            self.rest.finished.next = self.finished.val();
            self.allow.next = self.rest.allow.val();
        }
        for _is in 0..self.behind.credits {
            self.rest.launch.next = self.launch.val();
            self.rest.coalesced.next = self.coalesced.val();
            self.rest.blocks.next = self.blocks.val();
            self.rest.kernel.next = self.kernel.val();
            self.rest.first.next = self.first.val();
        }
    }
}
