//! Where a chunk begins that follows from an earlier kernel's.

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The least block that depends on block `first` of an earlier kernel or on one behind it (rule
    /// 18 of `docs/ikra.md`; IKRA, section 8): `ceil((first - offset) / ratio)`, not below zero and
    /// not above `blocks`. One bit of the quotient of `first - offset - 1` a cycle, and one more
    /// than the quotient at the end.
    ///
    /// ```text
    ///   first, offset, negative --> [ - 1 ] --> [ quotient ] <---+
    ///                                           [ rest     ] ----+-- - ratio
    ///   begins --> [ step ] --> ready                |
    ///   blocks --------------------> [ least ] <-- + 1
    ///                                     +--> bound
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins` | `ready` | 33 |
    ///
    /// Storage: 32 + 16 + 6 + 1 registers.
    pub struct AffineBound clocked {
        inputs {
            /// Takes the other inputs and starts, whatever was under way.
            begins: Signal<In, Bit>,
            /// A linear block id; valid with `begins`.
            first: Signal<In, U<31>>,
            /// Blocks between two that a kernel's neighbours depend on, at least 1; the same until
            /// `ready`.
            ratio: Signal<In, U<16>>,
            /// Magnitude of what block 0 depends on; valid with `begins`.
            offset: Signal<In, U<31>>,
            /// That lies below zero; valid with `begins`.
            negative: Signal<In, Bit>,
            /// Blocks of the kernel; the same for as long as `bound` is looked at.
            blocks: Signal<In, U<31>>,
        }
        outputs {
            /// `bound` is valid, until the next `begins`.
            ready: Signal<Out, Bit>,
            /// The bound; zero when not `ready`.
            bound: Signal<Out, U<31>>,
        }
        locals {
            first_wide: Signal<Local, U<32>>,
            offset_wide: Signal<Local, U<32>>,
            distance: Signal<Local, U<32>>,
            none_below: Signal<Local, Bit>,
            done: Signal<Local, Bit>,
            working: Signal<Local, Bit>,
            divisor: Signal<Local, U<17>>,
            shifted: Signal<Local, U<17>>,
            left: Signal<Local, U<17>>,
            digits: Signal<Local, U<32>>,
            next_up: Signal<Local, U<32>>,
        }
        constants {
            idle: Lit<6, 0>,
            one: Lit<6, 1>,
            arrived: Lit<6, 33>,
            zero: Lit<31, 0>,
            nothing: Lit<32, 0>,
            digit: Lit<32, 1>,
            no_rest: Lit<16, 0>,
            carried: Lit<17, 1>,
        }
        children {
            step: Register<U<6>>,
            quotient: Register<U<32>>,
            rest: Register<U<16>>,
            lowest: Register<Bit>,
        }
    }
}

impl Logic for AffineBound {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.step.control);
        Control::link(&mut self.control, &mut self.quotient.control);
        Control::link(&mut self.control, &mut self.rest.control);
        Control::link(&mut self.control, &mut self.lowest.control);

        // How far `first` lies behind what block 0 depends on.
        self.first_wide.next = bit_cast::<32, 31>(self.first.val());
        self.offset_wide.next = bit_cast::<32, 31>(self.offset.val());
        self.distance.next = self.first_wide.val() - self.offset_wide.val();
        self.none_below.next = self.first_wide.val() <= self.offset_wide.val();
        if self.negative.val() {
            self.distance.next = self.first_wide.val() + self.offset_wide.val();
            self.none_below.next =
                (self.first_wide.val() + self.offset_wide.val()) == self.nothing.val();
        }

        // One digit of the quotient a cycle.
        self.done.next = self.step.q.val() == self.arrived.val();
        self.working.next = (self.step.q.val() != self.idle.val()) & !self.done.val();
        self.divisor.next = bit_cast::<17, 16>(self.ratio.val());
        self.shifted.next = bit_cast::<17, 16>(self.rest.q.val());
        self.shifted.next = self.shifted.val() + self.shifted.val();
        if self.quotient.q.val().get_bit(31) {
            self.shifted.next = self.shifted.val() + self.carried.val();
        }
        self.digits.next = self.quotient.q.val() + self.quotient.q.val();
        self.left.next = self.shifted.val();
        if self.divisor.val() <= self.shifted.val() {
            self.left.next = self.shifted.val() - self.divisor.val();
            self.digits.next = self.digits.val() + self.digit.val();
        }
        self.step.d.next = self.step.q.val();
        self.quotient.d.next = self.quotient.q.val();
        self.rest.d.next = self.rest.q.val();
        self.lowest.d.next = self.lowest.q.val();
        if self.working.val() {
            self.step.d.next = self.step.q.val() + self.one.val();
            self.quotient.d.next = self.digits.val();
            self.rest.d.next = bit_cast::<16, 17>(self.left.val());
        }
        if self.begins.val() {
            self.step.d.next = self.one.val();
            self.quotient.d.next = self.distance.val() - self.digit.val();
            self.rest.d.next = self.no_rest.val();
            self.lowest.d.next = self.none_below.val();
        }

        self.ready.next = self.done.val();
        self.next_up.next = self.quotient.q.val() + self.digit.val();
        self.bound.next = self.zero.val();
        if self.done.val() & !self.lowest.q.val() {
            self.bound.next = self.blocks.val();
            if self.quotient.q.val() < bit_cast::<32, 31>(self.blocks.val()) {
                self.bound.next = bit_cast::<31, 32>(self.next_up.val());
            }
        }
    }
}
