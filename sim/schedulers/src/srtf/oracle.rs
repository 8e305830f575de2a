//! `sjf`, `ljf` and `srtf/zero-sampling` (`docs/srtf.md`, rules 18 and 19): policies that are told
//! how long kernels run (sections 2 and 6.2.2). They have no hardware.

use super::super::admission::{GateEvents, Gates};
use super::super::dispatch::{
    KernelTable, KernelTableInputs, ResourceTable, ResourceTableInputs, RoundRobin,
    RoundRobinInputs,
};
use super::super::{AdmissionGate, SmxMask, Twin};
use super::config::{OracleConfig, OracleKind};
use crate::port::{
    Activity, Dispatch, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits, MAX_SMX,
};

/// A kernel in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kernel {
    entry: KernelEntry,
    /// Which launch it was, from 0.
    ordinal: u64,
    blocks: u32,
    ended: u32,
    open: bool,
}

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Oracle {
    config: OracleConfig,
    smx: usize,
    table: KernelTable,
    resources: ResourceTable,
    round_robin: RoundRobin,
    /// In order of arrival.
    kernels: Vec<Kernel>,
    launched: u64,
    /// Cycles in which still nothing is dispatched.
    wait: u16,
    gates: Gates,
}

impl Oracle {
    /// A scheduler for `smx` SMXs after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        config: OracleConfig,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            config,
            smx,
            table: KernelTable::new(),
            resources: ResourceTable::new(smx, limits),
            round_robin: RoundRobin::new(smx),
            kernels: Vec::new(),
            launched: 0,
            wait: 0,
            gates: Gates::new(gates),
        }
    }

    /// What decides: the kernel with the least of it goes first. Without a run time it is the last
    /// one.
    fn rank(&self, kernel: &Kernel) -> (bool, u128) {
        let Some(runtime) = self.config.runtimes.of(kernel.ordinal) else {
            return (true, 0);
        };
        let (runtime, blocks) = (u128::from(runtime), u128::from(kernel.blocks));
        let left = u128::from(kernel.blocks.saturating_sub(kernel.ended));
        match self.config.kind {
            OracleKind::Shortest => (false, runtime),
            OracleKind::Longest => (false, u128::MAX - runtime),
            OracleKind::Remaining => (false, runtime * left / blocks.max(1)),
        }
    }

    /// The kernel whose next block may go.
    fn head(&self) -> Option<KernelEntry> {
        let eligible = self.kernels.iter().filter(|kernel| kernel.open && kernel.blocks > 0);
        // `min_by_key` takes the first one of equals, which is the oldest.
        let head = eligible.min_by_key(|kernel| self.rank(kernel));
        head.filter(|_| self.wait == 0).map(|kernel| kernel.entry)
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let used = !self.kernels.is_empty() || self.launched != 0 || self.wait != 0;
        self.kernels.clear();
        (self.launched, self.wait) = (0, 0);
        Activity::any([
            used.into(),
            self.table.clock(&KernelTableInputs { reset, ..Default::default() }),
            self.resources.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ])
    }

    /// The clock edge of what the oracle knows of kernels.
    fn count(
        &mut self,
        inputs: &Inputs,
        accepted: Option<(KernelEntry, u32)>,
        last: Option<KernelEntry>,
        leaves: u32,
    ) -> bool {
        let before = (self.kernels.clone(), self.wait);
        for kernel in &mut self.kernels {
            let ended = inputs.finished.iter().filter(|&&entry| entry == Some(kernel.entry));
            kernel.ended += ended.count() as u32;
            kernel.open &= kernel.blocks > 0 && last != Some(kernel.entry);
        }
        self.kernels.retain(|kernel| leaves >> kernel.entry.index() & 1 == 0);
        self.wait = self.wait.saturating_sub(1);
        if let Some((entry, blocks)) = accepted {
            let ordinal = self.launched;
            self.kernels.push(Kernel { entry, ordinal, blocks, ended: 0, open: true });
            if self.launched == 0 {
                self.wait = self.config.wait;
            }
            self.launched += 1;
        }
        before != (self.kernels.clone(), self.wait)
    }
}

impl Scheduler for Oracle {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        if inputs.reset {
            return self.reset();
        }
        let open = self.kernels.iter().filter(|kernel| kernel.open);
        let head = self.head();
        let mut table_inputs = KernelTableInputs {
            launch: inputs.launch,
            head,
            marked: open.fold(0, |bits, kernel| bits | 1 << kernel.entry.index()),
            lookup: inputs.lookup,
            ..Default::default()
        };
        table_inputs.finished = inputs.finished.iter().copied().collect();
        let table = self.table.evaluate(&table_inputs);
        let mut resources = ResourceTableInputs {
            needs: table.head_needs,
            freed: table.freed,
            ..Default::default()
        };
        for (smx, finished) in inputs.finished.iter().enumerate() {
            resources.finished.set(smx, finished.is_some());
        }
        let room = self.resources.evaluate(&resources).room;
        let request = if head.is_some() { room } else { SmxMask::ZERO };
        let kernel = head.unwrap_or_default();
        let first = self.round_robin.evaluate(&RoundRobinInputs::default()).first;
        let request = self.gates.allow(kernel, request, first, resources.finished);
        let round = RoundRobinInputs { request, ..Default::default() };
        resources.take = self.round_robin.evaluate(&round).grant;
        table_inputs.step = resources.take.any();
        for smx in resources.take.iter_ones() {
            let block = table.head_block;
            outputs.dispatch[smx] = Some(Dispatch { kernel, block, ..Default::default() });
        }
        outputs.launch_ready = table.launch_ready;
        outputs.finished_kernels = table.finished_kernels;
        outputs.context = table.context;

        let entered = inputs.launch.as_ref().zip(table.launch_ready);
        let accepted = entered.map(|(launch, entry)| (entry, launch.blocks));
        let events = GateEvents {
            taken: (kernel, resources.take),
            entered,
            coalesced: None,
            finished: resources.finished,
            samples: inputs.samples.as_deref(),
        };
        let last = head.filter(|_| table_inputs.step && table.head_last);
        Activity::any([
            self.count(inputs, accepted, last, table.finished_kernels).into(),
            self.table.clock(&table_inputs),
            self.resources.clock(&resources),
            self.round_robin.clock(&round),
            self.gates.clock(&events),
        ])
    }

    fn explain(&self) -> String {
        let first = match self.head() {
            Some(head) => format!("the scheduler distributes the kernel in entry {}", head.0),
            None => "the scheduler has no kernel to distribute".to_owned(),
        };
        let reasons = self.head().into_iter().flat_map(|head| self.gates.explain(head));
        let lines = std::iter::once(first).chain(reasons).chain(self.resources.explain());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Twin for Oracle {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}
