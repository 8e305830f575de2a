//! The SMX that finished last.

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Keeps the SMX behind the one that finished last, of several in one cycle the
    /// highest-numbered (IKRA, sections 2.2 and 4.1; rule 4 of `docs/ikra.md`).
    ///
    /// ```text
    ///   finished --> [ highest + 1 mod smxs ] --> [first]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `finished` | `first` | 1 |
    ///
    /// Storage: 5 registers up to 32 SMXs.
    pub struct LastFinisher (smxs: usize) clocked {
        inputs {
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// The SMX behind the last finisher; 0 before any.
            first: Signal<Out, Word> = Signal::id(smxs),
        }
        locals {
            latest: Signal<Local, Word> = Signal::id(smxs),
        }
        constants {
            behind: Vec<Constant<Word>> =
                (0..smxs).map(|smx| Constant::id(smxs, (smx + 1) % smxs)).collect(),
        }
        children {
            kept: Register<Word> = Register::new(Word::id(smxs, 0)),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for LastFinisher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kept.control);
        self.first.next = self.kept.q.val();
        self.latest.next = self.kept.q.val();
        for i in 0..self.smxs {
            if self.finished.val().get_bit(i) {
                self.latest.next = self.behind[i].val();
            }
        }
        self.kept.d.next = self.latest.val();
    }
}
