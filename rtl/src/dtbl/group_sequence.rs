//! The group that is being distributed.

use crate::dispatch::NextBlock;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The SMX scheduler's control register for aggregated groups (DTBL, section 4.2: SSCR): NextBL
    /// of the group at the head's NAGEI, on chip or in memory.
    ///
    /// ```text
    ///   group_reference, on_chip_grid, on_chip_next --+--> ready, at, grid, after
    ///   known, memory_grid, memory_next --------------+        |
    ///                                                          v
    ///   step, done -> [ NextBL ] <------------------- [next_block] --> ends
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `distributing` a group on chip, or one in memory that is `known` | `ready` | 0 |
    /// | `step` | the following block in `at` | 1 |
    ///
    /// Storage: NextBL 63.
    pub struct GroupSequence clocked {
        inputs {
            /// The head's groups are distributed: `group_reference` names the next one.
            distributing: Signal<In, Bit>,
            /// The group at the head's NAGEI; valid with `distributing`.
            group_reference: Signal<In, U<32>>,
            /// The extent of the group at that entry of the table.
            on_chip_grid: Signal<In, BlockId>,
            /// The group after it.
            on_chip_next: Signal<In, U<32>>,
            /// The information of the head's oldest group in memory has arrived.
            known: Signal<In, Bit>,
            /// That group's extent; valid with `known`.
            memory_grid: Signal<In, BlockId>,
            /// The group after it; valid with `known`.
            memory_next: Signal<In, U<32>>,
            /// The group's next block is dispatched; only when `ready`.
            step: Signal<In, Bit>,
            /// That was its last; only with `step`.
            done: Signal<In, Bit>,
        }
        outputs {
            /// The group's next block is known.
            ready: Signal<Out, Bit>,
            /// That block; valid with `ready`.
            at: Signal<Out, BlockId>,
            /// The group's extent; valid with `ready`.
            grid: Signal<Out, BlockId>,
            /// The group after it; valid with `ready`.
            after: Signal<Out, U<32>>,
            /// That block is the group's last; valid with `ready`.
            ends: Signal<Out, Bit>,
        }
        locals {
            on_chip: Signal<Local, Bit>,
            extent: Signal<Local, BlockId>,
        }
        constants {
            first_block: Constant<BlockId>,
        }
        children {
            order: NextBlock,
            next_block: Register<BlockId>,
        }
    }
}

impl Logic for GroupSequence {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.next_block.control);

        self.on_chip.next = !self.group_reference.val().get_bit(31);
        self.ready.next = self.distributing.val() & (self.on_chip.val() | self.known.val());
        self.extent.next = self.memory_grid.val();
        self.after.next = self.memory_next.val();
        if self.on_chip.val() {
            self.extent.next = self.on_chip_grid.val();
            self.after.next = self.on_chip_next.val();
        }
        self.grid.next = self.extent.val();
        self.at.next = self.next_block.q.val();

        // NextBL, and the end of the group.
        self.order.at.next = self.next_block.q.val();
        self.order.grid.next = self.extent.val();
        self.ends.next = self.order.ends.val();
        self.next_block.d.next = self.next_block.q.val();
        if self.step.val() {
            self.next_block.d.next = self.order.beyond.val();
        }
        if self.done.val() {
            self.next_block.d.next = self.first_block.val();
        }
    }
}
