//! Whether kernels share the machine.

use super::least::Least;
use super::Choice;
use crate::prelude::*;
use crate::prim::{Bundle, Register};

hdl_module! {
    /// Compares the slowdowns of the kernels if they run one after the other with those if the
    /// fastest is limited (SRTF, section 5.1.2; rule 16 of `docs/srtf.md`), kernel by kernel with
    /// one serial divider.
    ///
    /// ```text
    ///   stored, resident[8] ------> [ exclusive run time of each kernel ] --+
    ///   eligible, known, remaining -> [ least ] --> kernel, T, left ---------+--> [ / ] --> dur, slowdowns
    ///   launch, leaves, last ------> [ due ] --> [ idle, pick, divide ]            |
    ///                                  spreads of both schedules <------------------+ --> [sharing]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | a new prediction, no evaluation under way | `sharing` | 2 + 40 for each kernel + 1 |
    ///
    /// Storage: 8 x 41 registers for exclusive run times; 4 for due, sharing and the state; 393 for
    /// the evaluation and its divider.
    pub struct Fairness (most: u64, threshold: u64) clocked {
        inputs {
            /// A kernel is accepted.
            launch: Signal<In, Choice>,
            /// Kernels that leave.
            leaves: Signal<In, U<8>>,
            /// A kernel's last block is dispatched.
            last: Signal<In, Bit>,
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// How many of its blocks an empty SMX holds.
            residency: [Signal<In, U<5>>; 8],
            /// Kernels with a prediction on SMX 0.
            known: Signal<In, U<8>>,
            /// Cycles that are left of each there.
            remaining: [Signal<In, U<40>>; 8],
            /// Its cycles in all there.
            predicted: [Signal<In, U<40>>; 8],
            /// A result for this kernel is stored there.
            stored: Signal<In, Choice>,
            /// What is stored; valid with `stored`.
            stored_predicted: Signal<In, U<40>>,
            /// Resident blocks of each kernel there, as the cycle begins.
            resident: [Signal<In, U<6>>; 8],
        }
        outputs {
            /// Kernels share the SMXs; depends on the state alone.
            sharing: Signal<Out, Bit>,
            /// That changes at the end of this cycle.
            changes: Signal<Out, Bit>,
        }
        locals {
            entered: Signal<Local, U<8>>,
            result: Signal<Local, U<8>>,
            lonely: Signal<Local, Bit>,
            happens: Signal<Local, Bit>,
            starts: Signal<Local, Bit>,
            among: Signal<Local, U<8>>,
            picked: Signal<Local, Bit>,
            picked_bit: Signal<Local, U<8>>,
            only: Signal<Local, Bit>,
            own_time: Signal<Local, U<40>>,
            own_residency: Signal<Local, U<5>>,
            least_limit: Signal<Local, U<5>>,
            left_now: Signal<Local, U<40>>,
            longer: Signal<Local, U<41>>,
            loads: Signal<Local, Bit>,
            by: Signal<Local, U<40>>,
            rest_now: Signal<Local, U<41>>,
            word_now: Signal<Local, U<48>>,
            carry: Signal<Local, Bit>,
            quotient: Signal<Local, U<40>>,
            slowdown: Signal<Local, U<16>>,
            wide: Signal<Local, U<48>>,
            divided: Signal<Local, Bit>,
            verdict: Signal<Local, Bit>,
            exclusive_spread: Signal<Local, U<16>>,
            shared_spread: Signal<Local, U<16>>,
            decided: Signal<Local, Bit>,
        }
        constants {
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_time: Lit<40, 0>,
            one_cycle: Lit<40, 1>,
            most_time: Lit<40, 0xff_ffff_ffff>,
            no_slots: Lit<5, 0>,
            limit: Constant<U<5>> = Constant::new(U::new(most)),
            fair: Constant<U<16>> = Constant::new(U::new(threshold)),
            most_wide: Lit<48, 0xff_ffff_ffff>,
            no_word: Lit<48, 0>,
            digit: Lit<48, 1>,
            one_rest: Lit<41, 1>,
            no_rest: Lit<40, 0>,
            step_zero: Lit<4, 0>,
            step_one: Lit<4, 1>,
            last_step: Lit<4, 12>,
            first_part: Lit<2, 0>,
            next_part: Lit<2, 1>,
            second_part: Lit<2, 1>,
            last_part: Lit<2, 2>,
            eight: Lit<4, 8>,
            no_slowdown: Lit<16, 0>,
            most_slowdown: Lit<16, 0xffff>,
        }
        children {
            exclusive: [Register<U<40>>; 8],
            has_exclusive: Register<U<8>>,
            residents_of: Bundle<U<8>>,
            due: Register<Bit>,
            shares: Register<Bit>,
            picking: Register<Bit>,
            dividing: Register<Bit>,
            visited: Register<U<8>>,
            span: Register<U<40>>,
            left: Register<U<40>>,
            own: Register<U<5>>,
            slots: Register<U<5>>,
            finish: Register<U<40>>,
            alone: Register<U<40>>,
            credit: Register<U<40>>,
            part: Register<U<2>>,
            step: Register<U<4>>,
            word: Register<U<48>>,
            rest: Register<U<40>>,
            any: Register<Bit>,
            exclusive_most: Register<U<16>>,
            exclusive_least: Register<U<16>>,
            shared_most: Register<U<16>>,
            shared_least: Register<U<16>>,
            shared_now: Register<U<16>>,
            fastest: Least,
        }
    }
}

