//! Kernels of the host and of the device that wait and run.

use super::{Kernel, Ticket};
use crate::port::{resident_bits, BlockId, Context, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::{AheadMemory, Fifo, PriorityEncoder, Register, RegisterFile, Tagged, TallyBank};

hdl_module! {
    /// 32 kernels, of which the host's wait in one line and those of the device in another one, and
    /// how many blocks of each are in execution (IKRA, section 8; rule 21 of `docs/ikra.md`).
    ///
    /// ```text
    ///   launch, home, level --> [ occupied, contexts, grids, blocks, needs ] --> launch_entry, context, freed[s]
    ///   host_pop -------------> [ line of entries                          ] --> host, host_grid, ...
    ///   child_pop ------------> [ line of entries, homes, levels           ] --> child, child_grid, ...
    ///   dispatched, finished -> [ blocks in execution                      ] --> resident
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first of its line, readable | 1 |
    /// | `host_pop`, `child_pop` | the next one of the line | 1 |
    /// | `ends` | the entry is free | 1 |
    /// | `dispatched`, `finished` | `resident` | 1 |
    /// | `finished`, `lookup` | `freed`, `kernel_context` | 0 |
    ///
    /// What of kernels the first one of each line shows is fetched a cycle ahead, and stored for
    /// both lines; what they need also where a finished block of each SMX reads it.
    ///
    /// Storage: [`AheadMemory`]s of 32 x 63 bits for hosts' and 32 x 140 for device kernels; 32 x
    /// (93 context + 31 blocks + 46 needs + 5 + 12 lines) bits of register file, 32 x
    /// `resident_bits(smxs)` counter registers (11 up to 32 SMXs), 32 + 2 x 17 registers. A line's
    /// word has an SMX's number of 5 bits up to 32 SMXs.
    pub struct NestedKernels (smxs: usize) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// Its home; valid with `launch`.
            home: Signal<In, Word> = Signal::id(smxs),
            /// Its level, 0 for a host kernel; valid with `launch`.
            level: Signal<In, U<2>>,
            /// The first host kernel leaves its line; only with `host_valid`.
            host_pop: Signal<In, Bit>,
            /// The first device kernel leaves its line; only with `child_valid`.
            child_pop: Signal<In, Bit>,
            /// One bit for each entry in use: its kernel ends.
            ends: Signal<In, U<32>>,
            /// For each SMX: a block of that kernel is dispatched there.
            dispatched: Vec<Signal<In, Tagged>> = Signal::each(smxs, Tagged::default()),
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// There is a host kernel.
            host_valid: Signal<Out, Bit>,
            /// The first one's entry; zero without one.
            host: Signal<Out, U<5>>,
            /// The extent of its grid; zero without one.
            host_grid: Signal<Out, BlockId>,
            /// Its blocks; zero without one.
            host_blocks: Signal<Out, U<31>>,
            /// What each of them takes; zero without one.
            host_needs: Signal<Out, Needs>,
            /// A device kernel waits.
            child_valid: Signal<Out, Bit>,
            /// The first one's entry; zero without one.
            child: Signal<Out, U<5>>,
            /// The extent of its grid; zero without one.
            child_grid: Signal<Out, BlockId>,
            /// It has no blocks; low without one.
            child_empty: Signal<Out, Bit>,
            /// What each of them takes; zero without one.
            child_needs: Signal<Out, Needs>,
            /// Its home; zero without one.
            child_home: Signal<Out, Word> = Signal::id(smxs),
            /// Its level; zero without one.
            child_level: Signal<Out, U<2>>,
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each entry: blocks of it are in execution; depends on the state alone.
            resident: Signal<Out, U<32>>,
        }
        locals {
            accept: Signal<Local, Bit>,
            admitted: Signal<Local, U<32>>,
            first_host: Signal<Local, Kernel>,
            first_child: Signal<Local, Ticket> = Signal::of(Ticket::none(smxs)),
            following: Signal<Local, Ticket> = Signal::of(Ticket::none(smxs)),
            child_kernel: Signal<Local, Kernel>,
            asked: Signal<Local, U<32>>,
        }
        constants {
            host_level: Lit<2, 0>,
            no_blocks: Lit<31, 0>,
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            zero: Lit<5, 0>,
            nothing: Constant<Needs>,
            no_kernel: Constant<Kernel>,
            no_ticket: Constant<Ticket> = Constant::new(Ticket::none(smxs)),
            no_context: Constant<Context>,
        }
        children {
            occupied: Register<U<32>>,
            free_entry: PriorityEncoder<U<32>>,
            contexts: RegisterFile<Context, 5> = RegisterFile::of(32, 1, 0),
            grids: AheadMemory<BlockId, 5> = AheadMemory::of(32),
            blocks: RegisterFile<U<31>, 5> = RegisterFile::of(32, 1, 0),
            needs: RegisterFile<Needs, 5> = RegisterFile::of(32, 1, smxs),
            waiting: AheadMemory<Kernel, 5> = AheadMemory::of(32),
            hosts: Fifo<U<5>, 5> = Fifo::with_next_head(U::new(0)),
            children: Fifo<Ticket, 5> = Fifo::with_next_head(Ticket::none(smxs)),
            in_execution: TallyBank = TallyBank::new(smxs, resident_bits(smxs)),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for NestedKernels {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.occupied.control);
        Control::link(&mut self.control, &mut self.contexts.control);
        Control::link(&mut self.control, &mut self.grids.control);
        Control::link(&mut self.control, &mut self.blocks.control);
        Control::link(&mut self.control, &mut self.needs.control);
        Control::link(&mut self.control, &mut self.waiting.control);
        Control::link(&mut self.control, &mut self.hosts.control);
        Control::link(&mut self.control, &mut self.children.control);
        Control::link(&mut self.control, &mut self.in_execution.control);

        // Launch: the lowest free entry takes the kernel, and its line the entry.
        self.free_entry.request.next = !self.occupied.q.val();
        self.launch_ports.launch_ready.next = self.free_entry.valid.val();
        self.launch_ports.launch_entry.next = self.free_entry.index.val();
        self.accept.next = self.launch_ports.launch.val().valid & self.free_entry.valid.val();
        self.contexts.write_enable[0].next = self.accept.val();
        self.contexts.write_address[0].next = self.free_entry.index.val();
        self.contexts.write_data[0].next = self.launch_ports.launch.val().context;
        self.grids.write_enable.next = self.accept.val();
        self.grids.write_address.next = self.free_entry.index.val();
        self.grids.write_data.next = self.launch_ports.launch.val().grid;
        self.blocks.write_enable[0].next = self.accept.val();
        self.blocks.write_address[0].next = self.free_entry.index.val();
        self.blocks.write_data[0].next = self.launch_ports.launch.val().blocks;
        self.needs.write_enable[0].next = self.accept.val();
        self.needs.write_address[0].next = self.free_entry.index.val();
        self.needs.write_data[0].next = self.launch_ports.launch.val().needs;
        self.waiting.write_enable.next = self.accept.val();
        self.waiting.write_address.next = self.free_entry.index.val();
        self.waiting.write_data.next.grid = self.launch_ports.launch.val().grid;
        self.waiting.write_data.next.blocks = self.launch_ports.launch.val().blocks;
        self.waiting.write_data.next.needs = self.launch_ports.launch.val().needs;
        self.hosts.push.next = self.accept.val() & (self.level.val() == self.host_level.val());
        self.hosts.data.next = self.free_entry.index.val();
        self.hosts.pop.next = self.host_pop.val();
        self.children.push.next = self.accept.val() & (self.level.val() != self.host_level.val());
        self.children.data.next.kernel = self.free_entry.index.val();
        self.children.data.next.home = self.home.val();
        self.children.data.next.level = self.level.val();
        self.children.pop.next = self.child_pop.val();
        self.admitted.next = self.nobody.val();
        if self.accept.val() {
            self.admitted.next = self.free_entry.grant.val();
        }
        self.occupied.d.next = (self.occupied.q.val() | self.admitted.val()) & !self.ends.val();

        // The first host kernel.
        self.grids.next_address.next = self.hosts.next_head.val();
        self.blocks.address.next = self.hosts.head.val();
        self.needs.address.next = self.hosts.head.val();
        self.host_valid.next = !self.hosts.empty.val();
        self.host.next = self.zero.val();
        self.first_host.next = self.no_kernel.val();
        if !self.hosts.empty.val() {
            self.host.next = self.hosts.head.val();
            self.first_host.next.grid = self.grids.data.val();
            self.first_host.next.blocks = self.blocks.data.val();
            self.first_host.next.needs = self.needs.data.val();
        }
        self.host_grid.next = self.first_host.val().grid;
        self.host_blocks.next = self.first_host.val().blocks;
        self.host_needs.next = self.first_host.val().needs;

        // The first device kernel.
        self.first_child.next = self.no_ticket.val();
        if !self.children.empty.val() {
            self.first_child.next = self.children.head.val();
        }
        self.following.next = self.children.next_head.val();
        self.waiting.next_address.next = self.following.val().kernel;
        self.child_kernel.next = self.no_kernel.val();
        if !self.children.empty.val() {
            self.child_kernel.next = self.waiting.data.val();
        }
        self.child_valid.next = !self.children.empty.val();
        self.child.next = self.first_child.val().kernel;
        self.child_home.next = self.first_child.val().home;
        self.child_level.next = self.first_child.val().level;
        self.child_grid.next = self.child_kernel.val().grid;
        self.child_empty.next =
            !self.children.empty.val() & (self.child_kernel.val().blocks == self.no_blocks.val());
        self.child_needs.next = self.child_kernel.val().needs;

        // Blocks in execution, and what the finished ones return.
        self.in_execution.decrease.next = self.finished.val();
        for i in 0..self.smxs {
            self.in_execution.increase[i].next = self.dispatched[i].val();
            self.in_execution.decrease_entry[i].next = self.finished_kernel[i].val();
            self.needs.also_address[i].next = self.finished_kernel[i].val();
            self.freed[i].next = self.nothing.val();
            if self.finished.val().get_bit(i) {
                self.freed[i].next = self.needs.also_data[i].val();
            }
        }
        self.resident.next = !self.in_execution.zero.val();

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
    }
}
