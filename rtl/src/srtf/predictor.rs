//! The Simple Slicing predictor of one SMX.

mod properties;

use super::prediction::Prediction;
use super::{Choice, Divider};
use crate::prelude::*;
use crate::prim::Bundle;

hdl_module! {
    /// Predicts when each of eight kernels will be done on one SMX (SRTF, section 4; rules 9 to 12
    /// of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch, leaves, slice -----> [ counters of each kernel ] --left, length--> [divider]
    ///   finished, taken, duration -> [                         ] <--quotient--------- |
    ///   copy ----------------------> [                         ] --> known, remaining[8], predicted[8]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `finished` | `stored` | 9 |
    /// | `finished` | `remaining` | 10 |
    /// | `copy`, `launch`, `leaves` | `known` | 1 |
    ///
    /// Storage: 8 x 218 registers, and the divider's.
    pub struct Predictor clocked {
        inputs {
            /// The number of the cycle; valid with `finished` or `taken`.
            now: Signal<In, U<40>> => Self::is_timed,
            /// A kernel is accepted.
            launch: Signal<In, Choice>,
            /// Kernels that leave.
            leaves: Signal<In, U<8>>,
            /// A slice begins for all kernels; with `launch` and `leaves` one does anyway.
            slice: Signal<In, Bit>,
            /// A block of this kernel ends here.
            finished: Signal<In, Choice>,
            /// How long it ran; valid with `finished`.
            duration: Signal<In, U<32>>,
            /// A block of this kernel comes here.
            taken: Signal<In, Choice>,
            /// Resident blocks of each kernel as the cycle begins.
            resident: [Signal<In, U<6>>; 8],
            /// Blocks that the SMX is expected to run of each kernel.
            total: [Signal<In, U<24>>; 8],
            /// How many of its blocks an empty SMX holds.
            residency: [Signal<In, U<5>>; 8],
            /// This kernel's prediction is copied from a sample, unless there is one.
            copy: Signal<In, Choice>,
            /// What is left; valid with `copy`.
            copy_remaining: Signal<In, U<40>>,
            /// The prediction; valid with `copy`.
            copy_predicted: Signal<In, U<40>>,
        }
        outputs {
            /// Kernels with a prediction.
            known: Signal<Out, U<8>>,
            /// Cycles that are left of each kernel; zero where not known.
            remaining: [Signal<Out, U<40>>; 8],
            /// Its cycles in all; zero where not known.
            predicted: [Signal<Out, U<40>>; 8],
            /// A result for this kernel is stored.
            stored: Signal<Out, Choice>,
            /// What is stored as `predicted`; zero without `stored`.
            stored_predicted: Signal<Out, U<40>>,
        }
        locals {
            entered: Signal<Local, U<8>>,
            gone: Signal<Local, U<8>>,
            come: Signal<Local, U<8>>,
            results: Signal<Local, U<8>>,
            copied: Signal<Local, U<8>>,
            begins: Signal<Local, Bit>,
            left: Signal<Local, U<24>>,
            length: Signal<Local, U<32>>,
            divisor: Signal<Local, U<5>>,
            sum: Signal<Local, U<40>>,
        }
        constants {
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_blocks: Lit<24, 0>,
            no_length: Lit<32, 0>,
            no_divisor: Lit<5, 0>,
            zero: Lit<40, 0>,
        }
        children {
            divider: Divider,
            kernel: [Prediction; 8],
            knowns: Bundle<U<8>>,
        }
        properties { properties::of }
    }
}

impl Predictor {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val().valid | self.taken.val().valid
    }
}

impl Logic for Predictor {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.divider.control);
        self.entered.next = self.nobody.val();
        if self.launch.val().valid {
            self.entered.next = self.bit_zero.val() << self.launch.val().kernel;
        }
        self.gone.next = self.nobody.val();
        if self.finished.val().valid {
            self.gone.next = self.bit_zero.val() << self.finished.val().kernel;
        }
        self.come.next = self.nobody.val();
        if self.taken.val().valid {
            self.come.next = self.bit_zero.val() << self.taken.val().kernel;
        }
        self.results.next = self.nobody.val();
        if self.divider.result.val().valid {
            self.results.next = self.bit_zero.val() << self.divider.result.val().kernel;
        }
        self.copied.next = self.nobody.val();
        if self.copy.val().valid {
            self.copied.next = self.bit_zero.val() << self.copy.val().kernel;
        }
        self.begins.next = self.slice.val() | self.launch.val().valid | self.leaves.val().any();

        self.left.next = self.no_blocks.val();
        self.length.next = self.no_length.val();
        self.divisor.next = self.no_divisor.val();
        self.sum.next = self.zero.val();
        for k in 0..8 {
            Control::link(&mut self.control, &mut self.kernel[k].control);
            self.kernel[k].now.next = self.now.val();
            self.kernel[k].launched.next = self.entered.val().get_bit(k);
            self.kernel[k].leaves.next = self.leaves.val().get_bit(k);
            self.kernel[k].slice.next = self.begins.val();
            self.kernel[k].finished.next = self.gone.val().get_bit(k);
            self.kernel[k].duration.next = self.duration.val();
            self.kernel[k].taken.next = self.come.val().get_bit(k);
            self.kernel[k].runs.next = self.resident[k].val().any();
            self.kernel[k].total.next = self.total[k].val();
            self.kernel[k].result.next = self.results.val().get_bit(k);
            self.kernel[k].quotient.next = self.divider.quotient.val();
            self.kernel[k].copy.next = self.copied.val().get_bit(k);
            self.kernel[k].copy_remaining.next = self.copy_remaining.val();
            self.kernel[k].copy_predicted.next = self.copy_predicted.val();
            self.knowns.bits[k].next = self.kernel[k].known.val();
            self.remaining[k].next = self.kernel[k].remaining.val();
            self.predicted[k].next = self.kernel[k].predicted.val();
            if self.gone.val().get_bit(k) {
                self.left.next = self.kernel[k].left.val();
                self.length.next = self.kernel[k].length.val();
                self.divisor.next = self.residency[k].val();
            }
            if self.results.val().get_bit(k) {
                self.sum.next = self.kernel[k].sum.val();
            }
        }
        self.known.next = self.knowns.word.val();
        self.divider.request.next = self.finished.val();
        self.divider.left.next = self.left.val();
        self.divider.duration.next = self.length.val();
        self.divider.residency.next = self.divisor.val();
        self.divider.drop.next = self.leaves.val();
        self.stored.next = self.divider.result.val();
        self.stored_predicted.next = self.sum.val();
    }
}
