//! How many credits a kernel gets.

use crate::prelude::*;
use crate::prim::ConstantDivider;

/// The tuning parameters of section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// p_A: layers of global credits, 1 to 65,535.
    pub active: u64,
    /// p_L: extra local credits for each core, 0 to 65,535.
    pub loose: u64,
}

hdl_module! {
    /// The credit allocator: Algorithm 1, lines 1 to 4, with the ceiling of section 3.1.
    ///
    /// ```text
    ///   blocks - 1 --> [ / cores ] --quotient--> + 1 + p_L --------------> local_credits
    ///                              --remainder-> + 1 + (p_A - 1) cores --> global_credits
    /// ```
    ///
    /// Combinational, no storage. An empty grid gets no credit at all.
    pub struct Allocator (cores: u64, levels: Levels) combinational {
        inputs {
            /// Thread blocks of the kernel; always valid.
            blocks: Signal<In, U<31>>,
        }
        outputs {
            /// `ceil(blocks / cores) + p_L`.
            local_credits: Signal<Out, U<32>>,
            /// `((blocks - 1) mod cores) + 1 + (p_A - 1) cores`.
            global_credits: Signal<Out, U<32>>,
        }
        locals {
            count: Signal<Local, U<32>>,
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
            local_extra: Constant<U<32>> = Constant::new(U::new(1 + levels.loose)),
            global_extra: Constant<U<32>> = Constant::new(U::new(1 + (levels.active - 1) * cores)),
        }
        children {
            divider: ConstantDivider = ConstantDivider::new(cores),
        }
    }
}

impl Logic for Allocator {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.next = bit_cast::<32, 31>(self.blocks.val());
        self.divider.dividend.next = self.count.val() - self.one.val();
        self.local_credits.next = self.none.val();
        self.global_credits.next = self.none.val();
        if self.count.val() != self.none.val() {
            self.local_credits.next = self.divider.quotient.val() + self.local_extra.val();
            self.global_credits.next =
                bit_cast_of::<32>(self.divider.remainder.val()) + self.global_extra.val();
        }
    }
}
