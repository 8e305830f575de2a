//! What the Kernel Distributor stores.

mod properties;

use crate::optional::Optional;
use crate::port::{resident_bits, step_bits, BlockId, Context, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::{CounterBank, PriorityEncoder, Register, RegisterFile};

hdl_module! {
    /// 32 kernels with entry PC, parameter address, grid and block dimensions, needs, next block
    /// and blocks in execution (DTBL, section 2.2 and figure 4). In which order blocks follow each
    /// other, and how many go in a cycle, is the business of whoever drives `step` and `after`.
    ///
    /// ```text
    ///   launch -------------> [ contexts, grids, needs, next blocks ] --> head_block, head_grid, ..., context
    ///   head, step, after --> [ occupied ] -----------------------------> launch_ready, launch_entry
    ///   finished[s] --------> [ blocks in execution ] ------------------> freed[s], finished_kernels
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | entry readable | 1 |
    /// | `step`, `after` | `after` as the next `head_block` | 1 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | `head`, `finished`, `lookup`, `probe` | what they read | 0 |
    ///
    /// Storage: 32 x (93 context + 63 grid + 46 needs + 63 next block) bits of register file, 32 x
    /// `resident_bits(smxs)` counter registers (11 up to 32 SMXs), 32 occupancy registers; 46 more
    /// in a table [`Self::ahead`].
    pub struct KernelEntries (smxs: usize) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// Whether `head` names an entry.
            head_valid: Signal<In, Bit>,
            /// The entry whose blocks are distributed; valid with `head_valid`.
            head: Signal<In, U<5>>,
            /// How many of the head's blocks are dispatched in this cycle; only with `head_valid`.
            step: Signal<In, Word> = Signal::word(step_bits(smxs)),
            /// The block that follows them; valid when `step` is not zero.
            after: Signal<In, BlockId> => Self::moves,
            /// One bit for each entry: it has blocks to distribute, or stays for another reason.
            marked: Signal<In, U<32>>,
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// The entry that a search looks at.
            probe: Signal<In, U<5>>,
            /// `after` follows although nothing is dispatched, in a table whose head [`Move`]s so;
            /// only with `head_valid`.
            skip: Signal<In, Bit> = Signal::optional(false, false),
            /// One bit for each entry that is released at the end of the cycle, in a table of which
            /// others have a part; within `finished_kernels` of all.
            released: Signal<In, U<32>> = Signal::optional(false, U::new(0)),
            /// The kernel that is the head after this one, in a table [`Self::ahead`]; with neither
            /// `head_valid` nor `alone` whatever.
            second: Signal<In, U<5>> = Signal::optional(false, U::new(0)),
            /// No kernel waits behind the head, in a table [`Self::ahead`].
            alone: Signal<In, Bit> = Signal::optional(false, false),
            /// The head is none any more from the next cycle on, in a table [`Self::ahead`]; only
            /// with `head_valid`.
            leaves: Signal<In, Bit> = Signal::optional(false, false),
        }
        outputs {
            /// The head's next block; zero without `head_valid`.
            head_block: Signal<Out, BlockId>,
            /// The extent of its grid; zero without `head_valid`.
            head_grid: Signal<Out, BlockId>,
            /// What each of its blocks takes; zero without `head_valid`.
            head_needs: Signal<Out, Needs>,
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each entry: occupied, nothing to distribute, nothing in execution. The
            /// entry is released at the end of the cycle, unless `released` says when.
            finished_kernels: Signal<Out, U<32>>,
            /// Whether the entry at `probe` is occupied.
            probe_valid: Signal<Out, Bit>,
            /// Its context; zero when not `probe_valid`.
            probe_context: Signal<Out, Context>,
        }
        locals {
            accept: Signal<Local, Bit>,
            admitted: Signal<Local, U<32>>,
            ended: Signal<Local, U<32>>,
            asked: Signal<Local, U<32>>,
            probed: Signal<Local, U<32>>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            first_block: Constant<BlockId>,
            nothing: Constant<Needs>,
            no_context: Constant<Context>,
        }
        children {
            occupied: Register<U<32>>,
            free_entry: PriorityEncoder<U<32>>,
            contexts: RegisterFile<Context, 5> = RegisterFile::of(32, 1, 1),
            grids: RegisterFile<BlockId, 5> = RegisterFile::of(32, 1, 0),
            needs: RegisterFile<Needs, 5> = RegisterFile::of(32, 1, smxs),
            next_blocks: RegisterFile<BlockId, 5> = RegisterFile::of(32, 2, 0),
            fetched: Optional<Register<Needs>> = Optional::new(None),
            in_execution: CounterBank =
                CounterBank::new(smxs, resident_bits(smxs), step_bits(smxs)),
        }
        state { smxs: usize = smxs, skips: usize = 0, shared: usize = 0, ahead: usize = 0 }
        properties { properties::of }
    }
}

