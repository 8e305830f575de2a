//! On which SMXs: up to one block each, in turn.

use crate::control::Control;
use crate::hdl_module;
use crate::prim::{BudgetArbiter, Register};
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Round robin over `N` SMXs (1 to 32) that serves as many of them in a cycle as there are
    /// blocks, one block each.
    ///
    /// ```text
    ///   request, budget --> [ budget arbiter ] --> grant --> [ count in order of visit ] --> position, granted
    ///                              ^                                     |
    ///                            first -- [pointer] <-- behind the last --+
    /// ```
    ///
    /// All outputs but `first` are combinational in `request` and `budget`. The pointer moves at the
    /// clock edge after a grant. Storage: 5 registers.
    pub struct Placement [const N: usize] [N] clocked {
        inputs {
            /// One bit for each SMX that could receive a block; always valid.
            request: Signal<In, U<N>>,
            /// How many blocks may go in this cycle.
            budget: Signal<In, U<6>>,
        }
        outputs {
            /// The SMXs that receive one: the first `budget` from the pointer on, wrapping.
            grant: Signal<Out, U<N>>,
            /// The place of each granted SMX in the order of visit; zero for the others.
            position: [Signal<Out, U<5>>; N],
            /// How many are granted.
            granted: Signal<Out, U<6>>,
            /// The SMX that is looked at first in this cycle.
            first: Signal<Out, U<5>>,
        }
        locals {
            ahead: Signal<Local, U<N>>,
            wrapped: Signal<Local, U<N>>,
            count: Signal<Local, U<6>>,
            behind: Signal<Local, U<5>>,
        }
        constants {
            none: Lit<6, 0>,
            one: Lit<6, 1>,
            nowhere: Lit<5, 0>,
            everybody: Constant<U<N>> = Constant::new(U::new(U::<N>::MASK)),
            following: [Constant<U<5>>; N] =
                std::array::from_fn(|smx| Constant::new(U::new((smx as u64 + 1) % N as u64))),
        }
        children {
            arbiter: BudgetArbiter<N>,
            pointer: Register<U<5>>,
        }
    }
}

impl<const N: usize> Logic for Placement<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.pointer.control);
        self.first.next = self.pointer.q.val();
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.pointer.q.val();
        self.arbiter.budget.next = bit_cast::<32, 6>(self.budget.val());
        self.grant.next = self.arbiter.grant.val();

        // The SMXs from the pointer on are visited first, then the ones before it.
        self.ahead.next = self.arbiter.grant.val() & (self.everybody.val() << self.pointer.q.val());
        self.wrapped.next = self.arbiter.grant.val() & !self.ahead.val();
        self.count.next = self.none.val();
        self.behind.next = self.pointer.q.val();
        for i in 0..N {
            self.position[i].next = self.nowhere.val();
            if self.ahead.val().get_bit(i) {
                self.position[i].next = self.count.val().get_bits::<5>(0);
                self.count.next = self.count.val() + self.one.val();
                self.behind.next = self.following[i].val();
            }
        }
        for i in 0..N {
            if self.wrapped.val().get_bit(i) {
                self.position[i].next = self.count.val().get_bits::<5>(0);
                self.count.next = self.count.val() + self.one.val();
                self.behind.next = self.following[i].val();
            }
        }
        self.granted.next = self.count.val();
        self.pointer.d.next = self.behind.val();
    }
}
