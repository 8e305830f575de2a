//! First come, first served, with the second bit.

use crate::dispatch;
use crate::prelude::*;
use crate::prim::{Register, Tagged};

hdl_module! {
    /// The FCFS controller (DTBL, section 4.2) with the bit that tells whether a kernel is marked
    /// for the first time, so that its native blocks are still to be distributed.
    ///
    /// ```text
    ///   mark, unmark -------> [ dispatch/fcfs_control ] --> head_valid, head, marked, next_head
    ///   again, native_done -> [ 32 first bits         ] --> head_first
    /// ```
    ///
    /// Outputs but `next_head` depend on the state alone: what is marked in `c` is seen in `c + 1`.
    /// Storage: that of the queue and 32 registers.
    pub struct GroupFcfsControl clocked {
        inputs {
            /// Appends an entry and marks it; an entry must not be marked twice.
            mark: Signal<In, Tagged>,
            /// The kernel was marked before, its native blocks are distributed; valid with `mark`.
            again: Signal<In, Bit>,
            /// Removes the head and clears its mark; ignored when there is none.
            unmark: Signal<In, Bit>,
            /// The head's native blocks are all distributed.
            native_done: Signal<In, Bit>,
        }
        outputs {
            /// Whether any kernel is marked.
            head_valid: Signal<Out, Bit>,
            /// The oldest marked kernel; valid with `head_valid`.
            head: Signal<Out, U<5>>,
            /// The head is marked for the first time; low without a head.
            head_first: Signal<Out, Bit>,
            /// One bit for each entry.
            marked: Signal<Out, U<32>>,
            /// The head of the next cycle; undefined if there will be none.
            next_head: Signal<Out, U<5>>,
        }
        locals {
            target: Signal<Local, U<32>>,
            fresh: Signal<Local, U<32>>,
            stale: Signal<Local, U<32>>,
            served: Signal<Local, U<32>>,
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
        }
        children {
            queue: dispatch::FcfsControl = dispatch::FcfsControl::with_next_head(),
            firsts: Register<U<32>>,
        }
    }
}

impl GroupFcfsControl {
    pub(super) fn is_marked(&self, kernel: usize) -> bool {
        self.queue.is_marked(kernel)
    }
}

impl Logic for GroupFcfsControl {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queue.control);
        Control::link(&mut self.control, &mut self.firsts.control);
        self.queue.mark.next = self.mark.val();
        self.queue.unmark.next = self.unmark.val();
        self.head_valid.next = self.queue.head_valid.val();
        self.head.next = self.queue.head.val();
        self.marked.next = self.queue.marked.val();
        self.next_head.next = self.queue.next_head.val();

        self.target.next = self.one.val() << self.mark.val().entry;
        self.fresh.next = self.none.val();
        if self.mark.val().valid & !self.again.val() {
            self.fresh.next = self.target.val();
        }
        self.served.next = self.none.val();
        if self.queue.head_valid.val() {
            self.served.next = self.one.val() << self.queue.head.val();
        }
        self.head_first.next = (self.firsts.q.val() & self.served.val()).any();
        self.stale.next = self.none.val();
        if self.native_done.val() {
            self.stale.next = self.served.val();
        }
        self.firsts.d.next = (self.firsts.q.val() & !self.stale.val()) | self.fresh.val();
    }
}
