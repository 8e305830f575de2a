//! One SMX under SRTF.

use super::choice_room::ChoiceRoom;
use super::{BlockStarts, Choice, Facts, Predictor, Residents, Shortest, ShortestFirst, Times};
use crate::port::Limits;
use crate::prelude::*;
use crate::prim::{Pack, Unpack};

hdl_module! {
    /// What each SMX decides for itself under `srtf` and `srtf/adaptive` (rules 4, 8 to 13 and 17
    /// of `docs/srtf.md`); SMX 0 samples.
    ///
    /// ```text
    ///   now, finished --> [block_starts] --duration--> [predictor] --known, remaining[8]--> [shortest] --> choice
    ///                       [residents] --resident[8]------^  --staying[8]------------------------^           |
    ///                                                                          [choice_room] <----------------+
    ///                                                                              +--> asks
    /// ```
    ///
    /// Storage: that of its children.
    pub struct Unit (number: usize, limits: Limits, parameters: Shortest) clocked {
        inputs {
            /// The number of the cycle; valid in cycles with a completion or a dispatch.
            now: Signal<In, U<40>> => Self::is_timed,
            /// A kernel is accepted.
            launch: Signal<In, Choice>,
            /// Kernels that leave.
            leaves: Signal<In, U<8>>,
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// What is known of each kernel.
            facts: Signal<In, [Facts; 8]>,
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
            /// What is predicted of each, and its resident blocks as the cycle begins.
            times: Signal<Out, [Times; 8]>,
            /// A result for this kernel is stored.
            stored: Signal<Out, Choice>,
            /// What is stored.
            stored_predicted: Signal<Out, U<40>>,
        }
        locals {
            kernel: Signal<Local, Facts>,
            prediction: Signal<Local, Times>,
        }
        children {
            known_facts: Unpack<Facts, 8>,
            own_times: Pack<Times, 8>,
            residents: Residents,
            starts: BlockStarts = BlockStarts::new(limits),
            predictor: Predictor,
            select: ShortestFirst = ShortestFirst::new(number == 0, parameters.limit),
            room: ChoiceRoom = ChoiceRoom::new(limits),
        }
    }
}

impl Unit {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val() | self.taken.val()
    }
}

impl Logic for Unit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        Control::link(&mut self.control, &mut self.starts.control);
        Control::link(&mut self.control, &mut self.predictor.control);
        Control::link(&mut self.control, &mut self.select.control);
        Control::link(&mut self.control, &mut self.room.control);

        // The choice, and whether a block of it fits.
        self.select.eligible.next = self.eligible.val();
        self.select.known.next = self.predictor.known.val();
        self.select.sampling.next = self.sampling.val();
        self.select.sharing.next = self.sharing.val();
        self.known_facts.row.next = self.facts.val();
        for k in 0..8 {
            self.kernel.next = self.known_facts.parts[k].val();
            self.select.older[k].next = self.kernel.val().older;
            self.select.remaining[k].next = self.predictor.remaining[k].val();
            self.select.staying[k].next = self.residents.staying[k].val();
            self.predictor.resident[k].next = self.residents.resident[k].val();
            self.predictor.total[k].next = self.kernel.val().total;
            self.predictor.residency[k].next = self.kernel.val().residency;
            self.prediction.next.remaining = self.predictor.remaining[k].val();
            self.prediction.next.predicted = self.predictor.predicted[k].val();
            self.prediction.next.resident = self.residents.resident[k].val();
            self.own_times.parts[k].next = self.prediction.val();
            self.room.needs[k].next = self.kernel.val().needs;
        }
        self.choice.next = self.select.choice.val();
        self.room.choice.next = self.select.choice.val();
        self.room.finished.next = self.finished.val();
        self.room.finished_kernel.next = self.finished_kernel.val();
        self.room.taken.next = self.taken.val();
        self.asks.next = self.room.asks.val();
        self.residents.finished.next = self.room.ended.val();
        self.residents.taken.next = self.room.received.val();

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
        self.predictor.finished.next = self.room.ended.val();
        self.predictor.duration.next = self.starts.duration.val();
        self.predictor.taken.next = self.room.received.val();
        self.predictor.copy.next = self.copy.val();
        self.predictor.copy_remaining.next = self.copy_remaining.val();
        self.predictor.copy_predicted.next = self.copy_predicted.val();
        self.known.next = self.predictor.known.val();
        self.times.next = self.own_times.row.val();
        self.stored.next = self.predictor.stored.val();
        self.stored_predicted.next = self.predictor.stored_predicted.val();
    }
}
