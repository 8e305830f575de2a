//! The kernels that run, their order, and what they need.

use super::residency::Residency;
use super::Choice;
use crate::port::{Limits, Needs};
use crate::prelude::*;
use crate::prim::{ConstantDivider, Register};

hdl_module! {
    /// What is known of the eight kernels that run at once (rules 2 and 3 of `docs/srtf.md`; SRTF,
    /// section 4.1).
    ///
    /// ```text
    ///   launch, leaves --> [ present, older ] --> present, older[8]
    ///   last ------------> [ open           ] --> open, eligible
    ///   launch_needs ----> [ / limits       ] --> residency[8], needs[8]
    ///   launch_blocks ---> [ / smxs         ] --> total[8]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | all inputs | all outputs | 1 |
    ///
    /// Storage: 8 x (3 + 8 + 46 + 5 + 24) registers, of which 8 of the order are always zero.
    pub struct KernelSet (smxs: usize, limits: Limits) clocked {
        inputs {
            /// A kernel is accepted; it is not present.
            launch: Signal<In, Choice>,
            /// Its blocks; valid with `launch`.
            launch_blocks: Signal<In, U<31>>,
            /// What each of them takes; valid with `launch`.
            launch_needs: Signal<In, Needs>,
            /// A kernel's last block is dispatched.
            last: Signal<In, Choice>,
            /// Kernels that leave.
            leaves: Signal<In, U<8>>,
        }
        outputs {
            /// Kernels in the table.
            present: Signal<Out, U<8>>,
            /// Those with blocks left, and those without any in their first cycle.
            open: Signal<Out, U<8>>,
            /// Those with blocks left.
            eligible: Signal<Out, U<8>>,
            /// For each present kernel those that are older; zero where not present.
            older: [Signal<Out, U<8>>; 8],
            /// What its blocks take; zero where not present.
            needs: [Signal<Out, Needs>; 8],
            /// How many of them an empty SMX holds; zero where not present.
            residency: [Signal<Out, U<5>>; 8],
            /// Its blocks by the number of SMXs, rounded up; zero where not present.
            total: [Signal<Out, U<24>>; 8],
        }
        locals {
            entered: Signal<Local, U<8>>,
            stay: Signal<Local, U<8>>,
            ended: Signal<Local, U<8>>,
            some: Signal<Local, Bit>,
            share: Signal<Local, U<32>>,
            total_now: Signal<Local, U<24>>,
        }
        constants {
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_blocks: Lit<31, 0>,
            one: Lit<32, 1>,
            most: Lit<24, 0xff_ffff>,
            no_needs: Constant<Needs>,
            no_residency: Lit<5, 0>,
            no_total: Lit<24, 0>,
        }
        children {
            here: Register<U<8>>,
            opened: Register<U<8>>,
            filled: Register<U<8>>,
            order: [Register<U<8>>; 8],
            needs_of: [Register<Needs>; 8],
            residency_of: [Register<U<5>>; 8],
            total_of: [Register<U<24>>; 8],
            fits: Residency = Residency::new(limits),
            divider: ConstantDivider = ConstantDivider::new(smxs as u64),
        }
    }
}

impl Logic for KernelSet {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.here.control);
        Control::link(&mut self.control, &mut self.opened.control);
        Control::link(&mut self.control, &mut self.filled.control);
        self.entered.next = self.nobody.val();
        if self.launch.val().valid {
            self.entered.next = self.bit_zero.val() << self.launch.val().kernel;
        }
        self.stay.next = self.here.q.val() & !self.leaves.val();
        self.here.d.next = self.stay.val() | self.entered.val();

        // Open until its last block is dispatched; without blocks for one cycle.
        self.some.next = self.launch_blocks.val() != self.no_blocks.val();
        self.filled.d.next = self.filled.q.val() & !self.entered.val();
        if self.some.val() {
            self.filled.d.next = self.filled.q.val() | self.entered.val();
        }
        self.ended.next = !self.filled.q.val();
        if self.last.val().valid {
            self.ended.next =
                !self.filled.q.val() | (self.bit_zero.val() << self.last.val().kernel);
        }
        self.opened.d.next = (self.opened.q.val() & !self.ended.val()) | self.entered.val();
        self.present.next = self.here.q.val();
        self.open.next = self.opened.q.val();
        self.eligible.next = self.opened.q.val() & self.filled.q.val();

        // What is computed once, at launch.
        self.fits.needs.next = self.launch_needs.val();
        self.divider.dividend.next = bit_cast::<32, 31>(self.launch_blocks.val());
        self.share.next = self.divider.quotient.val();
        if self.divider.remainder.val().any() {
            self.share.next = self.divider.quotient.val() + self.one.val();
        }
        self.total_now.next = self.share.val().get_bits::<24>(0);
        if self.share.val().get_bits::<8>(24).any() {
            self.total_now.next = self.most.val();
        }
        for k in 0..8 {
            Control::link(&mut self.control, &mut self.order[k].control);
            Control::link(&mut self.control, &mut self.needs_of[k].control);
            Control::link(&mut self.control, &mut self.residency_of[k].control);
            Control::link(&mut self.control, &mut self.total_of[k].control);
            self.order[k].d.next = self.order[k].q.val() & !self.leaves.val();
            self.needs_of[k].d.next = self.needs_of[k].q.val();
            self.residency_of[k].d.next = self.residency_of[k].q.val();
            self.total_of[k].d.next = self.total_of[k].q.val();
            if self.entered.val().get_bit(k) {
                self.order[k].d.next = self.stay.val();
                self.needs_of[k].d.next = self.launch_needs.val();
                self.residency_of[k].d.next = self.fits.residency.val();
                self.total_of[k].d.next = self.total_now.val();
            }
            self.older[k].next = self.nobody.val();
            self.needs[k].next = self.no_needs.val();
            self.residency[k].next = self.no_residency.val();
            self.total[k].next = self.no_total.val();
            if self.here.q.val().get_bit(k) {
                self.older[k].next = self.order[k].q.val();
                self.needs[k].next = self.needs_of[k].q.val();
                self.residency[k].next = self.residency_of[k].q.val();
                self.total[k].next = self.total_of[k].q.val();
            }
        }
    }
}
