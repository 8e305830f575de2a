//! First come, first served: which kernel's blocks are distributed.

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
    /// marked in `c` is seen in `c + 1`. Storage: 160 bits of queue, 17 + 32 registers.
    pub struct FcfsControl clocked {
        inputs {
            /// Appends an entry and marks it; an entry must not be marked twice.
            mark: Signal<In, Tagged>,
            /// Removes the head and clears its mark; ignored when there is none.
            unmark: Signal<In, Bit>,
        }
        outputs {
            /// Whether any kernel is marked.
            head_valid: Signal<Out, Bit>,
            /// The oldest marked kernel; valid with `head_valid`.
            head: Signal<Out, U<5>>,
            /// One bit for each entry.
            marked: Signal<Out, U<32>>,
        }
        locals {
            set: Signal<Local, U<32>>,
            clear: Signal<Local, U<32>>,
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
        }
        children {
            queue: Fifo<U<5>, 5>,
            marks: Register<U<32>>,
        }
    }
}

impl FcfsControl {
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
        self.set.next = self.none.val();
        if self.mark.val().valid {
            self.set.next = self.one.val() << self.mark.val().entry;
        }
        self.clear.next = self.none.val();
        if self.unmark.val() & !self.queue.empty.val() {
            self.clear.next = self.one.val() << self.queue.head.val();
        }
        self.marks.d.next = (self.marks.q.val() & !self.clear.val()) | self.set.val();
    }
}