/// How the head goes on, beside the blocks that it dispatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Not at all.
    Dispatches,
    /// By a block that is not dispatched.
    Skips,
    /// Also to any block.
    Jumps,
}

impl KernelEntries {
    /// Whose head moves in such a way, and which are `shared`, so that `released` says when a
    /// kernel leaves them.
    pub fn moving(smxs: usize, how: Move, shared: bool) -> Self {
        let skips = how != Move::Dispatches;
        Self {
            skip: Signal::optional(skips, false),
            released: Signal::optional(shared, U::new(0)),
            skips: usize::from(skips),
            shared: usize::from(shared),
            ..Self::new(smxs)
        }
    }

    /// Whose head is the kernel that was accepted first of those that wait. What the next head's
    /// blocks take is known a cycle ahead then, and shows without a way through the table.
    pub fn ahead(self) -> Self {
        Self {
            second: Signal::of(U::new(0)),
            alone: Signal::of(false),
            leaves: Signal::of(false),
            fetched: Optional::new(Some(Register::new(Needs::default()))),
            ahead: 1,
            ..self
        }
    }

    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(self, entries: usize) -> Self {
        Self {
            contexts: RegisterFile::of(entries, 1, 1),
            grids: RegisterFile::of(entries, 1, 0),
            needs: RegisterFile::of(entries, 1, self.smxs),
            next_blocks: RegisterFile::of(entries, 2, 0),
            ..self
        }
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> usize {
        self.grids.words()
    }
}

impl KernelEntries {
    /// Whether an entry is occupied after the last clock edge.
    pub(crate) fn is_occupied(&self, kernel: usize) -> bool {
        self.occupied.q.val().get_bit(kernel)
    }

    fn moves(&self) -> bool {
        self.step.val().any() || self.skip.val()
    }
}

impl Logic for KernelEntries {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.occupied.control);
        Control::link(&mut self.control, &mut self.contexts.control);
        Control::link(&mut self.control, &mut self.grids.control);
        Control::link(&mut self.control, &mut self.needs.control);
        Control::link(&mut self.control, &mut self.next_blocks.control);
        Control::link(&mut self.control, &mut self.in_execution.control);

        // Launch: the lowest free entry takes the kernel.
        self.free_entry.request.next = !self.occupied.q.val();
        self.launch_ports.launch_ready.next = self.free_entry.valid.val();
        self.launch_ports.launch_entry.next = self.free_entry.index.val();
        self.accept.next = self.launch_ports.launch.val().valid & self.free_entry.valid.val();
        self.contexts.write_enable[0].next = self.accept.val();
        self.contexts.write_address[0].next = self.free_entry.index.val();
        self.contexts.write_data[0].next = self.launch_ports.launch.val().context;
        self.grids.write_enable[0].next = self.accept.val();
        self.grids.write_address[0].next = self.free_entry.index.val();
        self.grids.write_data[0].next = self.launch_ports.launch.val().grid;
        self.needs.write_enable[0].next = self.accept.val();
        self.needs.write_address[0].next = self.free_entry.index.val();
        self.needs.write_data[0].next = self.launch_ports.launch.val().needs;
        self.next_blocks.write_enable[0].next = self.accept.val();
        self.next_blocks.write_address[0].next = self.free_entry.index.val();
        self.next_blocks.write_data[0].next = self.first_block.val();

