//! Whose turn it is to be sampled.

use super::oldest::Oldest;
use super::Choice;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// One newcomer at a time runs on SMX 0 until `sample` of its blocks have given a prediction,
    /// which then goes to the other SMXs (SRTF, section 5.1.1; rule 14 of `docs/srtf.md`).
    ///
    /// ```text
    ///   eligible, older[8] --> & not sampled --> [ oldest ] --> [ kernel, count ] --> sampling, copying
    ///   launch, alone ------> [ sampled ]                            ^ stored
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `eligible` | `sampling` | 1 |
    /// | the last `stored` | `copying` | 1 |
    ///
    /// Storage: 2 + 3 + 8 + 8 registers.
    pub struct Sampler (sample: u64) clocked {
        inputs {
            /// A kernel is accepted.
            launch: Signal<In, Choice>,
            /// It meets no other kernel; valid with `launch`.
            alone: Signal<In, Bit>,
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// A result for this kernel is stored on SMX 0.
            stored: Signal<In, Choice>,
        }
        outputs {
            /// The kernel that is sampled.
            sampling: Signal<Out, Choice>,
            /// The kernel whose prediction goes to the other SMXs.
            copying: Signal<Out, Choice>,
        }
        locals {
            newcomers: Signal<Local, U<8>>,
            kernel_bit: Signal<Local, U<8>>,
            entered: Signal<Local, U<8>>,
            over: Signal<Local, Bit>,
            hit: Signal<Local, Bit>,
            more: Signal<Local, U<8>>,
            seen: Signal<Local, U<8>>,
        }
        constants {
            none: Constant<Choice>,
            bit_zero: Lit<8, 1>,
            nobody: Lit<8, 0>,
            zero: Lit<8, 0>,
            one: Lit<8, 1>,
            enough: Constant<U<8>> = Constant::new(U::new(sample)),
        }
        children {
            runs: Register<Bit>,
            copies: Register<Bit>,
            kernel: Register<U<3>>,
            count: Register<U<8>>,
            sampled: Register<U<8>>,
            first: Oldest,
        }
    }
}

impl Logic for Sampler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.runs.control);
        Control::link(&mut self.control, &mut self.copies.control);
        Control::link(&mut self.control, &mut self.kernel.control);
        Control::link(&mut self.control, &mut self.count.control);
        Control::link(&mut self.control, &mut self.sampled.control);
        self.newcomers.next = self.eligible.val() & !self.sampled.q.val();
        self.first.among.next = self.newcomers.val();
        for k in 0..8 {
            self.first.older[k].next = self.older[k].val();
        }
        self.kernel_bit.next = self.bit_zero.val() << self.kernel.q.val();
        self.over.next = self.runs.q.val() & !(self.eligible.val() & self.kernel_bit.val()).any();
        self.hit.next = self.runs.q.val()
            & !self.over.val()
            & self.stored.val().valid
            & (self.stored.val().kernel == self.kernel.q.val());
        self.more.next = self.count.q.val() + self.one.val();

        self.runs.d.next = self.runs.q.val() & !self.over.val();
        self.copies.d.next = false;
        self.kernel.d.next = self.kernel.q.val();
        self.count.d.next = self.count.q.val();
        if self.hit.val() {
            self.count.d.next = self.more.val();
            if self.more.val() == self.enough.val() {
                self.runs.d.next = false;
                self.copies.d.next = true;
            }
        }
        if !self.runs.q.val() & !self.copies.q.val() & self.first.choice.val().valid {
            self.runs.d.next = true;
            self.kernel.d.next = self.first.choice.val().kernel;
            self.count.d.next = self.zero.val();
        }

        self.seen.next = self.sampled.q.val();
        if self.over.val() | self.copies.q.val() {
            self.seen.next = self.sampled.q.val() | self.kernel_bit.val();
        }
        self.entered.next = self.nobody.val();
        if self.launch.val().valid {
            self.entered.next = self.bit_zero.val() << self.launch.val().kernel;
        }
        self.sampled.d.next = self.seen.val() & !self.entered.val();
        if self.alone.val() {
            self.sampled.d.next = self.seen.val() | self.entered.val();
        }

        self.sampling.next = self.none.val();
        if self.runs.q.val() {
            self.sampling.next.valid = true;
            self.sampling.next.kernel = self.kernel.q.val();
        }
        self.copying.next = self.none.val();
        if self.copies.q.val() {
            self.copying.next.valid = true;
            self.copying.next.kernel = self.kernel.q.val();
        }
    }
}