impl Logic for Fairness {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.has_exclusive.control);
        Control::link(&mut self.control, &mut self.due.control);
        Control::link(&mut self.control, &mut self.shares.control);
        Control::link(&mut self.control, &mut self.picking.control);
        Control::link(&mut self.control, &mut self.dividing.control);
        Control::link(&mut self.control, &mut self.visited.control);
        Control::link(&mut self.control, &mut self.span.control);
        Control::link(&mut self.control, &mut self.left.control);
        Control::link(&mut self.control, &mut self.own.control);
        Control::link(&mut self.control, &mut self.slots.control);
        Control::link(&mut self.control, &mut self.finish.control);
        Control::link(&mut self.control, &mut self.alone.control);
        Control::link(&mut self.control, &mut self.credit.control);
        Control::link(&mut self.control, &mut self.part.control);
        Control::link(&mut self.control, &mut self.step.control);
        Control::link(&mut self.control, &mut self.word.control);
        Control::link(&mut self.control, &mut self.rest.control);
        Control::link(&mut self.control, &mut self.any.control);
        Control::link(&mut self.control, &mut self.exclusive_most.control);
        Control::link(&mut self.control, &mut self.exclusive_least.control);
        Control::link(&mut self.control, &mut self.shared_most.control);
        Control::link(&mut self.control, &mut self.shared_least.control);
        Control::link(&mut self.control, &mut self.shared_now.control);

        // Exclusive run times: results while nothing else is resident.
        self.entered.next = self.nobody.val();
        if self.launch.val().valid {
            self.entered.next = self.bit_zero.val() << self.launch.val().kernel;
        }
        self.result.next = self.nobody.val();
        if self.stored.val().valid {
            self.result.next = self.bit_zero.val() << self.stored.val().kernel;
        }
        self.lonely.next = !(self.residents_of.word.val() & !self.result.val()).any();
        self.has_exclusive.d.next = self.has_exclusive.q.val() & !self.entered.val();
        if self.lonely.val() {
            self.has_exclusive.d.next =
                (self.has_exclusive.q.val() | self.result.val()) & !self.entered.val();
        }

        // Which kernel is next, and what is read of it.
        self.among.next = self.eligible.val() & self.known.val() & !self.visited.q.val();
        self.fastest.among.next = self.among.val();
        self.picked.next = self.picking.q.val() & self.fastest.choice.val().valid;
        self.verdict.next = self.picking.q.val() & !self.fastest.choice.val().valid;
        self.picked_bit.next = self.bit_zero.val() << self.fastest.choice.val().kernel;
        self.only.next = !(self.among.val() & !self.picked_bit.val()).any();
        self.own_time.next = self.no_time.val();
        self.own_residency.next = self.no_slots.val();
        for k in 0..8 {
            Control::link(&mut self.control, &mut self.exclusive[k].control);
            self.residents_of.bits[k].next = self.resident[k].val().any();
            self.fastest.older[k].next = self.older[k].val();
            self.fastest.time[k].next = self.remaining[k].val();
            self.exclusive[k].d.next = self.exclusive[k].q.val();
            if self.lonely.val() & self.result.val().get_bit(k) {
                self.exclusive[k].d.next = self.stored_predicted.val();
            }
            if self.picked_bit.val().get_bit(k) {
                self.own_residency.next = self.residency[k].val();
                self.own_time.next = self.predicted[k].val();
                if self.has_exclusive.q.val().get_bit(k) {
                    self.own_time.next = self.exclusive[k].q.val();
                }
            }
        }
        if self.own_time.val() == self.no_time.val() {
            self.own_time.next = self.one_cycle.val();
        }
        self.least_limit.next = self.own_residency.val();
        if !self.only.val() & (self.limit.val() < self.own_residency.val()) {
            self.least_limit.next = self.limit.val();
        }
        self.left_now.next = self.no_time.val();
        if self.credit.q.val() < self.own_time.val() {
            self.left_now.next = self.own_time.val() - self.credit.q.val();
        }

        // An evaluation begins when something has happened.
        self.happens.next = self.stored.val().valid
            | self.launch.val().valid
            | self.leaves.val().any()
            | self.last.val();
        self.starts.next = self.due.q.val() & !self.picking.q.val() & !self.dividing.q.val();
        self.due.d.next = (self.due.q.val() & !self.starts.val()) | self.happens.val();

        // The division: a step loads, twelve give four digits each.
        self.loads.next = self.dividing.q.val() & (self.step.q.val() == self.step_zero.val());
        self.by.next = self.span.q.val();
        if self.part.q.val() == self.first_part.val() {
            self.by.next = bit_cast::<40, 5>(self.slots.q.val());
        }
        self.rest_now.next = bit_cast::<41, 40>(self.rest.q.val());
        self.word_now.next = self.word.q.val();
        for _digit in 0..4 {
            self.carry.next = self.word_now.val().get_bit(47);
            self.rest_now.next = self.rest_now.val() + self.rest_now.val();
            if self.carry.val() {
                self.rest_now.next = self.rest_now.val() + self.one_rest.val();
            }
            self.word_now.next = self.word_now.val() + self.word_now.val();
            if bit_cast::<41, 40>(self.by.val()) <= self.rest_now.val() {
                self.rest_now.next = self.rest_now.val() - bit_cast::<41, 40>(self.by.val());
                self.word_now.next = self.word_now.val() + self.digit.val();
            }
        }
        self.divided.next = self.dividing.q.val()
            & (self.step.q.val() == self.last_step.val())
            & (self.part.q.val() == self.last_part.val());
        self.quotient.next = self.word.q.val().get_bits::<40>(0);
        if self.word.q.val().get_bits::<8>(40).any() {
            self.quotient.next = self.most_time.val();
        }

        // Sums.
        self.longer.next =
            bit_cast::<41, 40>(self.alone.q.val()) + bit_cast::<41, 40>(self.own_time.val());
        self.alone.d.next = self.alone.q.val();
        if self.picked.val() {
            self.alone.d.next = self.longer.val().get_bits::<40>(0);
            if self.longer.val().get_bit(40) {
                self.alone.d.next = self.most_time.val();
            }
        }
        self.longer.next =
            bit_cast::<41, 40>(self.finish.q.val()) + bit_cast::<41, 40>(self.quotient.val());
        self.finish.d.next = self.finish.q.val();
        self.credit.d.next = self.credit.q.val();
        self.wide.next = self.no_word.val();
        self.word.d.next = self.word.q.val();
        self.rest.d.next = self.rest.q.val();
        if self.dividing.q.val() {
            self.word.d.next = self.word_now.val();
            self.rest.d.next = bit_cast::<40, 41>(self.rest_now.val());
        }
        if self.loads.val() {
            self.rest.d.next = self.no_rest.val();
            if self.part.q.val() == self.first_part.val() {
                self.word.d.next =
                    bit_cast::<48, 40>(self.left.q.val()) * bit_cast::<48, 5>(self.own.q.val());
            }
            if self.part.q.val() == self.second_part.val() {
                // The first quotient is the duration while sharing.
                self.credit.d.next = self.quotient.val() - self.left.q.val();
                self.wide.next = bit_cast::<48, 41>(self.longer.val());
                self.finish.d.next = self.longer.val().get_bits::<40>(0);
                if self.longer.val().get_bit(40) {
                    self.wide.next = self.most_wide.val();
                    self.finish.d.next = self.most_time.val();
                }
                self.word.d.next = self.wide.val() << self.eight.val();
            }
            if self.part.q.val() == self.last_part.val() {
                self.wide.next = bit_cast::<48, 40>(self.alone.q.val());
                self.word.d.next = self.wide.val() << self.eight.val();
            }
        }

        // Slowdowns: the second quotient, and then the third one as it comes.
        self.shared_now.d.next = self.shared_now.q.val();
        if self.loads.val() & (self.part.q.val() == self.last_part.val()) {
            self.shared_now.d.next = self.word.q.val().get_bits::<16>(0);
            if self.word.q.val().get_bits::<32>(16).any() {
                self.shared_now.d.next = self.most_slowdown.val();
            }
        }
        self.slowdown.next = self.word_now.val().get_bits::<16>(0);
        if self.word_now.val().get_bits::<32>(16).any() {
            self.slowdown.next = self.most_slowdown.val();
        }
        self.any.d.next = self.any.q.val();
        self.exclusive_most.d.next = self.exclusive_most.q.val();
        self.exclusive_least.d.next = self.exclusive_least.q.val();
        self.shared_most.d.next = self.shared_most.q.val();
        self.shared_least.d.next = self.shared_least.q.val();
        if self.divided.val() {
            self.any.d.next = true;
            if !self.any.q.val() | (self.exclusive_most.q.val() < self.slowdown.val()) {
                self.exclusive_most.d.next = self.slowdown.val();
            }
            if !self.any.q.val() | (self.slowdown.val() < self.exclusive_least.q.val()) {
                self.exclusive_least.d.next = self.slowdown.val();
            }
            if !self.any.q.val() | (self.shared_most.q.val() < self.shared_now.q.val()) {
                self.shared_most.d.next = self.shared_now.q.val();
            }
            if !self.any.q.val() | (self.shared_now.q.val() < self.shared_least.q.val()) {
                self.shared_least.d.next = self.shared_now.q.val();
            }
        }

        // The verdict.
        self.exclusive_spread.next = self.no_slowdown.val();
        self.shared_spread.next = self.no_slowdown.val();
        if self.any.q.val() {
            self.exclusive_spread.next = self.exclusive_most.q.val() - self.exclusive_least.q.val();
            self.shared_spread.next = self.shared_most.q.val() - self.shared_least.q.val();
        }
        self.decided.next = self.shares.q.val();
        if self.verdict.val() {
            self.decided.next = (self.fair.val() < self.exclusive_spread.val())
                & (self.shared_spread.val() < self.exclusive_spread.val());
        }
        self.shares.d.next = self.decided.val();
        self.sharing.next = self.shares.q.val();
        self.changes.next = (self.decided.val() & !self.shares.q.val())
            | (!self.decided.val() & self.shares.q.val());

        // The state.
        self.picking.d.next = self.starts.val() | self.divided.val();
        self.dividing.d.next = (self.dividing.q.val() | self.picked.val()) & !self.divided.val();
        self.visited.d.next = self.visited.q.val();
        self.span.d.next = self.span.q.val();
        self.left.d.next = self.left.q.val();
        self.own.d.next = self.own.q.val();
        self.slots.d.next = self.slots.q.val();
        self.part.d.next = self.part.q.val();
        self.step.d.next = self.step.q.val();
        if self.dividing.q.val() {
            self.step.d.next = self.step.q.val() + self.step_one.val();
            if self.step.q.val() == self.last_step.val() {
                self.step.d.next = self.step_zero.val();
                self.part.d.next = self.part.q.val() + self.next_part.val();
            }
        }
        if self.picked.val() {
            self.visited.d.next = self.visited.q.val() | self.picked_bit.val();
            self.span.d.next = self.own_time.val();
            self.left.d.next = self.left_now.val();
            self.own.d.next = self.own_residency.val();
            self.slots.d.next = self.least_limit.val();
            self.part.d.next = self.first_part.val();
            self.step.d.next = self.step_zero.val();
        }
        if self.starts.val() {
            self.visited.d.next = self.nobody.val();
            self.finish.d.next = self.no_time.val();
            self.alone.d.next = self.no_time.val();
            self.credit.d.next = self.no_time.val();
            self.any.d.next = false;
        }
    }
}
