//! One SMX under SRTF.

use super::{BlockStarts, Choice, Predictor, Residents, Shortest, ShortestFirst};
use crate::control::Control;
use crate::dispatch::{Limits, Needs, SmxResources};
use crate::hdl_module;
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// What each SMX decides for itself under `srtf` and `srtf/adaptive` (rules 4, 8 to 13 and 17 of `docs/srtf.md`); SMX 0
    /// samples.
    ///
    /// ```text
    ///   now, finished --> [block_starts] --duration--> [predictor] --known, remaining[8]--> [shortest] --> choice
    ///                       [residents] --resident[8]------^  --staying[8]------------------------^           |
    ///                                                                          [resources] <-- needs ---------+
    ///                                                                              +--> asks
    /// ```
    ///
    /// Storage: that of its children.
    pub struct Unit [] [] (number: usize, limits: Limits, parameters: Shortest) clocked {
        inputs {
            /// The number of the cycle; valid in cycles with a completion or a dispatch.
            now: Signal<In, U<40>>,
            /// A kernel is accepted.
            launch: Signal<In, Choice>,
            /// Kernels that leave.
            leaves: Signal<In, U<8>>,
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// What its blocks take.
            needs: [Signal<In, Needs>; 8],
            /// How many of them an empty SMX holds.
            residency: [Signal<In, U<5>>; 8],
            /// Blocks that an SMX is expected to run.
            total: [Signal<In, U<24>>; 8],
            /// The kernel that is sampled.
            sampling: Signal<In, Choice>,
            /// The kernel whose prediction is copied.
            copy: Signal<In, Choice>,
            /// It; valid with `copy`.
            copy_remaining: Signal<In, U<40>>,
            /// It; valid with `copy`.
            copy_predicted: Signal<In, U<40>>,
            /// Kernels share the SMXs.
            sharing: Signal<In, Bit>,
            /// That changes.
            changes: Signal<In, Bit>,
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// Whose it is, an entry below 8; valid with `finished`.
            finished_kernel: Signal<In, U<5>>,
            /// Its slot; valid with `finished`.
            finished_slot: Signal<In, U<5>>,
            /// The SMX receives a block of its choice.
            taken: Signal<In, Bit>,
        }
        outputs {
            /// The kernel that it serves.
            choice: Signal<Out, Choice>,
            /// A block of it fits.
            asks: Signal<Out, Bit>,
            /// The slot that the block takes.
            slot: Signal<Out, U<5>>,
            /// Kernels with a prediction.
            known: Signal<Out, U<8>>,
            /// Cycles that are left of each.
            remaining: [Signal<Out, U<40>>; 8],
            /// Its cycles in all.
            predicted: [Signal<Out, U<40>>; 8],
            /// A result for this kernel is stored.
            stored: Signal<Out, Choice>,
            /// What is stored.
            stored_predicted: Signal<Out, U<40>>,
            /// Resident blocks of each kernel as the cycle begins.
            resident: [Signal<Out, U<6>>; 8],
        }
        locals {
            wanted: Signal<Local, U<8>>,
            ends: Signal<Local, Choice>,
            gone: Signal<Local, U<8>>,
            received: Signal<Local, Choice>,
            choice_needs: Signal<Local, Needs>,
            freed: Signal<Local, Needs>,
        }
        constants {
            none: Constant<Choice>,
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            nothing: Constant<Needs>,
        }
        children {
            residents: Residents,
            starts: BlockStarts = BlockStarts::new(limits),
            predictor: Predictor,
            select: ShortestFirst = ShortestFirst::new(number == 0, parameters.limit),
            resources: SmxResources = SmxResources::new(limits),
        }
    }
}

impl Logic for Unit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        Control::link(&mut self.control, &mut self.starts.control);
        Control::link(&mut self.control, &mut self.predictor.control);
        Control::link(&mut self.control, &mut self.select.control);
        Control::link(&mut self.control, &mut self.resources.control);

        // The choice, and whether a block of it fits.
        self.select.eligible.next = self.eligible.val();
        self.select.known.next = self.predictor.known.val();
        self.select.sampling.next = self.sampling.val();
        self.select.sharing.next = self.sharing.val();
        self.wanted.next = self.nobody.val();
        if self.select.choice.val().valid {
            self.wanted.next = self.bit_zero.val() << self.select.choice.val().kernel;
        }
        self.ends.next = self.none.val();
        self.gone.next = self.nobody.val();
        if self.finished.val() {
            self.ends.next.valid = true;
            self.ends.next.kernel = bit_cast::<3, 5>(self.finished_kernel.val());
            self.gone.next = self.bit_zero.val() << self.ends.val().kernel;
        }
        self.choice_needs.next = self.nothing.val();
        self.freed.next = self.nothing.val();
        for k in 0..8 {
            self.select.older[k].next = self.older[k].val();
            self.select.remaining[k].next = self.predictor.remaining[k].val();
            self.select.staying[k].next = self.residents.staying[k].val();
            self.predictor.resident[k].next = self.residents.resident[k].val();
            self.predictor.total[k].next = self.total[k].val();
            self.predictor.residency[k].next = self.residency[k].val();
            self.remaining[k].next = self.predictor.remaining[k].val();
            self.predicted[k].next = self.predictor.predicted[k].val();
            self.resident[k].next = self.residents.resident[k].val();
            if self.wanted.val().get_bit(k) {
                self.choice_needs.next = self.needs[k].val();
            }
            if self.gone.val().get_bit(k) {
                self.freed.next = self.needs[k].val();
            }
        }
        self.choice.next = self.select.choice.val();
        self.resources.needs.next = self.choice_needs.val();
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.freed.val();
        self.resources.take.next = self.taken.val();
        self.asks.next = self.select.choice.val().valid & self.resources.room.val();
        self.received.next = self.none.val();
        if self.taken.val() {
            self.received.next = self.select.choice.val();
        }
        self.residents.finished.next = self.ends.val();
        self.residents.taken.next = self.received.val();

        // The prediction.
        self.starts.now.next = self.now.val();
        self.starts.finished.next = self.finished.val();
        self.starts.finished_slot.next = self.finished_slot.val();
        self.starts.taken.next = self.taken.val();
        self.slot.next = self.starts.slot.val();
        self.predictor.now.next = self.now.val();
        self.predictor.launch.next = self.launch.val();
        self.predictor.leaves.next = self.leaves.val();
        self.predictor.slice.next = self.select.changed.val() | self.changes.val();
        self.predictor.finished.next = self.ends.val();
        self.predictor.duration.next = self.starts.duration.val();
        self.predictor.taken.next = self.received.val();
        self.predictor.copy.next = self.copy.val();
        self.predictor.copy_remaining.next = self.copy_remaining.val();
        self.predictor.copy_predicted.next = self.copy_predicted.val();
        self.known.next = self.predictor.known.val();
        self.stored.next = self.predictor.stored.val();
        self.stored_predicted.next = self.predictor.stored_predicted.val();
    }
}
