//! On which SMX: the next one in turn.

use crate::control::Control;
use crate::hdl_module;
use crate::prim::{Register, RoundRobinArbiter, Tagged};
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Round robin over `N` SMXs (1 to 32): LaPerm, section II-B.
    ///
    /// ```text
    ///   request --> [ arbiter ] --> grant
    ///                  ^  |
    ///                first|  [pointer] <-- granted + 1 mod N, or restart
    /// ```
    ///
    /// `grant` is combinational in `request`. The pointer moves at the clock edge after a grant to
    /// the SMX behind it, at one with `restart` to the SMX that it names, and stays where it is
    /// otherwise. Storage: 5 registers.
    pub struct RoundRobin [const N: usize] [N] clocked {
        inputs {
            /// One bit for each SMX that could receive a block; always valid.
            request: Signal<In, U<N>>,
            /// The pointer becomes this SMX, whoever is granted (IKRA, section 2.2).
            restart: Signal<In, Tagged>,
        }
        outputs {
            /// The SMX that receives it, one-hot; zero when none asks.
            grant: Signal<Out, U<N>>,
            /// The SMX that is looked at first in this cycle.
            first: Signal<Out, U<5>>,
        }
        constants {
            zero: Lit<5, 0>,
            one: Lit<5, 1>,
            last: Constant<U<5>> = Constant::new(U::new(N as u64 - 1)),
        }
        children {
            arbiter: RoundRobinArbiter<N>,
            pointer: Register<U<5>>,
        }
    }
}

impl<const N: usize> Logic for RoundRobin<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.pointer.control);
        self.first.next = self.pointer.q.val();
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.pointer.q.val();
        self.grant.next = self.arbiter.grant.val();
        self.pointer.d.next = self.pointer.q.val();
        if self.arbiter.valid.val() {
            self.pointer.d.next = self.arbiter.index.val() + self.one.val();
            if self.arbiter.index.val() == self.last.val() {
                self.pointer.d.next = self.zero.val();
            }
        }
        if self.restart.val().valid {
            self.pointer.d.next = self.restart.val().entry;
        }
    }
}
