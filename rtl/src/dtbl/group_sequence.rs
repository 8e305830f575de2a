//! The group that is being distributed.

use crate::dispatch::BlockSequence;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The SMX scheduler's control registers for aggregated groups (DTBL, section 4.2: SSCR): NextBL,
    /// and what a group in memory needs while it is distributed.
    ///
    /// ```text
    ///   group_reference, on_chip_grid, on_chip_next --+--> ready, at, grid, after
    ///   fetched --> [ loaded, extent, Next ] ---------+        |
    ///   linked ---> [ linked, Next         ]                   v
    ///   step, done -> [ NextBL ] <------------------- [block_sequence] --> ends
    ///   fetch <---- [ asked ]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `distributing` a group on chip | `ready` | 0 |
    /// | `distributing` a group in memory | `fetch` | 0 |
    /// | `fetched` | `ready` | 1 |
    /// | `step` | the following block in `at` | 1 |
    ///
    /// Storage: NextBL 63, extent 63, Next 32, three flags.
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
            /// The information that was asked for arrives.
            fetched: Signal<In, Bit>,
            /// The group's extent; valid with `fetched`.
            fetched_grid: Signal<In, BlockId>,
            /// The group after it; valid with `fetched`.
            fetched_next: Signal<In, U<32>>,
            /// A group is linked behind `group_reference` in this cycle; only when `distributing`.
            linked: Signal<In, Bit>,
            /// That group; valid with `linked`.
            link_next: Signal<In, U<32>>,
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
            /// The group's information is asked for.
            fetch: Signal<Out, Bit>,
            /// Where it is in memory; zero when not `fetch`.
            fetch_pointer: Signal<Out, U<31>>,
        }
        locals {
            on_chip: Signal<Local, Bit>,
            asks: Signal<Local, Bit>,
            extent: Signal<Local, BlockId>,
        }
        constants {
            first_block: Constant<BlockId>,
            nowhere: Constant<U<31>>,
        }
        children {
            order: BlockSequence = BlockSequence::new(1),
            next_block: Register<BlockId>,
            asked: Register<Bit>,
            loaded: Register<Bit>,
            bypassed: Register<Bit>,
            grid_in_memory: Register<BlockId>,
            next_in_memory: Register<U<32>>,
        }
    }
}

impl Logic for GroupSequence {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.next_block.control);
        Control::link(&mut self.control, &mut self.asked.control);
        Control::link(&mut self.control, &mut self.loaded.control);
        Control::link(&mut self.control, &mut self.bypassed.control);
        Control::link(&mut self.control, &mut self.grid_in_memory.control);
        Control::link(&mut self.control, &mut self.next_in_memory.control);

        self.on_chip.next = !self.group_reference.val().get_bit(31);
        self.ready.next = self.distributing.val() & (self.on_chip.val() | self.loaded.q.val());
        self.extent.next = self.grid_in_memory.q.val();
        self.after.next = self.next_in_memory.q.val();
        if self.on_chip.val() {
            self.extent.next = self.on_chip_grid.val();
            self.after.next = self.on_chip_next.val();
        }
        self.grid.next = self.extent.val();
        self.at.next = self.next_block.q.val();

        // In memory: asked for once, in the first cycle.
        self.asks.next = self.distributing.val() & !self.on_chip.val() & !self.asked.q.val();
        self.fetch.next = self.asks.val();
        self.fetch_pointer.next = self.nowhere.val();
        if self.asks.val() {
            self.fetch_pointer.next = self.group_reference.val().get_bits::<31>(0);
        }

        // NextBL, and the end of the group.
        self.order.at.next = self.next_block.q.val();
        self.order.grid.next = self.extent.val();
        self.ends.next = self.order.ends.val();
        self.next_block.d.next = self.next_block.q.val();
        if self.step.val() {
            self.next_block.d.next = self.order.beyond.val();
        }
        self.asked.d.next = self.asked.q.val() | self.asks.val();
        self.loaded.d.next = self.loaded.q.val();
        self.grid_in_memory.d.next = self.grid_in_memory.q.val();
        self.bypassed.d.next = self.bypassed.q.val();
        self.next_in_memory.d.next = self.next_in_memory.q.val();
        if self.fetched.val() & self.asked.q.val() {
            self.loaded.d.next = true;
            self.grid_in_memory.d.next = self.fetched_grid.val();
            if !self.bypassed.q.val() {
                self.next_in_memory.d.next = self.fetched_next.val();
            }
        }
        // Memory may have been read before the link reached it.
        if self.linked.val() & !self.on_chip.val() {
            self.bypassed.d.next = true;
            self.next_in_memory.d.next = self.link_next.val();
        }
        if self.done.val() {
            self.next_block.d.next = self.first_block.val();
            self.asked.d.next = false;
            self.loaded.d.next = false;
            self.bypassed.d.next = false;
        }
    }
}
