//! Whether one SMX has executed its own work.

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The SMX has executed all blocks of its chunk and its queue (rule 10a of `docs/ikra.md`).
    /// Blocks that it steals later do not count.
    ///
    /// ```text
    ///   running & exhausted & vacant --+--> [ seen ] --+
    ///                                  |               v
    ///                                  +-------------(or)--> done
    /// ```
    ///
    /// `done` is combinational. Storage: a register.
    pub struct OwnWork () clocked {
        inputs {
            /// The head begins. Not together with `running`.
            begins: Signal<In, Bit>,
            /// The head runs.
            running: Signal<In, Bit>,
            /// Nothing is left of the chunk and of the queue.
            exhausted: Signal<In, Bit>,
            /// No block is resident.
            vacant: Signal<In, Bit>,
        }
        outputs {
            /// The work is done.
            done: Signal<Out, Bit>,
        }
        children {
            seen: Register<Bit>,
        }
    }
}

impl Logic for OwnWork {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.seen.control);
        self.done.next =
            self.seen.q.val() | (self.running.val() & self.exhausted.val() & self.vacant.val());
        self.seen.d.next = self.done.val() & !self.begins.val();
    }
}
