//! Both kinds of priority queue side by side.

use super::{LinkedQueue, QueueEntry, ShiftingQueue};
use crate::prelude::*;

mod properties;

hdl_module! {
    /// A [`LinkedQueue`] and a [`ShiftingQueue`] of the same size that are told the same; no
    /// hardware of a scheduler, but what is proved of both.
    ///
    /// ```text
    ///   insert, step, remove --+--> [linked]
    ///                          +--> [shifting] --> ready (both)
    /// ```
    pub(crate) struct QueuePair (entries: usize, levels: usize) clocked {
        inputs {
            /// A unit is inserted into both; only when `ready`.
            insert: Signal<In, Bit>,
            /// Its level; valid with `insert`.
            insert_level: Signal<In, U<4>>,
            /// What it is; valid with `insert`.
            insert_entry: Signal<In, QueueEntry>,
            /// The next block of both heads is dispatched.
            step: Signal<In, Bit>,
            /// Both heads leave.
            remove: Signal<In, Bit>,
        }
        outputs {
            /// Both are.
            ready: Signal<Out, Bit>,
        }
        children {
            linked: LinkedQueue = LinkedQueue::new(entries, levels),
            shifting: ShiftingQueue = ShiftingQueue::new(entries, levels),
        }
        state { levels: usize = levels }
        properties { properties::of }
    }
}

impl Logic for QueuePair {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.linked.control);
        Control::link(&mut self.control, &mut self.shifting.control);
        self.linked.insert.next = self.insert.val();
        self.linked.insert_level.next = self.insert_level.val();
        self.linked.insert_entry.next = self.insert_entry.val();
        self.linked.step.next = self.step.val();
        self.linked.remove.next = self.remove.val();
        self.shifting.insert.next = self.insert.val();
        self.shifting.insert_level.next = self.insert_level.val();
        self.shifting.insert_entry.next = self.insert_entry.val();
        self.shifting.step.next = self.step.val();
        self.shifting.remove.next = self.remove.val();
        self.ready.next = self.linked.ready.val() & self.shifting.ready.val();
    }
}
