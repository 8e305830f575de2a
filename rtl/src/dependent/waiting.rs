//! Which kernels wait for their predecessor.

mod properties;

use super::DependentPorts;
use crate::prelude::*;
use crate::prim::{Bundle, CounterBank, PriorityEncoder, Register, Tagged};

hdl_module! {
    /// Marks kernels: one without predecessor at once, others when each block of their predecessor
    /// has triggered (`docs/dependent.md`, rules 4 and 5).
    ///
    /// ```text
    ///   accepted, blocks --> [ 32 pending counts ] --> zero --> [ of whom each follows ] --+
    ///   triggered[s] ------------^                                                         v
    ///   accepted, follows --> [ 32 x 5 bits: follows ] [ 32 bits: waits ] [ settled ] --> ( & ) --> [ lowest ] --> mark
    ///                     +----------------------------------------------------------------------------------------^
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `accepted` without `follows` | `mark` | 0 |
    /// | last `triggered` of the predecessor | `mark` | 1, and more while others are marked |
    ///
    /// A kernel whose predecessor has had nothing pending once is *settled*: its predecessor's
    /// entry may belong to another kernel by the time that it is marked. Storage: 32 x 31 + 32 x 7
    /// registers.
    pub struct Waiting (smxs: usize) clocked {
        bundles {
            dependent_ports: DependentPorts = DependentPorts::new(smxs),
        }
        inputs {
            /// A launch is accepted into this entry.
            accepted: Signal<In, Tagged>,
            /// Its thread blocks; valid with `accepted`.
            blocks: Signal<In, U<31>>,
        }
        outputs {
            /// The kernel that is marked in this cycle.
            mark: Signal<Out, Tagged>,
            /// One bit for each entry: its kernel waits; state alone.
            waits: Signal<Out, U<32>>,
        }
        locals {
            joins: Signal<Local, Bit>,
            joining: Signal<Local, U<32>>,
            asked: Signal<Local, U<32>>,
            ready: Signal<Local, U<32>>,
            leaving: Signal<Local, U<32>>,
            stays: Signal<Local, U<32>>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            no_blocks: Lit<31, 0>,
        }
        children {
            pending: CounterBank = CounterBank::new(smxs, BITS, BITS),
            followed: Vec<Register<U<5>>> = Register::each(ENTRIES, U::new(0)),
            quiet: Bundle<U<32>>,
            waiting: Register<U<32>>,
            settled: Register<U<32>>,
            lowest: PriorityEncoder<U<32>>,
        }
        state { smxs: usize = smxs, entries: usize = ENTRIES }
        properties { properties::of }
    }
}

/// Entries of the Kernel Distributor.
const ENTRIES: usize = 32;

/// Bits of a pending count, as many as a grid's number of blocks has.
const BITS: usize = 31;

impl Logic for Waiting {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.pending.control);
        Control::link(&mut self.control, &mut self.waiting.control);
        Control::link(&mut self.control, &mut self.settled.control);

        // Blocks that have not triggered.
        self.pending.increase_entry.next = self.accepted.val().entry;
        self.pending.increase_by.next = self.no_blocks.val().into();
        if self.accepted.val().valid {
            self.pending.increase_by.next = self.blocks.val().into();
        }
        self.pending.decrease.next = self.dependent_ports.triggered.val();
        for i in 0..self.smxs {
            self.pending.decrease_entry[i].next = self.dependent_ports.triggered_kernel[i].val();
        }

        // Whether the predecessor of each has none.
        self.joins.next = self.accepted.val().valid & self.dependent_ports.follows.val().valid;
        self.joining.next = self.nobody.val();
        if self.joins.val() {
            self.joining.next = self.bit_zero.val() << self.accepted.val().entry;
        }
        for i in 0..self.entries {
            Control::link(&mut self.control, &mut self.followed[i].control);
            self.followed[i].d.next = self.followed[i].q.val();
            if self.joining.val().get_bit(i) {
                self.followed[i].d.next = self.dependent_ports.follows.val().entry;
            }
            self.asked.next =
                self.pending.zero.val() & (self.bit_zero.val() << self.followed[i].q.val());
            self.quiet.bits[i].next = self.asked.val().any();
        }
        self.ready.next = self.waiting.q.val() & (self.settled.q.val() | self.quiet.word.val());

        // One is marked: the one that comes and need not wait, or the lowest that is ready.
        self.lowest.request.next = self.ready.val();
        self.mark.next.valid = self.lowest.valid.val();
        self.mark.next.entry = self.lowest.index.val();
        self.leaving.next = self.lowest.grant.val();
        if self.accepted.val().valid & !self.joins.val() {
            self.mark.next.valid = true;
            self.mark.next.entry = self.accepted.val().entry;
            self.leaving.next = self.nobody.val();
        }
        self.waits.next = self.waiting.q.val();
        self.stays.next = self.waiting.q.val() & !self.leaving.val();
        self.waiting.d.next = self.stays.val() | self.joining.val();
        self.settled.d.next = self.stays.val() & self.ready.val();
    }
}
