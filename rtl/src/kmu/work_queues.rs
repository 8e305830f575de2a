//! Which hardware work queues may be inspected.

use crate::prelude::*;
use crate::prim::{Bundle, Register};

hdl_module! {
    /// The state of the 32 hardware work queues (DTBL, section 2.2): once the head of a queue has
    /// been dispatched, the queue is not inspected until that kernel has ended. What the queues
    /// hold is in memory.
    ///
    /// ```text
    ///   accepted (queue, entry) --> [ 32 waiting bits   ] --> inspect
    ///   finished_kernels ---------> [ 32 entry numbers  ]
    /// ```
    ///
    /// `inspect` depends on the state alone: a queue whose head is accepted in `c` is not inspected
    /// from `c + 1` on, one whose head ends in `c` is again in `c + 1`. Storage: 32 + 32 x 5
    /// registers.
    pub struct WorkQueues clocked {
        inputs {
            /// The head of a queue is accepted: of one that may be inspected, or one that follows
            /// the kernel that the queue waits for, which it then does no longer.
            accepted: Signal<In, Bit>,
            /// Whose head it is; valid with `accepted`.
            work_queue: Signal<In, U<5>>,
            /// The entry that it takes in the Kernel Distributor; valid with `accepted`.
            accepted_entry: Signal<In, U<5>>,
            /// One bit for each entry whose kernel has ended.
            finished_kernels: Signal<In, U<32>>,
        }
        outputs {
            /// One bit for each queue: its head may be offered.
            inspect: Signal<Out, U<32>>,
        }
        locals {
            target: Signal<Local, U<32>>,
            ended: [Signal<Local, U<32>>; 32],
            over: Signal<Local, U<32>>,
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
        }
        children {
            waiting: Register<U<32>>,
            entry: [Register<U<5>>; 32],
            overs: Bundle<U<32>>,
        }
    }
}

impl Logic for WorkQueues {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.waiting.control);
        self.target.next = self.none.val();
        if self.accepted.val() {
            self.target.next = self.one.val() << self.work_queue.val();
        }
        for i in 0..32 {
            Control::link(&mut self.control, &mut self.entry[i].control);
            self.entry[i].d.next = self.entry[i].q.val();
            if self.target.val().get_bit(i) {
                self.entry[i].d.next = self.accepted_entry.val();
            }
            self.ended[i].next =
                self.finished_kernels.val() & (self.one.val() << self.entry[i].q.val());
            self.overs.bits[i].next = self.ended[i].val().any();
        }
        self.over.next = self.overs.word.val();
        self.waiting.d.next = (self.waiting.q.val() & !self.over.val()) | self.target.val();
        self.inspect.next = !self.waiting.q.val();
    }
}
