//! Kernels in order of arrival.

use super::Kernel;
use crate::port::{BlockId, Context, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::{AheadMemory, Register, RegisterFile};

hdl_module! {
    /// A ring of 32 kernels; the oldest one runs (rule 1 of `docs/ikra.md`).
    ///
    /// ```text
    ///   launch --> [ ring of 32: context, grid, blocks, needs ] --> head_valid, head, head_grid, ...
    ///   pop -----> [ oldest, held                             ]
    ///   lookup --> [                                          ] --> context_valid, kernel_context
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | head, readable | 1 |
    /// | `pop` | the next kernel is the head; the entry is free | 1 |
    /// | `lookup` | `kernel_context` | 0 |
    ///
    /// Storage: 32 x 93 bits of register file (contexts), 32 x 140 of SRAM (kernels, an
    /// [`AheadMemory`], which has 281 registers), 5 + 6 registers.
    pub struct KernelQueue clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// The head leaves; only with `head_valid`.
            pop: Signal<In, Bit>,
        }
        outputs {
            /// There is a kernel.
            head_valid: Signal<Out, Bit>,
            /// The oldest one's entry; valid with `head_valid`.
            head: Signal<Out, U<5>>,
            /// The same of the next cycle; valid if there is a kernel then.
            next_head: Signal<Out, U<5>>,
            /// The extent of its grid; zero without `head_valid`.
            head_grid: Signal<Out, BlockId>,
            /// Its blocks; zero without `head_valid`.
            head_blocks: Signal<Out, U<31>>,
            /// What each of them takes; zero without `head_valid`.
            head_needs: Signal<Out, Needs>,
        }
        locals {
            held_low: Signal<Local, U<6>>,
            behind: Signal<Local, U<5>>,
            room: Signal<Local, Bit>,
            some: Signal<Local, Bit>,
            accept: Signal<Local, Bit>,
            offered: Signal<Local, Kernel>,
            oldest_kernel: Signal<Local, Kernel>,
            next_oldest: Signal<Local, U<5>>,
            age: Signal<Local, U<5>>,
            age_wide: Signal<Local, U<6>>,
            known: Signal<Local, Bit>,
            stays: Signal<Local, U<6>>,
        }
        constants {
            all: Lit<6, 32>,
            none: Lit<6, 0>,
            one: Lit<6, 1>,
            next_entry: Lit<5, 1>,
            no_kernel: Constant<Kernel>,
            no_context: Constant<Context>,
        }
        children {
            contexts: RegisterFile<Context, 5> = RegisterFile::of(32, 1, 0),
            kernels: AheadMemory<Kernel, 5> = AheadMemory::of(32),
            oldest: Register<U<5>>,
            held: Register<U<6>>,
        }
    }
}

impl Logic for KernelQueue {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.contexts.control);
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.oldest.control);
        Control::link(&mut self.control, &mut self.held.control);

        // Launch: behind the youngest.
        self.held_low.next = self.held.q.val();
        self.behind.next = self.oldest.q.val() + self.held_low.val().get_bits::<5>(0);
        self.room.next = self.held.q.val() != self.all.val();
        self.some.next = self.held.q.val() != self.none.val();
        self.accept.next = self.launch_ports.launch.val().valid & self.room.val();
        self.launch_ports.launch_ready.next = self.room.val();
        self.launch_ports.launch_entry.next = self.behind.val();
        self.contexts.write_enable[0].next = self.accept.val();
        self.contexts.write_address[0].next = self.behind.val();
        self.contexts.write_data[0].next = self.launch_ports.launch.val().context;
        self.offered.next.grid = self.launch_ports.launch.val().grid;
        self.offered.next.blocks = self.launch_ports.launch.val().blocks;
        self.offered.next.needs = self.launch_ports.launch.val().needs;
        self.kernels.write_enable.next = self.accept.val();
        self.kernels.write_address.next = self.behind.val();
        self.kernels.write_data.next = self.offered.val();

        // The head.
        self.head_valid.next = self.some.val();
        self.head.next = self.oldest.q.val();
        self.oldest_kernel.next = self.no_kernel.val();
        if self.some.val() {
            self.oldest_kernel.next = self.kernels.data.val();
        }
        self.head_grid.next = self.oldest_kernel.val().grid;
        self.head_blocks.next = self.oldest_kernel.val().blocks;
        self.head_needs.next = self.oldest_kernel.val().needs;
        self.next_oldest.next = self.oldest.q.val();
        self.stays.next = self.held.q.val();
        if self.pop.val() {
            self.next_oldest.next = self.oldest.q.val() + self.next_entry.val();
            self.stays.next = self.held.q.val() - self.one.val();
        }
        self.oldest.d.next = self.next_oldest.val();
        self.next_head.next = self.next_oldest.val();
        self.kernels.next_address.next = self.next_oldest.val();
        self.held.d.next = self.stays.val();
        if self.accept.val() {
            self.held.d.next = self.stays.val() + self.one.val();
        }

        // Context for the SMX that asks: an entry is in use when it is not further from the oldest
        // than there are kernels.
        self.contexts.address.next = self.lookup_ports.lookup.val().entry;
        self.age.next = self.lookup_ports.lookup.val().entry - self.oldest.q.val();
        self.age_wide.next = bit_cast::<6, 5>(self.age.val());
        self.known.next =
            self.lookup_ports.lookup.val().valid & (self.age_wide.val() < self.held.q.val());
        self.lookup_ports.context_valid.next = self.known.val();
        self.lookup_ports.kernel_context.next = self.no_context.val();
        if self.known.val() {
            self.lookup_ports.kernel_context.next = self.contexts.data.val();
        }
    }
}