        // The head.
        self.grids.address.next = self.head.val();
        self.needs.address.next = self.head.val();
        self.next_blocks.address.next = self.head.val();
        self.head_block.next = self.first_block.val();
        self.head_grid.next = self.first_block.val();
        self.head_needs.next = self.nothing.val();
        if self.head_valid.val() {
            self.head_block.next = self.next_blocks.data.val();
            self.head_grid.next = self.grids.data.val();
            self.head_needs.next = self.needs.data.val();
        }
        for _is in 0..self.ahead {
            // A kernel that is accepted in this cycle is the next head if no other one is; without
            // one it stays zero.
            Control::link(&mut self.control, &mut self.fetched.control);
            self.needs.address.next = self.second.val();
            self.fetched.d.next = self.fetched.q.val();
            if !self.head_valid.val() | (self.leaves.val() & self.alone.val()) {
                self.fetched.d.next = self.nothing.val();
                if self.accept.val() {
                    self.fetched.d.next = self.launch_ports.launch.val().needs;
                }
            }
            if self.leaves.val() & !self.alone.val() {
                self.fetched.d.next = self.needs.data.val();
            }
            self.head_needs.next = self.fetched.q.val();
        }
        self.next_blocks.write_enable[1].next = self.step.val().any();
        self.next_blocks.write_address[1].next = self.head.val();
        self.next_blocks.write_data[1].next = self.after.val();
        for _is in 0..self.skips {
            self.next_blocks.write_enable[1].next = self.step.val().any() | self.skip.val();
        }

        // Blocks in execution, and what the finished ones return.
        self.in_execution.increase_entry.next = self.head.val();
        self.in_execution.increase_by.next = self.step.val();
        self.in_execution.decrease.next = self.finished.val();
        for i in 0..self.smxs {
            self.in_execution.decrease_entry[i].next = self.finished_kernel[i].val();
            self.needs.also_address[i].next = self.finished_kernel[i].val();
            self.freed[i].next = self.nothing.val();
            if self.finished.val().get_bit(i) {
                self.freed[i].next = self.needs.also_data[i].val();
            }
        }

        // Occupancy: admitted at launch, released when nothing is left.
        self.ended.next = self.occupied.q.val() & !self.marked.val() & self.in_execution.zero.val();
        self.finished_kernels.next = self.ended.val();
        self.admitted.next = self.nobody.val();
        if self.accept.val() {
            self.admitted.next = self.free_entry.grant.val();
        }
        self.occupied.d.next = (self.occupied.q.val() | self.admitted.val()) & !self.ended.val();
        for _is in 0..self.shared {
            self.occupied.d.next =
                (self.occupied.q.val() | self.admitted.val()) & !self.released.val();
        }

        // Context for the SMX that asks.
        self.contexts.address.next = self.lookup_ports.lookup.val().entry;
        self.asked.next =
            self.occupied.q.val() & (self.bit_zero.val() << self.lookup_ports.lookup.val().entry);
        self.lookup_ports.context_valid.next =
            self.lookup_ports.lookup.val().valid & self.asked.val().any();
        self.lookup_ports.kernel_context.next = self.no_context.val();
        if self.lookup_ports.lookup.val().valid & self.asked.val().any() {
            self.lookup_ports.kernel_context.next = self.contexts.data.val();
        }

        // Context for the search.
        self.contexts.also_address[0].next = self.probe.val();
        self.probed.next = self.occupied.q.val() & (self.bit_zero.val() << self.probe.val());
        self.probe_valid.next = self.probed.val().any();
        self.probe_context.next = self.no_context.val();
        if self.probed.val().any() {
            self.probe_context.next = self.contexts.also_data[0].val();
        }
    }
}
