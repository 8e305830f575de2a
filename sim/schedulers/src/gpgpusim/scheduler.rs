//! Twin of `gpgpusim/scheduler`: the whole of `rr-gpgpusim`.
//!
//! Written from the rules alone, not from the division into modules, so that an error in the
//! division shows. Latency: launch to first dispatch 1 cycle, finish to refill 0 cycles, last
//! finish to `finished_kernels` 1 cycle, and from there to the next kernel's first dispatch 1
//! cycle.

use super::super::admission::{GateEvents, Gates};
use super::super::mask::round;
use super::super::{AdmissionGate, Twin};
use super::cap_table::MOST_CAP;
use super::cover;
use crate::cover::{counting, when};
use crate::dispatch::{Entry, FcfsControl, FcfsControlInputs, ResourceTable, ResourceTableInputs};
use crate::port::{
    Activity, BlockNeeds, Dispatch, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits,
    KERNEL_ENTRIES, MAX_SMX,
};

/// An occupied entry of the kernel table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kernel {
    entry: Entry,
    /// Rule 3.
    cap: u32,
    /// Its resident blocks on each SMX.
    resident: Vec<u32>,
}

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct GpgpuSim {
    smx: usize,
    kernels: Vec<Option<Kernel>>,
    marked: FcfsControl,
    resources: ResourceTable,
    /// The SMX that is visited first.
    first: usize,
    /// The kernel whose blocks have all been dispatched and that has not finished yet.
    running: Option<KernelEntry>,
    gates: Gates,
}

/// What is decided in a cycle.
#[derive(Default)]
struct Decision {
    dispatched: Vec<(usize, Dispatch)>,
    /// The head has no block left after these.
    exhausted: bool,
}

impl GpgpuSim {
    /// A scheduler for `smx` SMXs after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            smx,
            kernels: vec![None; KERNEL_ENTRIES],
            marked: FcfsControl::new(),
            resources: ResourceTable::new(smx, limits),
            first: 0,
            running: None,
            gates: Gates::new(gates),
        }
    }

    /// Rule 1: the oldest marked kernel, while no other one is running.
    fn head(&self) -> Option<KernelEntry> {
        match self.running {
            Some(_) => None,
            None => self.marked.evaluate(&FcfsControlInputs::default()).head,
        }
    }

    fn kernel(&self, entry: KernelEntry) -> Option<&Kernel> {
        self.kernels.get(entry.index())?.as_ref()
    }

    /// What ends in this cycle, as the resource table wants it, and what the head's blocks need.
    fn resource_inputs(&self, inputs: &Inputs) -> ResourceTableInputs {
        let head = self.head().and_then(|head| self.kernel(head));
        let needs = head.map_or(BlockNeeds::default(), |kernel| kernel.entry.needs);
        let mut resources = ResourceTableInputs { needs, ..Default::default() };
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(kernel) = finished.and_then(|entry| self.kernel(entry)) {
                resources.finished.set(smx, true);
                resources.freed[smx] = kernel.entry.needs;
            }
        }
        resources
    }

    /// Rules 2 to 4.
    fn decide(&self, inputs: &Inputs, resources: &ResourceTableInputs) -> Decision {
        let mut decision = Decision::default();
        let Some(head) = self.head() else {
            return decision;
        };
        let Some(Kernel { mut entry, cap, ref resident }) = self.kernels[head.index()] else {
            return decision;
        };
        let mut request = self.resources.evaluate(resources).room;
        for smx in 0..self.smx {
            let ends = u32::from(inputs.finished[smx] == Some(head));
            let below = resident[smx].saturating_sub(ends) < cap;
            request.set(smx, request[smx] && below);
        }
        let request = self.gates.allow(head, request, self.first, resources.finished);
        decision.exhausted = entry.is_empty();
        for smx in round(self.first, self.smx) {
            if decision.exhausted {
                break;
            }
            if request[smx] {
                let block = entry.next_block;
                decision
                    .dispatched
                    .push((smx, Dispatch { kernel: head, block, ..Default::default() }));
                decision.exhausted = entry.is_last();
                entry.next_block = entry.following();
            }
        }
        decision
    }

    /// What keeps blocks back, and how far a visit goes.
    fn cover(&self, inputs: &Inputs, decision: &Decision) {
        let marked = self.marked.evaluate(&FcfsControlInputs::default()).head;
        when(marked.is_some() && self.running.is_some(), &cover::WAITS);
        let kernel = self.head().and_then(|head| self.kernel(head));
        when(decision.exhausted && decision.dispatched.is_empty(), &cover::EMPTY);
        when(self.smx > 1 && decision.dispatched.len() == self.smx, &cover::EVERY_SMX);
        let places: Vec<usize> = decision.dispatched.iter().map(|(smx, _)| *smx).collect();
        when(places.windows(2).any(|pair| pair[0] > pair[1]), &cover::WRAPS);
        if let Some(Kernel { cap, resident, .. }) = kernel {
            when(*cap == MOST_CAP, &cover::MOST_CAP);
            let ends = |smx: usize| u32::from(inputs.finished[smx].is_some());
            let at_cap = |smx: usize| resident[smx].saturating_sub(ends(smx)) >= *cap;
            when(!decision.exhausted && (0..self.smx).any(at_cap), &cover::CAPPED);
        }
    }

    fn finished_kernels(&self) -> u32 {
        let marked = self.marked.evaluate(&FcfsControlInputs::default()).marked;
        let mut bits = 0;
        for (k, kernel) in self.kernels.iter().enumerate() {
            let ended = kernel.as_ref().is_some_and(|kernel| kernel.entry.executing == 0);
            bits |= u32::from(ended && marked >> k & 1 == 0) << k;
        }
        bits
    }

    fn lowest_free(&self) -> Option<KernelEntry> {
        self.kernels.iter().position(Option::is_none).map(|k| KernelEntry(k as u8))
    }

    /// The clock edge, but for the resources and the gates.
    fn clock(&mut self, inputs: &Inputs, decision: &Decision) -> bool {
        let (head, free, released) = (self.head(), self.lowest_free(), self.finished_kernels());
        let mut changed = decision.exhausted || !decision.dispatched.is_empty() || released != 0;

        for (smx, finished) in inputs.finished.iter().enumerate() {
            let kernel = finished.and_then(|entry| self.kernels[entry.index()].as_mut());
            if let Some(Kernel { entry, resident, .. }) = kernel {
                entry.executing = entry.executing.saturating_sub(1);
                resident[smx] = resident[smx].saturating_sub(1);
                changed = true;
            }
        }
        for &(smx, dispatch) in &decision.dispatched {
            if let Some(Kernel { entry, resident, .. }) = &mut self.kernels[dispatch.kernel.index()]
            {
                entry.next_block = entry.following();
                entry.executing += 1;
                resident[smx] += 1;
            }
            self.first = (smx + 1) % self.smx;
        }

        // An empty grid is unmarked too, but nobody waits for it.
        if decision.exhausted && !decision.dispatched.is_empty() {
            self.running = head;
        } else if self.running.is_some_and(|entry| released >> entry.index() & 1 == 1) {
            self.running = None;
        }
        for (k, kernel) in self.kernels.iter_mut().enumerate() {
            if released >> k & 1 == 1 {
                *kernel = None;
            }
        }
        let accepted = inputs.launch.zip(free);
        if let Some((launch, entry)) = accepted {
            self.kernels[entry.index()] = Some(Kernel {
                entry: Entry::of(&launch),
                cap: launch.blocks.div_ceil(self.smx as u32).min(MOST_CAP),
                resident: vec![0; self.smx],
            });
            changed = true;
        }
        self.marked.clock(&FcfsControlInputs {
            reset: false,
            mark: accepted.map(|(_, entry)| entry),
            unmark: decision.exhausted,
        });
        changed
    }

    fn reset(&mut self) -> Activity {
        let changed =
            self.running.is_some() || self.first != 0 || self.kernels.iter().any(Option::is_some);
        self.kernels.fill(None);
        (self.first, self.running) = (0, None);
        let marked = self.marked.clock(&FcfsControlInputs { reset: true, ..Default::default() });
        let resources =
            self.resources.clock(&ResourceTableInputs { reset: true, ..Default::default() });
        Activity::any([changed.into(), marked, resources, self.gates.reset()])
    }
}

