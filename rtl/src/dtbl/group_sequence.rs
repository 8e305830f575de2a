//! The group that is being distributed.

use super::HeldGroups;
use crate::dispatch::BlockSequence;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The SMX scheduler's control registers for aggregated groups (DTBL, section 4.2: SSCR): NextBL,
    /// and the head's groups in memory that were asked for ahead, `ahead` of them at most.
    ///
    /// ```text
    ///   group_reference, on_chip_grid, on_chip_next ------+--> ready, at, grid, after
    ///   ask, fetched, linked --> [held_groups] --oldest---+        |
    ///   room <--------------------------+                          v
    ///   step, done -> [ NextBL ] <----------------------- [block_sequence] --> ends
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `distributing` a group on chip, or one in memory that has arrived | `ready` | 0 |
    /// | `fetched` of the group that is next | `ready` | 1 |
    /// | `step` | the following block in `at` | 1 |
    /// | `done` of a group in memory, `ahead` of them held | `room` | 1 |
    ///
    /// Storage: NextBL 63, and that of the held groups.
    pub struct GroupSequence (ahead: usize) clocked {
        inputs {
            /// The head's groups are distributed: `group_reference` names the next one.
            distributing: Signal<In, Bit>,
            /// The group at the head's NAGEI; valid with `distributing`.
            group_reference: Signal<In, U<32>>,
            /// The extent of the group at that entry of the table.
            on_chip_grid: Signal<In, BlockId>,
            /// The group after it.
            on_chip_next: Signal<In, U<32>>,
            /// The information of the head's next group in memory is asked for; only with `room`.
            ask: Signal<In, Bit>,
            /// Information that was asked for arrives, in the order of the requests.
            fetched: Signal<In, Bit>,
            /// The group's extent; valid with `fetched`.
            fetched_grid: Signal<In, BlockId>,
            /// The group after it; valid with `fetched`.
            fetched_next: Signal<In, U<32>>,
            /// A group is linked behind the one that was asked for last, that of `ask` included.
            linked: Signal<In, Bit>,
            /// That group; valid with `linked`.
            link_next: Signal<In, U<32>>,
            /// The group's next block is dispatched; only when `ready`.
            step: Signal<In, Bit>,
            /// That was its last; only with `step`.
            done: Signal<In, Bit>,
        }
        outputs {
            /// One more group can be asked for; depends on the state alone.
            room: Signal<Out, Bit>,
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
            order: BlockSequence = BlockSequence::new(1),
            next_block: Register<BlockId>,
            held: HeldGroups = HeldGroups::new(ahead),
        }
    }
}

impl GroupSequence {
    /// The groups in memory that were asked for.
    pub(super) fn held(&self) -> &HeldGroups {
        &self.held
    }
}

impl Logic for GroupSequence {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.next_block.control);
        Control::link(&mut self.control, &mut self.held.control);

        self.on_chip.next = !self.group_reference.val().get_bit(31);
        self.ready.next = self.distributing.val() & (self.on_chip.val() | self.held.known.val());
        self.extent.next = self.held.extent.val();
        self.after.next = self.held.after.val();
        if self.on_chip.val() {
            self.extent.next = self.on_chip_grid.val();
            self.after.next = self.on_chip_next.val();
        }
        self.grid.next = self.extent.val();
        self.at.next = self.next_block.q.val();

        // Groups in memory: those of the head alone.
        self.room.next = self.held.room.val();
        self.held.ask.next = self.ask.val();
        self.held.fetched.next = self.fetched.val();
        self.held.fetched_grid.next = self.fetched_grid.val();
        self.held.fetched_next.next = self.fetched_next.val();
        self.held.link.next = self.linked.val();
        self.held.link_next.next = self.link_next.val();
        self.held.leave.next = self.done.val() & !self.on_chip.val();

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
