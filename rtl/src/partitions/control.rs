//! Which kernel's blocks are distributed: those of each partition in turn.

mod properties;

use crate::prelude::*;
use crate::prim::{Bundle, Fifo, Register, RoundRobinArbiter, Tagged};

hdl_module! {
    /// First come, first served in each of `partitions` partitions, 1 to 8, which take turns
    /// (`docs/partitions.md`, rules 3 to 5).
    ///
    /// ```text
    ///   mark, partition --> [ queue of 32 entry numbers; each partition ] --> [ arbiter ] --> turn, head
    ///   unmark ----------------------------^                                    ^  | turn + 1
    ///                                                                  [ pointer ] <
    ///   mark, unmark -----> [ 32 marking bits ] --> marked
    /// ```
    ///
    /// Outputs depend on the state alone: a kernel marked in `c` is seen in `c + 1`. The pointer
    /// moves at the end of each cycle in which a partition has the turn. Storage: 160 bits and 17
    /// registers for each queue, 32 registers, and as many as a partition's number has bits where
    /// there are several.
    pub struct PartitionControl (partitions: usize) clocked {
        inputs {
            /// Appends an entry to the queue of its partition and marks it; an entry must not be
            /// marked twice.
            mark: Signal<In, Tagged>,
            /// The partition of the kernel that `mark` marks, one that there is not is the last
            /// one; valid with it.
            partition: Signal<In, U<3>>,
            /// Removes the head and clears its mark; ignored when there is none.
            unmark: Signal<In, Bit>,
        }
        outputs {
            /// Whether any kernel is marked.
            head_valid: Signal<Out, Bit>,
            /// The oldest marked kernel of the partition that has the turn; valid with
            /// `head_valid`.
            head: Signal<Out, U<5>>,
            /// One bit for each partition: it has the turn, one-hot; zero without `head_valid`.
            turn: Signal<Out, Mask> = Signal::mask(partitions),
            /// One bit for each entry.
            marked: Signal<Out, U<32>>,
        }
        locals {
            joined: Signal<Local, U<3>>,
            shown: Signal<Local, U<5>>,
            set: Signal<Local, U<32>>,
            clear: Signal<Local, U<32>>,
            behind: Signal<Local, Word> = Signal::optional(partitions > 1, Word::id(partitions, 0)),
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
            no_entry: Lit<5, 0>,
            number: Vec<Constant<U<3>>> =
                (0..partitions).map(|at| Constant::new(U::new(at as u64))).collect(),
            highest: Constant<U<3>> =
                Constant::optional(partitions < 8, U::new(partitions as u64 - 1)),
            first_place: Constant<Word> = Constant::id(partitions, 0),
            one_place: Constant<Word> =
                Constant::optional(partitions > 1, Word::id(partitions, 1)),
            last_place: Constant<Word> =
                Constant::optional(partitions > 1, Word::id(partitions, partitions - 1)),
        }
        children {
            queue: Vec<Fifo<U<5>, 5>> = (0..partitions).map(|_| Fifo::fresh()).collect(),
            filled: Bundle<Mask> = Bundle::of(partitions),
            arbiter: RoundRobinArbiter = RoundRobinArbiter::new(partitions),
            pointer: Optional<Register<Word>> =
                Optional::new((partitions > 1).then(|| Register::new(Word::id(partitions, 0)))),
            marks: Register<U<32>>,
        }
        state {
            partitions: usize = partitions,
            bounded: usize = usize::from(partitions < 8),
            several: usize = usize::from(partitions > 1),
            entries: usize = 32,
        }
        properties { properties::of }
    }
}

impl PartitionControl {
    /// Whose driver uses `entries` entries alone, for proofs; the hardware is the same.
    pub(crate) fn with_entries(partitions: usize, entries: usize) -> Self {
        Self { entries, ..Self::new(partitions) }
    }
}

impl Logic for PartitionControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.marks.control);

        // A kernel joins the queue of its partition.
        self.joined.next = self.partition.val();
        for _is in 0..self.bounded {
            if self.partition.val() > self.highest.val() {
                self.joined.next = self.highest.val();
            }
        }
        for i in 0..self.partitions {
            Control::link(&mut self.control, &mut self.queue[i].control);
            self.queue[i].data.next = self.mark.val().entry;
            self.queue[i].push.next =
                self.mark.val().valid & (self.joined.val() == self.number[i].val());
            self.filled.bits[i].next = !self.queue[i].empty.val();
        }

        // The turn, and the head of the partition that has it.
        self.arbiter.request.next = self.filled.word.val();
        self.arbiter.first.next = self.first_place.val();
        for _is in 0..self.several {
            Control::link(&mut self.control, &mut self.pointer.control);
            self.arbiter.first.next = self.pointer.q.val();
            self.behind.next = self.arbiter.index.val() + self.one_place.val();
            if self.arbiter.index.val() == self.last_place.val() {
                self.behind.next = self.first_place.val();
            }
            self.pointer.d.next = self.pointer.q.val();
            if self.arbiter.valid.val() {
                self.pointer.d.next = self.behind.val();
            }
        }
        self.shown.next = self.no_entry.val();
        for i in 0..self.partitions {
            self.queue[i].pop.next = self.unmark.val() & self.arbiter.grant.val().get_bit(i);
            if self.arbiter.grant.val().get_bit(i) {
                self.shown.next = self.queue[i].head.val();
            }
        }
        self.head_valid.next = self.arbiter.valid.val();
        self.head.next = self.shown.val();
        self.turn.next = self.arbiter.grant.val();

        // Marks.
        self.set.next = self.none.val();
        if self.mark.val().valid {
            self.set.next = self.one.val() << self.mark.val().entry;
        }
        self.clear.next = self.none.val();
        if self.unmark.val() & self.arbiter.valid.val() {
            self.clear.next = self.one.val() << self.shown.val();
        }
        self.marked.next = self.marks.q.val();
        self.marks.d.next = (self.marks.q.val() & !self.clear.val()) | self.set.val();
    }
}
