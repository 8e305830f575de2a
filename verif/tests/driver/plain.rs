//! Two modules again with rust-hdl's own derive, flip-flops and evaluation order.

use blockyard_rtl::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

/// `Fifo<U<8>, 2>`, the words in flip-flops.
#[derive(LogicBlock)]
pub struct PlainFifo {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub data: Signal<In, U<8>>,
    pub pop: Signal<In, Bit>,
    pub empty: Signal<Out, Bit>,
    pub full: Signal<Out, Bit>,
    pub head: Signal<Out, U<8>>,
    place: DFF<U<2>>,
    count: DFF<U<3>>,
    words: [DFF<U<8>>; 4],
    pushes: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
    tail: Signal<Local, U<2>>,
    numbers: [Constant<U<2>>; 4],
    no_place: Lit<2, 0>,
    one_place: Lit<2, 1>,
    none: Lit<3, 0>,
    one: Lit<3, 1>,
    depth: Lit<3, 4>,
}

impl PlainFifo {
    pub fn new() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            data: Default::default(),
            pop: Default::default(),
            empty: Default::default(),
            full: Default::default(),
            head: Default::default(),
            place: Default::default(),
            count: Default::default(),
            words: std::array::from_fn(|_| DFF::default()),
            pushes: Default::default(),
            pops: Default::default(),
            tail: Default::default(),
            numbers: std::array::from_fn(|number| Constant::new(U::new(number as u64))),
            no_place: Lit,
            one_place: Lit,
            none: Lit,
            one: Lit,
            depth: Lit,
        }
    }
}

impl Logic for PlainFifo {
    #[hdl_gen]
    fn update(&mut self) {
        self.place.clock.next = self.clock.val();
        self.count.clock.next = self.clock.val();
        self.empty.next = self.count.q.val() == self.none.val();
        self.full.next = self.count.q.val() == self.depth.val();
        self.pops.next = self.pop.val() & (self.count.q.val() != self.none.val());
        self.pushes.next =
            self.push.val() & ((self.count.q.val() != self.depth.val()) | self.pops.val());
        self.tail.next = self.place.q.val() + bit_cast::<2, 3>(self.count.q.val());
        self.head.next = self.words[0].q.val();
        for i in 0..4 {
            self.words[i].clock.next = self.clock.val();
            self.words[i].d.next = self.words[i].q.val();
            if self.pushes.val() & (self.tail.val() == self.numbers[i].val()) {
                self.words[i].d.next = self.data.val();
            }
            if self.place.q.val() == self.numbers[i].val() {
                self.head.next = self.words[i].q.val();
            }
        }
        self.place.d.next = self.place.q.val();
        self.count.d.next = self.count.q.val();
        if self.pops.val() {
            self.place.d.next = self.place.q.val() + self.one_place.val();
        }
        if self.pushes.val() & !self.pops.val() {
            self.count.d.next = self.count.q.val() + self.one.val();
        }
        if self.pops.val() & !self.pushes.val() {
            self.count.d.next = self.count.q.val() - self.one.val();
        }
        if self.reset.val() {
            self.place.d.next = self.no_place.val();
            self.count.d.next = self.none.val();
        }
    }
}

/// `RoundRobin<3>`.
#[derive(LogicBlock)]
pub struct PlainRoundRobin {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Signal<In, U<3>>,
    pub grant: Signal<Out, U<3>>,
    pub first: Signal<Out, U<5>>,
    pointer: DFF<U<5>>,
    nobody: Lit<3, 0>,
    only: [Constant<U<3>>; 3],
    zero: Lit<5, 0>,
    one: Lit<5, 1>,
    two: Lit<5, 2>,
}

impl PlainRoundRobin {
    pub fn new() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Default::default(),
            grant: Default::default(),
            first: Default::default(),
            pointer: Default::default(),
            nobody: Lit,
            only: std::array::from_fn(|smx| Constant::new(U::new(1 << smx))),
            zero: Lit,
            one: Lit,
            two: Lit,
        }
    }
}

impl Logic for PlainRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        self.pointer.clock.next = self.clock.val();
        self.first.next = self.pointer.q.val();
        self.grant.next = self.nobody.val();
        self.pointer.d.next = self.pointer.q.val();
        // The last assignment wins, so the rules stand in reverse: first any, then from the
        // pointer.
        if self.request.val().get_bit(2) {
            self.grant.next = self.only[2].val();
        }
        if self.request.val().get_bit(1) {
            self.grant.next = self.only[1].val();
        }
        if self.request.val().get_bit(0) {
            self.grant.next = self.only[0].val();
        }
        if (self.pointer.q.val() == self.two.val()) & self.request.val().get_bit(2) {
            self.grant.next = self.only[2].val();
        }
        if self.pointer.q.val() == self.one.val() {
            if self.request.val().get_bit(2) {
                self.grant.next = self.only[2].val();
            }
            if self.request.val().get_bit(1) {
                self.grant.next = self.only[1].val();
            }
        }
        if self.grant.val() == self.only[0].val() {
            self.pointer.d.next = self.one.val();
        }
        if self.grant.val() == self.only[1].val() {
            self.pointer.d.next = self.two.val();
        }
        if self.grant.val() == self.only[2].val() {
            self.pointer.d.next = self.zero.val();
        }
        if self.reset.val() {
            self.pointer.d.next = self.zero.val();
        }
    }
}
