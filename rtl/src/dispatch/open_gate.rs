//! The place of an admission gate where there is none.

use crate::hdl_module;
use crate::prim::Tagged;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Lets every block go that fits: the ports of [`crate::claso::Gate`] without its credits, so that a
    /// scheduler with a gate and one without are the same module around another child.
    ///
    /// ```text
    ///   request --> allow
    /// ```
    ///
    /// `allow` is combinational in `request`. No storage.
    pub struct OpenGate [const N: usize] [N] clocked {
        inputs {
            /// Not looked at.
            launch: Signal<In, Tagged>,
            /// Not looked at.
            coalesced: Signal<In, Tagged>,
            /// Not looked at.
            blocks: Signal<In, U<31>>,
            /// Not looked at.
            kernel: Signal<In, U<5>>,
            /// One bit for each SMX that asks for a block.
            request: Signal<In, U<N>>,
            /// Not looked at.
            first: Signal<In, U<5>>,
            /// Not looked at.
            taken: Signal<In, U<N>>,
        }
        outputs {
            /// One bit for each SMX that may receive a block: those of `request`.
            allow: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for OpenGate<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.allow.next = self.request.val();
    }
}
