//! Dispatchers that do without something, or have ports of their own.

use super::Dispatcher;
use crate::dispatch::{FcfsControl, KernelTable, Move, ResourceTable};
use crate::port::{BlockId, CancelPorts, Cancelled, InUse, Limits, Needs};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};

impl Dispatcher {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(self, entries: usize) -> Self {
        Self { kernels: self.kernels.with_entries(entries), ..self }
    }

    /// Whose next head need not be the kernel that was accepted next.
    fn in_any_order(smxs: usize, limits: Limits) -> Self {
        Self {
            kernels: KernelTable::new(smxs),
            fcfs: Optional::new(Some(FcfsControl::new())),
            ahead: 0,
            ..Self::new(smxs, limits)
        }
    }

    /// With the ports `head_needs` and `free`.
    pub fn with_free(smxs: usize, limits: Limits) -> Self {
        Self {
            head_needs: Signal::of(Needs::default()),
            free: Signal::each(smxs, InUse::default()),
            resources: ResourceTable::with_free(smxs, limits),
            shows: 1,
            ..Self::new(smxs, limits)
        }
    }

    /// For kernels of `levels` priorities, 2 to 8.
    pub fn with_levels(smxs: usize, limits: Limits, levels: usize) -> Self {
        Self {
            urgency: Signal::of(U::new(0)),
            fcfs: Optional::new(Some(FcfsControl::with_levels(levels))),
            leveled: 1,
            ..Self::in_any_order(smxs, limits)
        }
    }

    /// Whose kernels are marked when `mark` says so, and have not ended while they wait for it.
    pub fn with_waiting(smxs: usize, limits: Limits) -> Self {
        Self {
            mark: Signal::of(Tagged::default()),
            waits: Signal::of(U::new(0)),
            waiting: 1,
            ..Self::in_any_order(smxs, limits)
        }
    }

    /// Without FCFS control and round robin: someone outside chooses the head and one SMX of those
    /// that may receive its next block.
    pub fn led(smxs: usize, limits: Limits) -> Self {
        Self {
            leader: Signal::of(Tagged::default()),
            queued: Signal::of(U::new(0)),
            unmark: Signal::of(false),
            marking: Signal::optional(false, Tagged::default()),
            restart: Signal::optional(false, TaggedSmx::none(smxs)),
            first: Signal::optional(false, Word::id(smxs, 0)),
            fcfs: Optional::new(None),
            placement: Optional::new(None),
            follows: 0,
            led: 1,
            ..Self::in_any_order(smxs, limits)
        }
    }

    /// Whose running blocks may take the head's next block, at the ports of [`CancelPorts`]: it
    /// goes to no SMX.
    pub fn with_cancel(smxs: usize, limits: Limits) -> Self {
        Self {
            cancel_ports: CancelPorts::new(true, false),
            not_cancelled: Constant::new(Cancelled::default()),
            passing: Signal::of(false),
            kernels: KernelTable::moving(smxs, Move::Skips, false).ahead(),
            answers: 1,
            passes: 1,
            ..Self::new(smxs, limits)
        }
    }

    /// For some of the SMXs, to which some of each kernel's blocks go: those where `own` says so.
    /// Its kernels have ended when they have everywhere.
    pub fn of_domain(smxs: usize, limits: Limits) -> Self {
        Self {
            own: Signal::of(false),
            passing: Signal::of(false),
            kernels: KernelTable::moving(smxs, Move::Skips, true).ahead(),
            passes: 1,
            in_turn: 1,
            ..Self::in_domain(smxs, limits)
        }
    }

    /// The same where these blocks are in a row: from `jump_to` on, where it was moved, to
    /// `own_last`.
    pub fn of_share(smxs: usize, limits: Limits) -> Self {
        Self {
            own: Signal::of(false),
            own_last: Signal::of(false),
            own_none: Signal::of(false),
            jump: Signal::of(false),
            jump_to: Signal::of(BlockId::default()),
            leads: Signal::of(false),
            head_grid: Signal::of(BlockId::default()),
            kernels: KernelTable::moving(smxs, Move::Jumps, true).ahead(),
            in_share: 1,
            ..Self::in_domain(smxs, limits)
        }
    }

    fn in_domain(smxs: usize, limits: Limits) -> Self {
        Self {
            released: Signal::of(U::new(0)),
            unmark: Signal::of(false),
            moves: Signal::of(false),
            in_domain: 1,
            ..Self::new(smxs, limits)
        }
    }
}
