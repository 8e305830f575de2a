//! The local credits of one core.

use super::Levels;
use crate::prelude::*;
use crate::prim::{RegisterFile, Tagged};

hdl_module! {
    /// The credit consumer of one core: Algorithm 1, lines 5 to 10. One credit register for each
    /// concurrent kernel (section 3.3).
    ///
    /// ```text
    ///   load, add, credits --> [ 32 local-credit registers ] --> C(kernel) --> free, needs_global
    ///   take ----------------> [ C - 1                     ]
    /// ```
    ///
    /// `free` and `needs_global` are combinational in `kernel`; what is loaded or taken in `c` is
    /// seen in `c + 1`. Storage: 32 x 32 bits; undefined for an entry that was never loaded.
    pub struct Consumer (levels: Levels) clocked {
        inputs {
            /// A kernel is launched into this entry.
            load: Signal<In, Tagged>,
            /// A group is coalesced to the kernel in this entry; not in a cycle with `load`.
            add: Signal<In, Tagged>,
            /// Its local credits; valid with `load` and with `add`.
            credits: Signal<In, U<32>>,
            /// The kernel that is asked about.
            kernel: Signal<In, U<5>>,
            /// This core consumes one of `kernel`'s credits; not in the cycle that loads the entry.
            take: Signal<In, Bit>,
        }
        outputs {
            /// A block may go without a global credit: after it, at least p_A + p_L are left.
            free: Signal<Out, Bit>,
            /// A block may go with a global credit: fewer are left, but there is one.
            needs_global: Signal<Out, Bit>,
        }
        locals {
            now: Signal<Local, U<32>>,
            sum: Signal<Local, U<32>>,
        }
        constants {
            none: Lit<32, 0>,
            one: Lit<32, 1>,
            threshold: Constant<U<32>> = Constant::new(U::new(levels.active + levels.loose)),
        }
        children {
            local_credits: RegisterFile<U<32>, 5> = RegisterFile::of(32, 3, 1),
        }
    }
}

impl Consumer {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(levels: Levels, entries: usize) -> Self {
        Self { local_credits: RegisterFile::of(entries, 3, 1), ..Self::new(levels) }
    }

    /// p_A + p_L.
    pub(super) fn threshold(&self) -> u64 {
        self.threshold.val().raw()
    }
}

impl Logic for Consumer {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.local_credits.control);
        self.local_credits.write_enable[0].next = self.load.val().valid;
        self.local_credits.write_address[0].next = self.load.val().entry;
        self.local_credits.write_data[0].next = self.credits.val();
        self.local_credits.address.next = self.kernel.val();
        self.now.next = self.local_credits.data.val();
        // The decision is on the credits after the decrement: C - 1 >= t is C > t.
        self.free.next = self.now.val() > self.threshold.val();
        self.needs_global.next =
            (self.now.val() <= self.threshold.val()) & (self.now.val() != self.none.val());
        self.local_credits.write_enable[1].next = self.take.val();
        self.local_credits.write_address[1].next = self.kernel.val();
        self.local_credits.write_data[1].next = self.now.val() - self.one.val();
        // What is added comes on top of what is consumed in the same cycle.
        self.local_credits.also_address[0].next = self.add.val().entry;
        self.sum.next = self.local_credits.also_data[0].val() + self.credits.val();
        if self.take.val() & (self.add.val().entry == self.kernel.val()) {
            self.sum.next = self.now.val() - self.one.val() + self.credits.val();
        }
        self.local_credits.write_enable[2].next = self.add.val().valid;
        self.local_credits.write_address[2].next = self.add.val().entry;
        self.local_credits.write_data[2].next = self.sum.val();
    }
}
