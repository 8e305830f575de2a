//! The admission gate: which SMXs may receive the head's next block.

mod properties;

use super::{Allocator, Consumer, GlobalCredits, Levels};
use crate::prelude::*;
use crate::prim::{BudgetArbiter, Bundle, Popcount, Tagged};

hdl_module! {
    /// CLASO for `smxs` cores: section 3.1 and Algorithm 1, for cores that ask in one cycle.
    ///
    /// ```text
    ///   blocks -> [allocator] -> [consumer each core] -- free -----------------------+--> allow
    ///                      \     request -> & needs_global -> [budget arbiter] ------+
    ///                       \--> [global_credits] -- available --^        ^-- first
    ///   taken -> consumers (one local credit each), global_credits (one for each that needed it)
    /// ```
    ///
    /// `allow` is combinational in `kernel`, `request` and `first`. A kernel launched in `c` has
    /// its credits in `c + 1`. Storage: `32 * (smxs + 1)` registers of 32 bits.
    pub struct Gate (smxs: usize, levels: Levels) clocked {
        inputs {
            /// A kernel is accepted into this entry.
            launch: Signal<In, Tagged>,
            /// A group is coalesced to the kernel in this entry; not in a cycle with `launch`.
            coalesced: Signal<In, Tagged>,
            /// Its thread blocks; valid with `launch` and with `coalesced`.
            blocks: Signal<In, U<31>>,
            /// The kernel that `request` is about.
            kernel: Signal<In, U<5>>,
            /// One bit for each SMX that asks for a block.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMX whose turn it is: arbitration starts there.
            first: Signal<In, Word> = Signal::id(smxs),
            /// One bit for each SMX to which a block goes in this cycle; within `allow`.
            taken: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// One bit for each SMX that may receive a block; within `request`.
            allow: Signal<Out, Mask> = Signal::mask(smxs),
        }
        children {
            allocator: Allocator = Allocator::new(smxs as u64, levels),
            core: Vec<Consumer> = (0..smxs).map(|_| Consumer::new(levels)).collect(),
            frees: Bundle<Mask> = Bundle::of(smxs),
            needs: Bundle<Mask> = Bundle::of(smxs),
            shared: GlobalCredits = GlobalCredits::new(smxs),
            arbiter: BudgetArbiter = BudgetArbiter::new(smxs),
            spent: Popcount = Popcount::new(smxs),
        }
        state { smxs: usize = smxs }
        properties { properties::of }
    }
}

impl Gate {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(smxs: usize, levels: Levels, entries: usize) -> Self {
        Self {
            core: (0..smxs).map(|_| Consumer::with_entries(levels, entries)).collect(),
            shared: GlobalCredits::with_entries(smxs, entries),
            ..Self::new(smxs, levels)
        }
    }
}

impl Logic for Gate {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.shared.control);
        self.allocator.blocks.next = self.blocks.val();
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.core[i].control);
            self.core[i].load.next = self.launch.val();
            self.core[i].add.next = self.coalesced.val();
            self.core[i].credits.next = self.allocator.local_credits.val();
            self.core[i].kernel.next = self.kernel.val();
            self.core[i].take.next = self.taken.val().get_bit(i);
            self.frees.bits[i].next = self.core[i].free.val();
            self.needs.bits[i].next = self.core[i].needs_global.val();
        }
        self.arbiter.request.next = self.request.val() & self.needs.word.val();
        self.arbiter.first.next = self.first.val();
        self.arbiter.budget.next = self.shared.available.val();
        self.allow.next = (self.request.val() & self.frees.word.val()) | self.arbiter.grant.val();

        self.spent.bits.next = self.taken.val() & self.needs.word.val();
        self.shared.load.next = self.launch.val();
        self.shared.add.next = self.coalesced.val();
        self.shared.credits.next = self.allocator.global_credits.val();
        self.shared.kernel.next = self.kernel.val();
        self.shared.spend.next = self.spent.ones.val();
    }
}
