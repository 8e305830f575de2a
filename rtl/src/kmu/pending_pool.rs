//! A pool of kernels that wait in memory.

mod properties;

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The first and the last place of a ring of kernel records in global memory (DTBL, section
    /// 2.2: the Kernel Management Unit holds what the SMXs launch or suspend).
    ///
    /// ```text
    ///   push --> [ tail ] --+--> any
    ///   pop ---> [ head ] --+--> first
    /// ```
    ///
    /// A record that is put there in a cycle can be taken in that cycle. Places count from 0 and
    /// wrap at 2^32. Storage: 64 registers.
    pub struct PendingPool clocked {
        inputs {
            /// A record is put at the tail.
            push: Signal<In, Bit>,
            /// The first record is taken; only with `any`.
            pop: Signal<In, Bit>,
        }
        outputs {
            /// There is a record, or one comes in this cycle.
            any: Signal<Out, Bit>,
            /// The place of the first record; valid with `any`. Depends on the state alone.
            first: Signal<Out, U<32>>,
        }
        constants {
            one: Lit<32, 1>,
        }
        children {
            head: Register<U<32>>,
            tail: Register<U<32>>,
        }
        properties { properties::of }
    }
}

impl Logic for PendingPool {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.head.control);
        Control::link(&mut self.control, &mut self.tail.control);
        self.any.next = self.push.val() | (self.head.q.val() != self.tail.q.val());
        self.first.next = self.head.q.val();
        self.head.d.next = self.head.q.val();
        if self.pop.val() {
            self.head.d.next = self.head.q.val() + self.one.val();
        }
        self.tail.d.next = self.tail.q.val();
        if self.push.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
        }
    }
}
