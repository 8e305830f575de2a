//! First come, first served: which kernel's blocks are distributed.

mod properties;

use crate::prelude::*;
use crate::prim::{Fifo, Register, Tagged};

hdl_module! {
    /// The FCFS controller of the DTBL paper (section 4.2) without its second bit.
    ///
    /// ```text
    ///   mark -----> [ queue of 32 entry numbers ] --> head_valid, head
    ///   unmark ---> [ 32 marking bits ] ------------> marked
    /// ```
    ///
    /// A kernel is marked while it has blocks to distribute. Outputs depend on the state alone: one
    /// marked in `c` is seen in `c + 1`. One [`Self::with_levels`] has a queue for each priority,
    /// and shows the head of the most urgent one that is not empty (`docs/priority.md`, rule 3).
    /// Storage: 160 bits and 17 registers for each queue, 32 registers.
    pub struct FcfsControl clocked {
        inputs {
            /// Appends an entry and marks it; an entry must not be marked twice.
            mark: Signal<In, Tagged>,
            /// Removes the head and clears its mark; ignored when there is none.
            unmark: Signal<In, Bit>,
            /// The priority of the kernel that `mark` marks, more is more urgent, one that there is
            /// not is the most urgent; valid with it, where there are levels.
            level: Signal<In, U<3>> = Signal::optional(false, U::new(0)),
        }
        outputs {
            /// Whether any kernel is marked.
            head_valid: Signal<Out, Bit>,
            /// The oldest marked kernel; valid with `head_valid`.
            head: Signal<Out, U<5>>,
            /// One bit for each entry.
            marked: Signal<Out, U<32>>,
            /// The head of the next cycle, if it is [`Self::with_next_head`]; undefined if there
            /// will be none.
            next_head: Signal<Out, U<5>> = Signal::optional(false, U::new(0)),
            /// The kernel behind the head, if it is [`Self::with_second`]; undefined unless there
            /// is one.
            second: Signal<Out, U<5>> = Signal::optional(false, U::new(0)),
            /// The head is the only marked kernel, if it is [`Self::with_second`].
            alone: Signal<Out, Bit> = Signal::optional(false, false),
        }
        locals {
            set: Signal<Local, U<32>>,
            clear: Signal<Local, U<32>>,
            found: Signal<Local, Bit> = Signal::optional(false, false),
            left: Signal<Local, Bit> = Signal::optional(false, false),
            queued: Signal<Local, Bit> = Signal::optional(false, false),
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
            // Of each urgent queue, the most urgent one first, its priority.
            number: Vec<Constant<U<3>>> = Vec::new(),
        }
        children {
            queue: Fifo<U<5>, 5>,
            urgent: Vec<Fifo<U<5>, 5>> = Vec::new(),
            marks: Register<U<32>>,
        }
        state { urgencies: usize = 0, leveled: usize = 0, looks: usize = 0, shows: usize = 0, entries: usize = 32 }
        properties { properties::of }
    }
}

impl FcfsControl {
    /// For priorities 0 to `levels - 1`; `levels` is 2 to 8.
    pub fn with_levels(levels: usize) -> Self {
        let urgent = 1..levels;
        Self {
            level: Signal::of(U::new(0)),
            found: Signal::of(false),
            left: Signal::of(false),
            queued: Signal::of(false),
            number: urgent.clone().rev().map(|level| Constant::new(U::new(level as u64))).collect(),
            urgent: urgent.map(|_| Fifo::fresh()).collect(),
            urgencies: levels - 1,
            leveled: 1,
            ..Self::new()
        }
    }

    /// With the port `next_head`.
    pub fn with_next_head() -> Self {
        Self {
            next_head: Signal::of(U::new(0)),
            queue: Fifo::with_next_head(U::new(0)),
            looks: 1,
            ..Self::new()
        }
    }

    /// With the ports `second` and `alone`.
    pub fn with_second() -> Self {
        Self {
            second: Signal::of(U::new(0)),
            alone: Signal::of(false),
            queue: Fifo::with_second(U::new(0)),
            shows: 1,
            ..Self::new()
        }
    }

    /// Whose driver uses `entries` entries alone, for proofs; the hardware is the same.
    pub(crate) fn with_entries(levels: usize, entries: usize) -> Self {
        Self { entries, ..Self::with_levels(levels) }
    }

    /// Whether an entry is marked after the last clock edge.
    pub(crate) fn is_marked(&self, kernel: usize) -> bool {
        self.marks.q.val().get_bit(kernel)
    }
}

impl Logic for FcfsControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queue.control);
        Control::link(&mut self.control, &mut self.marks.control);
        self.queue.push.next = self.mark.val().valid;
        self.queue.data.next = self.mark.val().entry;
        self.queue.pop.next = self.unmark.val();
        self.head_valid.next = !self.queue.empty.val();
        self.head.next = self.queue.head.val();
        self.marked.next = self.marks.q.val();
        for _is in 0..self.looks {
            self.next_head.next = self.queue.next_head.val();
        }
        for _is in 0..self.shows {
            self.second.next = self.queue.second.val();
            self.alone.next = self.queue.alone.val();
        }
        self.set.next = self.none.val();
        if self.mark.val().valid {
            self.set.next = self.one.val() << self.mark.val().entry;
        }
        self.clear.next = self.none.val();
        if self.unmark.val() & !self.queue.empty.val() {
            self.clear.next = self.one.val() << self.queue.head.val();
        }
        // From the most urgent queue on: the first one of that priority or less takes a kernel, the
        // first one that is not empty has the head.
        for _is in 0..self.leveled {
            self.found.next = false;
            self.left.next = false;
            self.queued.next = !self.mark.val().valid;
        }
        for i in 0..self.urgencies {
            Control::link(&mut self.control, &mut self.urgent[i].control);
            self.urgent[i].data.next = self.mark.val().entry;
            self.urgent[i].push.next =
                !self.queued.val() & (self.level.val() >= self.number[i].val());
            self.queued.next = self.queued.val() | (self.level.val() >= self.number[i].val());
            // What is shown does not depend on `unmark`, which follows from it.
            if !self.found.val() & !self.urgent[i].empty.val() {
                self.found.next = true;
                self.head_valid.next = true;
                self.head.next = self.urgent[i].head.val();
            }
            self.urgent[i].pop.next = self.unmark.val() & !self.left.val();
            if !self.left.val() & !self.urgent[i].empty.val() {
                self.left.next = true;
                self.queue.pop.next = false;
                if self.unmark.val() {
                    self.clear.next = self.one.val() << self.urgent[i].head.val();
                }
            }
        }
        for _is in 0..self.leveled {
            self.queue.push.next = !self.queued.val();
        }
        self.marks.d.next = (self.marks.q.val() & !self.clear.val()) | self.set.val();
    }
}
