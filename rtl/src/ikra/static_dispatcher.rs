//! IKRA's schedulers without stealing, with the first SMX left open.

use super::one_kernel::OneKernel;
use super::static_unit::StaticUnit;
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{BlockId, Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Bundle, Rotation, Tagged};

hdl_module! {
    /// Kernels one at a time, a chunk for each SMX, a block for any number of SMXs a cycle (IKRA,
    /// sections 4.1 to 4.3; rules 1 to 7 of `docs/ikra.md`). `always` assigns chunks for each
    /// kernel, `flips` alternates the direction.
    ///
    /// ```text
    ///   launch --> [one_kernel: kernel_queue, kernel_control] --begins, load--> [ unit of each SMX ] --> dispatch
    ///                                              ^ done                         |    ^ first, finished, allowed
    ///                                              +------------------------------+    +-- [gates] <-- asks
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, chunks kept or assigned | 2 or 65 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub struct StaticDispatcher (smxs: usize, limits: Limits, always: bool, flips: bool, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// The SMX at position 0; looked at while chunks are assigned.
            first: Signal<In, Word> = Signal::id(smxs),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            launched: Signal<Local, Tagged> = GatePorts::of(smxs, gates).credit(Tagged::default()),
        }
        constants {
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
            zero: Constant<Word> = GatePorts::of(smxs, gates).constant(Word::id(smxs, 0)),
            no_queue: Constant<Bit> = Constant::new(false),
        }
        children {
            one: OneKernel = OneKernel::new(always, 0),
            starts: Rotation<BlockId> = Rotation::new(BlockId::default(), smxs),
            units: Vec<StaticUnit> = (0..smxs)
                .map(|number| StaticUnit::new(number, smxs, limits, flips, !gates.is_empty()))
                .collect(),
            dones: Bundle<Mask> = Bundle::of(smxs),
            asking: Optional<Bundle<Mask>> = GateChain::masks(smxs, gates),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

impl Logic for StaticDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.one.control);

        // Kernels, one at a time.
        LaunchPorts::link(&mut self.launch_ports, &mut self.one.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.one.lookup_ports);
        self.finished_kernels.next = self.one.finished_kernels.val();
        self.one.chunks_ready.next = self.units[0].ready.val();
        self.one.done.next = self.dones.word.val().all();
        self.one.filled.next = self.no_queue.val();

        // Each SMX for itself.
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.units[i].assigns.next = self.one.assigns.val();
            self.units[i].begins.next = self.one.begins.val();
            self.units[i].load.next = self.one.load.val();
            self.units[i].running.next = self.one.running.val();
            self.units[i].head.next = self.one.head.val();
            self.units[i].kernel.next = self.one.kernel.val();
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.starts.word[i].next = self.units[i].start.val();
            self.units[i].behind.next = self.starts.data[i].val();
            self.dones.bits[i].next = self.units[i].done.val();
            self.dispatch[i].next = self.units[i].dispatch.val();
            self.units[i].first.next = self.first.val();
        }

        // One gate after another; there is no SMX whose turn it is.
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.asking.word.val();
            self.gates.taken.next = self.gates.allow.val();
            self.gates.finished.next = self.finished.val();
        }
        for i in 0..self.gate_ports.smxs {
            self.asking.bits[i].next = self.units[i].asks.val();
            self.units[i].allowed.next = self.gates.allow.val().get_bit(i);
        }
        for _is in 0..self.gate_ports.credits {
            self.launched.next.valid =
                self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
            self.launched.next.entry = self.launch_ports.launch_entry.val();
            self.gates.launch.next = self.launched.val();
            self.gates.coalesced.next = self.never.val();
            self.gates.blocks.next = self.launch_ports.launch.val().blocks;
            self.gates.kernel.next = self.one.head.val();
            self.gates.first.next = self.zero.val();
        }
    }
}
