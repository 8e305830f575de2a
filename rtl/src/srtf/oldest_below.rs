//! Which kernel one SMX serves under MPMax.

use super::oldest::Oldest;
use super::Choice;
use crate::prelude::*;
use crate::prim::Bundle;

hdl_module! {
    /// The oldest kernel that is below its limit (SRTF, section 5.2.2; rule 7 of `docs/srtf.md`).
    /// Combinational, no storage.
    ///
    /// ```text
    ///   staying[8] < limit[8] --> & eligible --> [ oldest ] --> choice
    /// ```
    pub struct OldestBelow combinational {
        inputs {
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// Resident blocks of each kernel, less the one that ends.
            staying: [Signal<In, U<6>>; 8],
            /// Most resident blocks of each kernel.
            limit: [Signal<In, U<6>>; 8],
        }
        outputs {
            /// The kernel; zero when there is none.
            choice: Signal<Out, Choice>,
        }
        children {
            below: Bundle<U<8>>,
            first: Oldest,
        }
    }
}

impl Logic for OldestBelow {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..8 {
            self.below.bits[k].next = self.staying[k].val() < self.limit[k].val();
            self.first.older[k].next = self.older[k].val();
        }
        self.first.among.next = self.eligible.val() & self.below.word.val();
        self.choice.next = self.first.choice.val();
    }
}
