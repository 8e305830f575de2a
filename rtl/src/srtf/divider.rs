//! The second term of equation 2.

use super::divide_stage::DivideStage;
use super::{Choice, Operands, Partial, Product};
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// `left * duration / residency`, a request in any cycle (SRTF, section 4.1, equation 2; rule
    /// 11 of `docs/srtf.md`).
    ///
    /// ```text
    ///   request --> [operands] --> * --> [product] --> [divide_stage] x 7 --> result
    ///   drop ------------^-------------------^----------------^-----------------^
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `request` | `result` | 9 |
    /// | `drop` | `result` | 0 |
    ///
    /// Storage: 65 + 65 + 7 x 69 registers.
    pub struct Divider clocked {
        inputs {
            /// Whose prediction is asked for.
            request: Signal<In, Choice>,
            /// Blocks that are left; valid with `request`.
            left: Signal<In, U<24>>,
            /// Duration of a block; valid with `request`.
            duration: Signal<In, U<32>>,
            /// Blocks that run at once, 1 to 16; valid with `request`.
            residency: Signal<In, U<5>>,
            /// Kernels whose requests are dropped, one that comes in this cycle included.
            drop: Signal<In, U<8>>,
        }
        outputs {
            /// Whose result is there.
            result: Signal<Out, Choice>,
            /// The quotient, rounded down, at most 2^40 - 1; zero without `result`.
            quotient: Signal<Out, U<40>>,
        }
        locals {
            asked: Signal<Local, Operands>,
            product_now: Signal<Local, Product>,
            first: Signal<Local, Partial>,
            last: Signal<Local, Partial>,
            whole: Signal<Local, U<56>>,
            shown: Signal<Local, Bit>,
        }
        constants {
            bit_zero: Lit<8, 1>,
            no_rest: Lit<4, 0>,
            none: Constant<Choice>,
            zero: Lit<40, 0>,
            most: Lit<40, 0xff_ffff_ffff>,
        }
        children {
            operands: Register<Operands>,
            product: Register<Product>,
            stage: [DivideStage; 7],
        }
    }
}

impl Logic for Divider {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.operands.control);
        Control::link(&mut self.control, &mut self.product.control);

        // What comes in.
        self.asked.next.valid = self.request.val().valid
            & !(self.drop.val() & (self.bit_zero.val() << self.request.val().kernel)).any();
        self.asked.next.kernel = self.request.val().kernel;
        self.asked.next.residency = self.residency.val();
        self.asked.next.left = self.left.val();
        self.asked.next.duration = self.duration.val();
        self.operands.d.next = self.asked.val();

        // The product.
        self.product_now.next.valid = self.operands.q.val().valid
            & !(self.drop.val() & (self.bit_zero.val() << self.operands.q.val().kernel)).any();
        self.product_now.next.kernel = self.operands.q.val().kernel;
        self.product_now.next.residency = self.operands.q.val().residency;
        self.product_now.next.word = bit_cast::<56, 24>(self.operands.q.val().left)
            * bit_cast::<56, 32>(self.operands.q.val().duration);
        self.product.d.next = self.product_now.val();

        // Seven times eight digits.
        self.first.next.valid = self.product.q.val().valid;
        self.first.next.kernel = self.product.q.val().kernel;
        self.first.next.residency = self.product.q.val().residency;
        self.first.next.word = self.product.q.val().word;
        self.first.next.rest = self.no_rest.val();
        for i in 0..7 {
            Control::link(&mut self.control, &mut self.stage[i].control);
            self.stage[i].drop.next = self.drop.val();
        }
        self.stage[0].from.next = self.first.val();
        self.stage[1].from.next = self.stage[0].to.val();
        self.stage[2].from.next = self.stage[1].to.val();
        self.stage[3].from.next = self.stage[2].to.val();
        self.stage[4].from.next = self.stage[3].to.val();
        self.stage[5].from.next = self.stage[4].to.val();
        self.stage[6].from.next = self.stage[5].to.val();
        self.last.next = self.stage[6].to.val();

        // What comes out.
        self.whole.next = self.last.val().word;
        self.shown.next = self.last.val().valid
            & !(self.drop.val() & (self.bit_zero.val() << self.last.val().kernel)).any();
        self.result.next = self.none.val();
        self.quotient.next = self.zero.val();
        if self.shown.val() {
            self.result.next.valid = true;
            self.result.next.kernel = self.last.val().kernel;
            self.quotient.next = self.whole.val().get_bits::<40>(0);
            if self.whole.val().get_bits::<16>(40).any() {
                self.quotient.next = self.most.val();
            }
        }
    }
}
