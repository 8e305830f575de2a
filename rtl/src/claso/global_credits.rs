//! The credits that the cores share.

use crate::port::step_bits;
use crate::prelude::*;
use crate::prim::{RegisterFile, Tagged};

hdl_module! {
    /// The global credits, one register for each concurrent kernel (section 3.3).
    ///
    /// ```text
    ///   load, add, credits --> [ 32 global-credit registers ] --> available
    ///   spend ---------------> [ C - spend                  ]
    /// ```
    ///
    /// `available` is combinational in `kernel`; what is loaded or spent in `c` is seen in `c + 1`.
    /// Storage: 32 x 32 bits; undefined for an entry that was never loaded.
    pub struct GlobalCredits (smxs: usize) clocked {
        inputs {
            /// A kernel is launched into this entry.
            load: Signal<In, Tagged>,
            /// A group is coalesced to the kernel in this entry; not in a cycle with `load`.
            add: Signal<In, Tagged>,
            /// Its global credits; valid with `load` and with `add`.
            credits: Signal<In, U<32>>,
            /// The kernel that is asked about.
            kernel: Signal<In, U<5>>,
            /// Credits of `kernel` consumed in this cycle; not in the cycle that loads the entry.
            spend: Signal<In, Word> = Signal::word(step_bits(smxs)),
        }
        outputs {
            /// Global credits of `kernel`.
            available: Signal<Out, U<32>>,
        }
        locals {
            left: Signal<Local, U<32>>,
            sum: Signal<Local, U<32>>,
        }
        constants {
            none: Constant<Word> = Constant::new(Word::zero(step_bits(smxs))),
        }
        children {
            global_credits: RegisterFile<U<32>, 5> = RegisterFile::of(32, 3, 1),
        }
    }
}

impl GlobalCredits {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(smxs: usize, entries: usize) -> Self {
        Self { global_credits: RegisterFile::of(entries, 3, 1), ..Self::new(smxs) }
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> usize {
        self.global_credits.words()
    }
}

impl Logic for GlobalCredits {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.global_credits.control);
        self.global_credits.write_enable[0].next = self.load.val().valid;
        self.global_credits.write_address[0].next = self.load.val().entry;
        self.global_credits.write_data[0].next = self.credits.val();
        self.global_credits.address.next = self.kernel.val();
        self.available.next = self.global_credits.data.val();
        self.global_credits.write_enable[1].next = self.spend.val() != self.none.val();
        self.global_credits.write_address[1].next = self.kernel.val();
        self.left.next = self.global_credits.data.val() - bit_cast_of::<32>(self.spend.val());
        self.global_credits.write_data[1].next = self.left.val();
        // What is added comes on top of what is spent in the same cycle.
        self.global_credits.also_address[0].next = self.add.val().entry;
        self.sum.next = self.global_credits.also_data[0].val() + self.credits.val();
        if self.add.val().entry == self.kernel.val() {
            self.sum.next = self.global_credits.data.val() + self.credits.val()
                - bit_cast_of::<32>(self.spend.val());
        }
        self.global_credits.write_enable[2].next = self.add.val().valid;
        self.global_credits.write_address[2].next = self.add.val().entry;
        self.global_credits.write_data[2].next = self.sum.val();
    }
}
