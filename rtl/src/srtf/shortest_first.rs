//! Which kernel one SMX serves.

use super::oldest::Oldest;
use super::sooner::Sooner;
use super::Choice;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The kernel with the least remaining time, unless one is sampled here or sharing limits it
    /// (SRTF, section 5.1; rules 13 and 17 of `docs/srtf.md`).
    ///
    /// ```text
    ///   eligible, known, remaining[8], older[8] --> [ least | oldest ] --> first --> [first] --> changed
    ///   sampling ------------------------------->                           |
    ///   sharing, staying[8] ------------------------------------------> [ least other ] --> choice
    /// ```
    ///
    /// All outputs are combinational. Storage: 4 registers.
    pub struct ShortestFirst (samples: bool, most: u64) clocked {
        inputs {
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// Kernels with a prediction here.
            known: Signal<In, U<8>>,
            /// Cycles that are left of each.
            remaining: [Signal<In, U<40>>; 8],
            /// The kernel that is sampled.
            sampling: Signal<In, Choice>,
            /// Kernels share the SMX.
            sharing: Signal<In, Bit>,
            /// Resident blocks of each kernel, less the one that ends.
            staying: [Signal<In, U<6>>; 8],
        }
        outputs {
            /// The first choice; zero when there is none.
            first: Signal<Out, Choice>,
            /// It is not what it was in the cycle before.
            changed: Signal<Out, Bit>,
            /// The kernel whose block may come here; zero when there is none.
            choice: Signal<Out, Choice>,
        }
        locals {
            sampled: Signal<Local, U<8>>,
            predicted: Signal<Local, U<8>>,
            wanted: Signal<Local, Choice>,
            wanted_bit: Signal<Local, U<8>>,
            by_time: Signal<Local, Bit>,
            held: Signal<Local, U<6>>,
        }
        constants {
            none: Constant<Choice>,
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_blocks: Lit<6, 0>,
            limit: Constant<U<6>> = Constant::new(U::new(most)),
            is_sampler: Constant<Bit> = Constant::new(samples),
        }
        children {
            before_edge: Register<Choice>,
            order: Sooner,
            least: Oldest,
            other: Oldest,
            oldest: Oldest,
        }
    }
}

impl Logic for ShortestFirst {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.before_edge.control);
        self.predicted.next = self.eligible.val() & self.known.val();
        self.least.among.next = self.predicted.val();
        self.oldest.among.next = self.eligible.val();
        for k in 0..8 {
            self.order.older[k].next = self.older[k].val();
            self.order.time[k].next = self.remaining[k].val();
            self.least.older[k].next = self.order.sooner[k].val();
            self.other.older[k].next = self.order.sooner[k].val();
            self.oldest.older[k].next = self.older[k].val();
        }
        self.sampled.next = self.nobody.val();
        if self.sampling.val().valid & self.is_sampler.val() {
            self.sampled.next =
                self.eligible.val() & (self.bit_zero.val() << self.sampling.val().kernel);
        }
        self.by_time.next = !self.sampled.val().any() & self.least.choice.val().valid;
        self.wanted.next = self.oldest.choice.val();
        if self.least.choice.val().valid {
            self.wanted.next = self.least.choice.val();
        }
        if self.sampled.val().any() {
            self.wanted.next = self.sampling.val();
        }
        self.first.next = self.wanted.val();
        self.before_edge.d.next = self.wanted.val();
        self.changed.next = (self.wanted.val().valid != self.before_edge.q.val().valid)
            | (self.wanted.val().kernel != self.before_edge.q.val().kernel);

        // While sharing, another one comes where the first has enough.
        self.wanted_bit.next = self.bit_zero.val() << self.wanted.val().kernel;
        self.held.next = self.no_blocks.val();
        for k in 0..8 {
            if self.wanted_bit.val().get_bit(k) {
                self.held.next = self.staying[k].val();
            }
        }
        self.other.among.next = self.predicted.val() & !self.wanted_bit.val();
        self.choice.next = self.wanted.val();
        if self.sharing.val()
            & self.by_time.val()
            & (self.limit.val() <= self.held.val())
            & self.other.choice.val().valid
        {
            self.choice.next = self.other.choice.val();
        }
    }
}