impl Scheduler for GpgpuSim {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        if inputs.reset {
            return self.reset();
        }
        let mut resources = self.resource_inputs(inputs);
        let decision = self.decide(inputs, &resources);
        if counting() {
            self.cover(inputs, &decision);
        }
        for &(smx, dispatch) in &decision.dispatched {
            outputs.dispatch[smx] = Some(dispatch);
            resources.take.set(smx, true);
        }
        outputs.launch_ready = self.lowest_free();
        outputs.finished_kernels = self.finished_kernels();
        let asked = inputs.lookup.and_then(|entry| self.kernel(entry));
        outputs.context = asked.map(|kernel| kernel.entry.context());

        let events = GateEvents {
            taken: (self.head().unwrap_or_default(), resources.take),
            entered: inputs.launch.as_ref().zip(outputs.launch_ready),
            coalesced: None,
            finished: resources.finished,
            samples: inputs.samples.as_deref(),
        };
        let (gates, resources) = (self.gates.clock(&events), self.resources.clock(&resources));
        Activity::any([gates, resources, self.clock(inputs, &decision).into()])
    }

    fn explain(&self) -> String {
        let head = self.head().and_then(|head| Some((head, self.kernel(head)?)));
        let first = match (self.running, head) {
            (Some(running), _) => {
                format!("the scheduler waits for the kernel in entry {} to finish", running.0)
            }
            (None, Some((head, kernel))) => format!(
                "the scheduler distributes the kernel in entry {}, at most {} blocks an SMX",
                head.0, kernel.cap
            ),
            (None, None) => "the scheduler has no kernel to distribute".to_owned(),
        };
        let reasons = head.into_iter().flat_map(|(head, _)| self.gates.explain(head));
        let lines = std::iter::once(first).chain(reasons).chain(self.resources.explain());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Twin for GpgpuSim {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}

#[cfg(test)]
mod tests;
