//! The SMX that finished last.

use crate::control::Control;
use crate::hdl_module;
use crate::prim::Register;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Keeps the SMX behind the one that finished last, of several in one cycle the highest-numbered (IKRA, sections 2.2 and
    /// 4.1; rule 4 of `docs/ikra.md`).
    ///
    /// ```text
    ///   finished --> [ highest + 1 mod N ] --> [first]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `finished` | `first` | 1 |
    ///
    /// Storage: 5 registers.
    pub struct LastFinisher [const N: usize] [N] clocked {
        inputs {
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, U<N>>,
        }
        outputs {
            /// The SMX behind the last finisher; 0 before any.
            first: Signal<Out, U<5>>,
        }
        locals {
            latest: Signal<Local, U<5>>,
        }
        constants {
            behind: [Constant<U<5>>; N] =
                std::array::from_fn(|smx| Constant::new(U::new(((smx + 1) % N) as u64))),
        }
        children {
            kept: Register<U<5>>,
        }
    }
}

impl<const N: usize> Logic for LastFinisher<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kept.control);
        self.first.next = self.kept.q.val();
        self.latest.next = self.kept.q.val();
        for i in 0..N {
            if self.finished.val().get_bit(i) {
                self.latest.next = self.behind[i].val();
            }
        }
        self.kept.d.next = self.latest.val();
    }
}
