//! What `mpmax`, `srtf` and `srtf/adaptive` share (`docs/srtf.md`, rules 1 to 5): the kernel table
//! of which eight entries are used, the set of kernels, resources, the round robin.

use super::super::admission::{GateEvents, Gates, ANY_KERNEL};
use super::super::dispatch::{KernelTable, KernelTableInputs, RoundRobin, RoundRobinInputs};
use super::super::{AdmissionGate, PerSmx, SmxMask};
use super::choice_room::{ChoiceRoom, ChoiceRoomInputs};
use super::kernel_set::{KernelSet, KernelSetInputs, KernelSetOutputs};
use super::residents::{KernelResidents, KernelResidentsInputs, KernelResidentsOutputs};
use super::KERNELS;
use crate::port::{
    Activity, BlockNeeds, Dispatch, Inputs, KernelEntry, KernelLaunch, Outputs, SmxLimits, MAX_SMX,
};

/// The modules that all three have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Core {
    pub(super) smx: usize,
    table: KernelTable,
    set: KernelSet,
    residents: Vec<KernelResidents>,
    room: ChoiceRoom,
    round_robin: RoundRobin,
    pub(super) gates: Gates,
}

/// What is known in a cycle before anything is chosen.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The kernels.
    pub(super) set: KernelSetOutputs,
    /// The launch that is accepted.
    pub(super) launch: Option<(KernelLaunch, KernelEntry)>,
    /// Kernels that leave.
    pub(super) leaves: u8,
    /// Of each SMX.
    pub(super) residents: Vec<KernelResidentsOutputs>,
    freed: PerSmx<BlockNeeds>,
}

/// The block that is dispatched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Granted {
    pub(super) smx: usize,
    pub(super) kernel: KernelEntry,
    /// It is the kernel's last one.
    pub(super) last: bool,
}

impl Granted {
    /// Its kernel, if it goes to that SMX.
    pub(super) fn on(this: Option<Self>, smx: usize) -> Option<KernelEntry> {
        this.filter(|granted| granted.smx == smx).map(|granted| granted.kernel)
    }
}

