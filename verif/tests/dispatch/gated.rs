//! The dispatcher with a gate whose decisions a test makes, in hardware and in the twin.

use crate::harness::{fresh, mask};
use crate::ports;
use blockyard_rtl::activity;
use blockyard_rtl::dispatch::Dispatcher;
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::word::U;
use blockyard_sim::port::{
    Activity, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler, SmxLimits,
};
use blockyard_sim::sched::{dispatch as twin, AdmissionGate, SmxMask};
use std::cell::Cell;
use std::rc::Rc;

/// What a gate was asked and told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    kernel: KernelEntry,
    request: SmxMask,
    first: usize,
    taken: SmxMask,
    accepted: Option<KernelEntry>,
}

/// A gate that allows what it is told to, and remembers what it has seen.
#[derive(Clone, Debug, Default, PartialEq)]
struct Programmed {
    open: Rc<Cell<SmxMask>>,
    seen: Rc<Cell<Seen>>,
}

impl AdmissionGate for Programmed {
    fn allow(&self, kernel: KernelEntry, request: SmxMask, first: usize) -> SmxMask {
        self.seen.set(Seen { kernel, request, first, ..Seen::default() });
        request & self.open.get()
    }
    fn taken(&mut self, _: KernelEntry, taken: SmxMask) -> Activity {
        self.seen.set(Seen { taken, ..self.seen.get() });
        Activity::Quiet
    }
    fn launch(&mut self, entry: KernelEntry, _: &KernelLaunch) -> Activity {
        self.seen.set(Seen { accepted: Some(entry), ..self.seen.get() });
        Activity::Quiet
    }
    fn reset(&mut self) -> Activity {
        Activity::Quiet
    }
    fn explain(&self, _: KernelEntry) -> String {
        format!("{:?}", self.seen.get())
    }
}

/// Both dispatchers behind one gate.
pub struct Gated {
    hardware: Dispatcher,
    twin: twin::Dispatcher,
    smxs: usize,
    gate: Programmed,
    cycle: u64,
}

impl Gated {
    /// Both after reset.
    pub fn new(smxs: usize, limits: SmxLimits) -> Self {
        let gate = Programmed::default();
        Self {
            hardware: fresh(Dispatcher::new(smxs, ports::limits(limits))),
            twin: twin::Dispatcher::new(smxs, limits, vec![Box::new(gate.clone())]),
            smxs,
            gate,
            cycle: 0,
        }
    }

    /// One cycle in which the gate lets the SMXs in `open` through, compared on every port, those
    /// to the gate among them.
    #[track_caller]
    pub fn cycle(&mut self, inputs: &Inputs, open: SmxMask) -> Outputs {
        self.gate.open.set(open);
        let mut expected = Outputs::idle(self.smxs);
        let twin = self.twin.cycle(inputs, &mut expected);
        self.drive(inputs);
        settle(&mut self.hardware);
        let request = self.hardware.request.val();
        self.hardware.allow.next = request & mask::to_rtl(open & mask::all(self.smxs), self.smxs);
        settle(&mut self.hardware);
        if !inputs.reset {
            assert_eq!(self.outputs(), expected, "hardware, twin; cycle {}", self.cycle);
            self.compare_gate_ports();
        }
        let before = activity::count();
        clock_edge(&mut self.hardware);
        if !inputs.reset && activity::count() == before {
            assert_eq!(twin, Activity::Quiet, "cycle {}: only the twin stored", self.cycle);
        }
        self.cycle += 1;
        expected
    }

    /// How many SMXs there are.
    pub fn smxs(&self) -> usize {
        self.smxs
    }

    /// The pointer that the gate saw in the last cycle.
    pub fn first(&self) -> usize {
        self.gate.seen.get().first
    }

    fn drive(&mut self, inputs: &Inputs) {
        self.hardware.drive_reset(inputs.reset);
        self.hardware.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        self.hardware.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
        let mut finished = SmxMask::ZERO;
        for (smx, entry) in inputs.finished.iter().enumerate() {
            finished.set(smx, entry.is_some());
            self.hardware.finished_kernel[smx].next = ports::tagged(*entry).entry;
        }
        mask::drive(&mut self.hardware.finished, finished);
    }

    fn outputs(&self) -> Outputs {
        let hardware = &self.hardware;
        let entry = ports::entry(hardware.launch_ports.launch_entry.val());
        let dispatch = hardware.dispatch.iter();
        let dispatch = dispatch.map(|port| ports::dispatch(port.val(), U::new(0))).collect();
        Outputs {
            launch_ready: hardware.launch_ports.launch_ready.val().then_some(entry),
            dispatch,
            finished_kernels: hardware.finished_kernels.val().raw() as u32,
            context: ports::context(
                hardware.lookup_ports.context_valid.val(),
                hardware.lookup_ports.kernel_context.val(),
            ),
            ..Default::default()
        }
    }

    fn compare_gate_ports(&self) {
        let (hardware, seen) = (&self.hardware, self.gate.seen.get());
        let request = mask::from_rtl(hardware.request.val());
        assert_eq!(request, seen.request, "request, cycle {}", self.cycle);
        assert_eq!(hardware.first.val().index(), seen.first, "first, cycle {}", self.cycle);
        if request.any() {
            // Without a request the kernel that it is about is undefined.
            assert_eq!(
                ports::entry(hardware.head.val()),
                seen.kernel,
                "head, cycle {}",
                self.cycle
            );
        }
        let taken = mask::from_rtl(hardware.taken.val());
        assert_eq!(taken, seen.taken, "taken, cycle {}", self.cycle);
        let accepted = hardware.accepted.val();
        let accepted = accepted.valid.then(|| ports::entry(accepted.entry));
        assert_eq!(accepted, seen.accepted, "accepted, cycle {}", self.cycle);
    }
}
