//! What one SMX knows of one kernel.

mod properties;

use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The counters of one kernel on one SMX (SRTF, Table 1 and Algorithm 1; rules 9, 10 and 12 of
    /// `docs/srtf.md`).
    ///
    /// ```text
    ///   now, finished, taken --> [ active, mark ] --+ quotient--> [ predicted ]
    ///   finished, duration ------> [ done, t, anew ] --> left, length
    ///   result, quotient, copy --> [ remaining, known ]
    /// ```
    ///
    /// Storage: 40 + 40 + 24 + 32 + 40 + 40 + 1 + 1 = 218 registers.
    pub struct Prediction clocked {
        inputs {
            /// The number of the cycle; valid with `finished` or `taken`.
            now: Signal<In, U<40>> => Self::is_timed,
            /// The kernel is accepted: everything begins at zero.
            launched: Signal<In, Bit>,
            /// The kernel leaves.
            leaves: Signal<In, Bit>,
            /// A slice begins.
            slice: Signal<In, Bit>,
            /// A block of it ends here.
            finished: Signal<In, Bit>,
            /// How long that block ran; valid with `finished`.
            duration: Signal<In, U<32>>,
            /// A block of it comes here.
            taken: Signal<In, Bit>,
            /// Blocks of it are resident as the cycle begins.
            runs: Signal<In, Bit>,
            /// Blocks that this SMX is expected to run.
            total: Signal<In, U<24>>,
            /// The divider's result is for this kernel.
            result: Signal<In, Bit>,
            /// The result; valid with `result`.
            quotient: Signal<In, U<40>>,
            /// A sample's prediction is copied.
            copy: Signal<In, Bit>,
            /// It; valid with `copy`.
            copy_remaining: Signal<In, U<40>>,
            /// It; valid with `copy`.
            copy_predicted: Signal<In, U<40>>,
        }
        outputs {
            /// There is a prediction.
            known: Signal<Out, Bit>,
            /// Cycles that are left; zero when not `known`.
            remaining: Signal<Out, U<40>>,
            /// Cycles in all; zero when not `known`.
            predicted: Signal<Out, U<40>>,
            /// Blocks that are left after the one that ends.
            left: Signal<Out, U<24>>,
            /// Duration of a block of this slice, with the one that ends.
            length: Signal<Out, U<32>>,
            /// What `predicted` becomes with `result`.
            sum: Signal<Out, U<40>>,
        }
        locals {
            happens: Signal<Local, Bit>,
            elapsed: Signal<Local, U<40>>,
            longer: Signal<Local, U<41>>,
            whole: Signal<Local, U<41>>,
            sum_now: Signal<Local, U<40>>,
            done_now: Signal<Local, U<24>>,
            length_now: Signal<Local, U<32>>,
            copies: Signal<Local, Bit>,
        }
        constants {
            zero: Lit<40, 0>,
            most: Lit<40, 0xff_ffff_ffff>,
            no_blocks: Lit<24, 0>,
            one: Lit<24, 1>,
            no_time: Lit<32, 0>,
        }
        children {
            active: Register<U<40>>,
            mark: Register<U<40>>,
            done: Register<U<24>>,
            t: Register<U<32>>,
            remaining_of: Register<U<40>>,
            predicted_of: Register<U<40>>,
            anew: Register<Bit>,
            is_known: Register<Bit>,
        }
        properties { properties::of }
    }
}

impl Prediction {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val() | self.taken.val()
    }
}

impl Logic for Prediction {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.active.control);
        Control::link(&mut self.control, &mut self.mark.control);
        Control::link(&mut self.control, &mut self.done.control);
        Control::link(&mut self.control, &mut self.t.control);
        Control::link(&mut self.control, &mut self.remaining_of.control);
        Control::link(&mut self.control, &mut self.predicted_of.control);
        Control::link(&mut self.control, &mut self.anew.control);
        Control::link(&mut self.control, &mut self.is_known.control);

        // Cycles with a resident block.
        self.happens.next = self.finished.val() | self.taken.val();
        self.elapsed.next = self.now.val() - self.mark.q.val();
        self.longer.next =
            bit_cast::<41, 40>(self.active.q.val()) + bit_cast::<41, 40>(self.elapsed.val());
        self.active.d.next = self.active.q.val();
        self.mark.d.next = self.mark.q.val();
        if self.happens.val() {
            self.mark.d.next = self.now.val();
            if self.runs.val() {
                self.active.d.next = self.longer.val().get_bits::<40>(0);
                if self.longer.val().get_bit(40) {
                    self.active.d.next = self.most.val();
                }
            }
        }

        // Blocks that have ended, and how long the first one of the slice took.
        self.done_now.next = self.done.q.val();
        if !self.done.q.val().all() {
            self.done_now.next = self.done.q.val() + self.one.val();
        }
        self.left.next = self.no_blocks.val();
        if self.done_now.val() < self.total.val() {
            self.left.next = self.total.val() - self.done_now.val();
        }
        self.length_now.next = self.t.q.val();
        if self.anew.q.val() {
            self.length_now.next = self.duration.val();
        }
        self.length.next = self.length_now.val();
        self.done.d.next = self.done.q.val();
        self.t.d.next = self.t.q.val();
        self.anew.d.next = self.anew.q.val();
        if self.finished.val() {
            self.done.d.next = self.done_now.val();
            self.t.d.next = self.length_now.val();
            self.anew.d.next = false;
        }
        if self.slice.val() {
            self.anew.d.next = true;
        }

        // The prediction.
        self.whole.next =
            bit_cast::<41, 40>(self.active.q.val()) + bit_cast::<41, 40>(self.quotient.val());
        self.sum_now.next = self.whole.val().get_bits::<40>(0);
        if self.whole.val().get_bit(40) {
            self.sum_now.next = self.most.val();
        }
        self.sum.next = self.sum_now.val();
        self.copies.next = self.copy.val() & !self.is_known.q.val();
        self.remaining_of.d.next = self.remaining_of.q.val();
        self.predicted_of.d.next = self.predicted_of.q.val();
        if self.copies.val() {
            self.remaining_of.d.next = self.copy_remaining.val();
            self.predicted_of.d.next = self.copy_predicted.val();
        }
        if self.result.val() {
            self.remaining_of.d.next = self.quotient.val();
            self.predicted_of.d.next = self.sum_now.val();
        }
        self.is_known.d.next =
            (self.is_known.q.val() | self.copies.val() | self.result.val()) & !self.leaves.val();
        if self.launched.val() {
            self.active.d.next = self.zero.val();
            self.mark.d.next = self.zero.val();
            self.done.d.next = self.no_blocks.val();
            self.t.d.next = self.no_time.val();
            self.remaining_of.d.next = self.zero.val();
            self.predicted_of.d.next = self.zero.val();
            self.is_known.d.next = false;
        }
        self.known.next = self.is_known.q.val();
        self.remaining.next = self.zero.val();
        self.predicted.next = self.zero.val();
        if self.is_known.q.val() {
            self.remaining.next = self.remaining_of.q.val();
            self.predicted.next = self.predicted_of.q.val();
        }
    }
}