impl Core {
    /// After reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub(super) fn new(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            smx,
            table: KernelTable::new(),
            set: KernelSet::new(smx, limits),
            residents: vec![KernelResidents::new(); smx],
            room: ChoiceRoom::new(smx, limits),
            round_robin: RoundRobin::new(smx),
            gates: Gates::new(gates),
        }
    }

    /// What is known before anything is chosen; the outputs that depend on it are written.
    pub(super) fn view(&self, inputs: &Inputs, outputs: &mut Outputs) -> View {
        let set = self.set.evaluate(&KernelSetInputs::default());
        let table = self.table.evaluate(&self.table_inputs(inputs, &set));
        let ready = table.launch_ready.filter(|entry| entry.index() < KERNELS);
        outputs.launch_ready = ready;
        outputs.finished_kernels = table.finished_kernels;
        outputs.context = table.context;
        let residents =
            self.residents.iter().zip(&inputs.finished).map(|(residents, &finished)| {
                residents.evaluate(&KernelResidentsInputs { finished, ..Default::default() })
            });
        View {
            launch: inputs.launch.zip(ready),
            leaves: table.finished_kernels as u8,
            residents: residents.collect(),
            freed: table.freed,
            set,
        }
    }

    /// Rules 4, 5 and 20: who gets a block of its choice.
    pub(super) fn grant(
        &self,
        inputs: &Inputs,
        view: &View,
        choices: &[Option<KernelEntry>],
        outputs: &mut Outputs,
    ) -> Option<Granted> {
        let room = room_inputs(inputs, view, choices);
        let mut request = self.room.evaluate(&room);
        for (smx, choice) in choices.iter().enumerate() {
            let asks = request[smx] && choice.is_some();
            request.set(smx, asks);
        }
        let first = self.round_robin.evaluate(&RoundRobinInputs::default()).first;
        let request = self.gates.allow(ANY_KERNEL, request, first, room.finished);
        let round = RoundRobinInputs { request, ..Default::default() };
        let smx = self.round_robin.evaluate(&round).grant.first_one()?;
        let kernel = choices[smx]?;
        let head = KernelTableInputs { head: Some(kernel), ..Default::default() };
        let table = self.table.evaluate(&head);
        outputs.dispatch[smx] =
            Some(Dispatch { kernel, block: table.head_block, ..Default::default() });
        Some(Granted { smx, kernel, last: table.head_last })
    }

    /// The clock edge.
    pub(super) fn clock(
        &mut self,
        inputs: &Inputs,
        view: &View,
        choices: &[Option<KernelEntry>],
        granted: Option<Granted>,
    ) -> Activity {
        let mut table_inputs = self.table_inputs(inputs, &view.set);
        table_inputs.launch = view.launch.map(|(launch, _)| launch);
        table_inputs.head = granted.map(|granted| granted.kernel);
        table_inputs.step = granted.is_some();
        let mut take = SmxMask::ZERO;
        if let Some(granted) = granted {
            take.set(granted.smx, true);
        }
        let launch = view.launch.map(|(launch, _)| launch).unwrap_or_default();
        let set_inputs = KernelSetInputs {
            reset: false,
            launch: view.launch.map(|(_, entry)| entry),
            blocks: launch.blocks,
            needs: launch.needs,
            last: granted.filter(|granted| granted.last).map(|granted| granted.kernel),
            leaves: view.leaves,
        };
        let room = ChoiceRoomInputs { take, ..room_inputs(inputs, view, choices) };
        let events = GateEvents {
            taken: (ANY_KERNEL, take),
            entered: view.launch.as_ref().map(|(launch, entry)| (launch, *entry)),
            coalesced: None,
            finished: room.finished,
            samples: inputs.samples.as_deref(),
        };
        let mut activity = Activity::any([
            self.table.clock(&table_inputs),
            self.set.clock(&set_inputs),
            self.room.clock(&room),
            self.round_robin.clock(&RoundRobinInputs { request: take, ..Default::default() }),
            self.gates.clock(&events),
        ]);
        for (smx, residents) in self.residents.iter_mut().enumerate() {
            let (finished, taken) = (inputs.finished[smx], Granted::on(granted, smx));
            activity |= residents.clock(&KernelResidentsInputs { reset: false, finished, taken });
        }
        activity
    }

    /// The clock edge of a reset cycle.
    pub(super) fn reset(&mut self) -> Activity {
        let reset = true;
        let mut activity = Activity::any([
            self.table.clock(&KernelTableInputs { reset, ..Default::default() }),
            self.set.clock(&KernelSetInputs { reset, ..Default::default() }),
            self.room.clock(&ChoiceRoomInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ]);
        for residents in &mut self.residents {
            activity |= residents.clock(&KernelResidentsInputs { reset, ..Default::default() });
        }
        activity
    }

    /// Kernels with blocks left, and where the scheduler believes that blocks are.
    pub(super) fn explain(&self) -> String {
        let eligible = self.set.evaluate(&KernelSetInputs::default()).eligible;
        let kernels: Vec<_> = super::members(eligible).map(|k| k.to_string()).collect();
        let first = match kernels.as_slice() {
            [] => "the scheduler has no kernel to distribute".to_owned(),
            kernels => {
                format!("the scheduler distributes the kernels in entries {}", kernels.join(", "))
            }
        };
        let lines = std::iter::once(first).chain(self.gates.explain(ANY_KERNEL));
        lines.chain(self.room.explain()).collect::<Vec<_>>().join("\n")
    }

    fn table_inputs(&self, inputs: &Inputs, set: &KernelSetOutputs) -> KernelTableInputs {
        let mut table = KernelTableInputs {
            marked: set.open.into(),
            lookup: inputs.lookup,
            ..Default::default()
        };
        table.finished = inputs.finished.iter().copied().collect();
        table
    }
}

fn room_inputs(inputs: &Inputs, view: &View, choices: &[Option<KernelEntry>]) -> ChoiceRoomInputs {
    let needs = |choice: &Option<KernelEntry>| choice.map(|k| view.set.needs[k.index()]);
    let mut room = ChoiceRoomInputs {
        needs: choices.iter().map(|choice| needs(choice).unwrap_or_default()).collect(),
        freed: view.freed.clone(),
        ..ChoiceRoomInputs::default()
    };
    for (smx, finished) in inputs.finished.iter().enumerate() {
        room.finished.set(smx, finished.is_some());
    }
    room
}
