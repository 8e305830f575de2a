//! What one thief gets at one level from 1 on.

use super::{Loot, Stake};
use crate::port::{BlockId, Needs};
use crate::prelude::*;

hdl_module! {
    /// What the block takes for which a thief asks, and the block with its home and kernel if it
    /// gets it (rule 26 of `docs/ikra.md`).
    ///
    /// ```text
    ///   asks, from_chunk --> [ of_chunk | of_queue ] --> asked_needs
    ///   granted, block ----> [                     ] --> loot
    /// ```
    ///
    /// Combinational, no storage.
    pub struct ChildAnswer (smxs: usize) combinational {
        inputs {
            /// The request is at its victim.
            asks: Signal<In, Bit>,
            /// For its chunk; valid with `asks`.
            from_chunk: Signal<In, Bit>,
            /// What is left of the victim's chunk.
            of_chunk: Signal<In, Stake> = Signal::of(Stake::none(smxs)),
            /// What is left of the victim's queue.
            of_queue: Signal<In, Stake> = Signal::of(Stake::none(smxs)),
            /// The victim gives a block.
            granted: Signal<In, Bit>,
            /// Which one; valid with `granted`.
            block: Signal<In, BlockId>,
        }
        outputs {
            /// What the block takes; zero when nothing is left.
            asked_needs: Signal<Out, Needs>,
            /// The block; zero when not `granted`.
            loot: Signal<Out, Loot> = Signal::of(Loot::none(smxs)),
        }
        locals {
            asked: Signal<Local, Stake> = Signal::of(Stake::none(smxs)),
            prize: Signal<Local, Loot> = Signal::of(Loot::none(smxs)),
        }
        constants {
            no_stake: Constant<Stake> = Constant::new(Stake::none(smxs)),
            no_loot: Constant<Loot> = Constant::new(Loot::none(smxs)),
        }
    }
}

impl Logic for ChildAnswer {
    #[hdl_gen]
    fn update(&mut self) {
        self.asked.next = self.no_stake.val();
        if self.asks.val() {
            self.asked.next = self.of_queue.val();
            if self.from_chunk.val() {
                self.asked.next = self.of_chunk.val();
            }
        }
        self.asked_needs.next = self.asked.val().needs;
        self.prize.next.valid = true;
        self.prize.next.home = self.asked.val().home;
        self.prize.next.kernel = self.asked.val().kernel;
        self.prize.next.block = self.block.val();
        self.loot.next = self.no_loot.val();
        if self.granted.val() {
            self.loot.next = self.prize.val();
        }
    }
}
