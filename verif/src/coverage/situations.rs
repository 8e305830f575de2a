//! Situations that the ports show, of every scheduler that has them: handshakes in every value,
//! tables full and empty, grids and blocks of every kind.

use super::ports::Ports;
use blockyard_sim::port::{
    DeviceInputs, Dim3, GroupOutcome, Inputs, KernelLaunch, Outputs, SmxLimits, KERNEL_ENTRIES,
};

/// Defines the situations and their table: name, ports and where it is described, in this order.
macro_rules! situations {
    ($($id:ident = $name:literal, $ports:ident, $section:literal;)*) => {
        #[derive(Clone, Copy)]
        enum Situation { $($id),* }

        /// Each with its name, the ports that it needs, and where it is described.
        pub(super) const SITUATIONS: &[(&str, Ports, &str)] =
            &[$(($name, Ports::$ports, $section)),*];
    };
}

situations! {
    Accepted = "launch: offered and accepted", All, "cycle-contract.md";
    Refused = "launch: offered and not accepted", All, "cycle-contract.md";
    Ready = "launch: nothing offered, an entry is free", All, "cycle-contract.md";
    Unready = "launch: nothing offered, no entry is free", All, "cycle-contract.md";
    EmptyGrid = "grid: empty", All, "cycle-contract.md";
    OneBlock = "grid: one block", All, "cycle-contract.md";
    Cube = "grid: three dimensions", All, "cycle-contract.md";
    LongX = "grid: more than 255 blocks along x", All, "cycle-contract.md";
    LongY = "grid: more than 255 blocks along y", All, "cycle-contract.md";
    LongZ = "grid: more than 255 blocks along z", All, "cycle-contract.md";
    Giant = "grid: more than 2^30 blocks", All, "cycle-contract.md";
    NoKernel = "table: the last kernel ends", All, "DTBL, section 2.2; cycle-contract.md";
    AllEntries = "table: a kernel takes the last entry", All, "DTBL, section 2.2; cycle-contract.md";
    EntryAgain = "table: an entry is taken in the cycle after its release", All, "cycle-contract.md";
    TwoEnd = "kernels: several end in a cycle", All, "cycle-contract.md";
    FullSmx = "slots: an SMX has none left", All, "cycle-contract.md";
    FullGpu = "slots: no SMX has any left", All, "cycle-contract.md";
    LastSmx = "slots: the last of more than 32 SMXs receives a block", All, "cycle-contract.md";
    Swapped = "slots: a block ends and another takes its place", All, "cycle-contract.md";
    AllEnd = "blocks: one ends on every SMX of several", All, "cycle-contract.md";
    SeveralGo = "blocks: several are dispatched in a cycle", All, "cycle-contract.md";
    Many = "blocks: 128 of a kernel run at once", All, "cycle-contract.md";
    Idle = "cycle: nothing happens", All, "cycle-contract.md";
    ResetBusy = "reset: while blocks run", All, "cycle-contract.md";
    Found = "lookup: of a kernel", All, "DTBL, section 4.2; cycle-contract.md";
    NotFound = "lookup: of a free entry", All, "DTBL, section 4.2; cycle-contract.md";
    Wraps = "clock: wraps", Clock, "srtf.md";
    Jumps = "clock: jumps by more than 32 bits hold", Clock, "srtf.md";
    RecordTaken = "record: arrives and enters", Kernels, "DTBL, section 2.2; dtbl.md, rule 3";
    RecordWaits = "record: arrives and waits", Queues, "LaPerm, section IV; laperm.md, rule 8";
    HostBesideRecord = "launch: accepted while a record waits", Queues, "laperm.md, rule 8";
    Thousand = "pools: more than 1,024 kernels wait", Kernels, "DTBL, section 2.2; dtbl.md, rule 2";
    PoolsEmpty = "pools: the last kernel leaves", Kernels, "DTBL, section 2.2; dtbl.md, rule 2";
    CommandWaits = "command: offered and not accepted", Groups, "DTBL, section 4.2; dtbl.md, rule 12";
    CommandReady = "command: none offered, one would be", Groups, "DTBL, section 4.2; dtbl.md, rule 12";
    MostGroups = "command: of 32 groups", Groups, "DTBL, section 4.2; dtbl.md, rule 12";
    LongWait = "command: its parameters take 63 cycles", Groups, "DTBL, section 4.3; dtbl.md, rule 13";
    GroupWaits = "group: offered and not taken", Groups, "DTBL, section 4.2; dtbl.md, rule 13";
    LongGroup = "group: more than 255 blocks along a dimension", Groups, "DTBL, section 4.1; dtbl.md, rule 9";
    GroupBlock = "group: a block of one is dispatched", Groups, "DTBL, section 4.2; dtbl.md, rule 9";
    Released = "keep: a kernel ends when it is not kept any more", Groups, "dtbl.md, rule 14b";
    LookupGroup = "lookup: of a group", Groups, "DTBL, section 4.2; dtbl.md, rule 16";
    Overlaps = "memory: a group is asked for while others come", Memory, "DTBL, section 4.2; dtbl.md, rule 10";
    RefillWaits = "refill: offered and not taken", Queues, "LaPerm, section IV-E; laperm.md, rule 7";
    LevelOne = "dispatch: of level 1", Queues, "LaPerm, section IV-A; laperm.md, rule 1";
    LevelMost = "dispatch: of level 8", Queues, "LaPerm, section IV-A; laperm.md, rule 1";
}

/// What the situations depend on of the cycles before, and how often each was there.
pub(super) struct Watch {
    limits: SmxLimits,
    /// One bit an entry of the kernel table.
    entries: u32,
    met: Vec<u64>,
    occupied: u32,
    released: u32,
    keep: u32,
    /// Blocks on each SMX and of each kernel.
    on: Vec<u32>,
    of: [u32; KERNEL_ENTRIES],
    /// Kernels in the pools.
    waiting: u64,
    /// Groups on their way from memory.
    on_way: u32,
    clock: Option<u64>,
}

impl Watch {
    /// Of a scheduler after reset, whose kernel table has these entries, a bit each.
    pub(super) fn new(smx: usize, limits: SmxLimits, entries: u32) -> Self {
        Self {
            limits,
            entries,
            met: vec![0; SITUATIONS.len()],
            occupied: 0,
            released: 0,
            keep: 0,
            on: vec![0; smx],
            of: [0; KERNEL_ENTRIES],
            waiting: 0,
            on_way: 0,
            clock: None,
        }
    }

    /// How often each of [`SITUATIONS`] was there.
    pub(super) fn met(&self) -> &[u64] {
        &self.met
    }

    fn when(&mut self, is: bool, situation: Situation) {
        self.met[situation as usize] += u64::from(is);
    }

    /// A cycle, and whether any event happened in it.
    pub(super) fn cycle(&mut self, inputs: &Inputs, outputs: &Outputs, events: u32) {
        use Situation as S;
        if inputs.reset {
            self.when(self.on.iter().any(|&blocks| blocks > 0), S::ResetBusy);
            let met = std::mem::take(&mut self.met);
            *self = Self { met, ..Self::new(self.on.len(), self.limits, self.entries) };
            return;
        }
        self.when(events == 0, S::Idle);
        self.launches(inputs, outputs);
        self.blocks(inputs, outputs);
        self.lookups(inputs, outputs);
        self.device(inputs, outputs);
        let jump = inputs.clock.zip(self.clock);
        self.when(jump.is_some_and(|(now, before)| now < before), S::Wraps);
        self.when(jump.is_some_and(|(now, before)| now > before + u64::from(u32::MAX)), S::Jumps);
        self.clock = inputs.clock.or(self.clock);
    }

    fn launches(&mut self, inputs: &Inputs, outputs: &Outputs) {
        use Situation as S;
        let (offered, ready) = (inputs.launch, outputs.launch_ready);
        self.when(offered.is_some() && ready.is_some(), S::Accepted);
        self.when(offered.is_some() && ready.is_none(), S::Refused);
        self.when(offered.is_none() && ready.is_some(), S::Ready);
        self.when(offered.is_none() && ready.is_none(), S::Unready);
        let management = &inputs.device.management;
        let record = outputs.device.management.record_entry.zip(management.record);
        self.when(record.is_some(), S::RecordTaken);
        self.when(management.record.is_some() && record.is_none(), S::RecordWaits);
        let beside = management.record.is_some() && record.is_none();
        self.when(beside && offered.is_some() && ready.is_some(), S::HostBesideRecord);
        let ended = outputs.finished_kernels;
        self.when(ended.count_ones() > 1, S::TwoEnd);
        self.when(ended & self.keep & !inputs.device.groups.keep != 0, S::Released);
        self.keep = inputs.device.groups.keep;
        self.when(ended != 0 && self.occupied & !ended == 0, S::NoKernel);
        self.occupied &= !ended;
        if let Some((entry, kernel)) = record.or(ready.zip(offered)) {
            self.when(self.released >> entry.index() & 1 == 1, S::EntryAgain);
            self.occupied |= 1 << entry.index();
            self.when(self.occupied == self.entries, S::AllEntries);
            self.grid(&kernel);
        }
        self.released = ended;
    }

    fn grid(&mut self, kernel: &KernelLaunch) {
        use Situation as S;
        let KernelLaunch { grid: Dim3 { x, y, z }, blocks, .. } = *kernel;
        self.when(blocks == 0, S::EmptyGrid);
        self.when(blocks == 1, S::OneBlock);
        self.when(x > 1 && y > 1 && z > 1, S::Cube);
        self.when(x > 255, S::LongX);
        self.when(y > 255, S::LongY);
        self.when(z > 255, S::LongZ);
        self.when(blocks > 1 << 30, S::Giant);
    }

    fn blocks(&mut self, inputs: &Inputs, outputs: &Outputs) {
        use Situation as S;
        let smx = self.on.len();
        let (mut ends, mut goes, mut swapped) = (0, 0, false);
        for at in 0..smx {
            let (ended, sent) = (inputs.finished[at], outputs.dispatch[at]);
            if let Some(kernel) = ended {
                self.on[at] = self.on[at].saturating_sub(1);
                self.of[kernel.index()] = self.of[kernel.index()].saturating_sub(1);
                ends += 1;
            }
            if let Some(block) = sent {
                self.on[at] += 1;
                self.of[block.kernel.index()] += 1;
                self.when(self.of[block.kernel.index()] == 128, S::Many);
                self.when(block.group.is_some(), S::GroupBlock);
                self.when(self.on[at] == self.limits.thread_block_slots, S::FullSmx);
                goes += 1;
            }
            swapped |= ended.is_some() && sent.is_some();
        }
        self.when(swapped, S::Swapped);
        self.when(smx > 1 && ends == smx, S::AllEnd);
        self.when(goes > 1, S::SeveralGo);
        self.when(smx > 32 && outputs.dispatch[smx - 1].is_some(), S::LastSmx);
        let slots = self.limits.thread_block_slots;
        self.when(goes > 0 && self.on.iter().all(|&blocks| blocks == slots), S::FullGpu);
    }

    fn lookups(&mut self, inputs: &Inputs, outputs: &Outputs) {
        use Situation as S;
        let asked = inputs.lookup.is_some();
        self.when(asked && outputs.context.is_some(), S::Found);
        self.when(asked && outputs.context.is_none(), S::NotFound);
        let group = inputs.device.groups.lookup_group.is_some();
        self.when(asked && group && outputs.context.is_some(), S::LookupGroup);
    }

    fn device(&mut self, inputs: &Inputs, outputs: &Outputs) {
        use Situation as S;
        let DeviceInputs { management, groups, group_memory, queues, .. } = &inputs.device;
        let said = &outputs.device;
        self.waiting += u64::from(management.device_launch) + u64::from(management.suspend);
        self.when(self.waiting > 1024, S::Thousand);
        if said.management.fetch_record.is_some() {
            self.waiting = self.waiting.saturating_sub(1);
            self.when(self.waiting == 0, S::PoolsEmpty);
        }
        let ready = said.groups.command_ready;
        self.when(groups.command.is_some() && !ready, S::CommandWaits);
        self.when(groups.command.is_none() && ready, S::CommandReady);
        if let Some(command) = groups.command.filter(|_| ready) {
            self.when(command.groups == 32, S::MostGroups);
            self.when(command.wait == 63, S::LongWait);
        }
        self.when(groups.group.is_some() && said.groups.group_taken.is_none(), S::GroupWaits);
        let coalesced = matches!(said.groups.group_taken, Some(GroupOutcome::Coalesced { .. }));
        let long = groups.group.filter(|_| coalesced).is_some_and(|group| {
            let Dim3 { x, y, z } = group.grid;
            x.max(y).max(z) > 255
        });
        self.when(long, S::LongGroup);
        self.on_way = self.on_way.saturating_sub(u32::from(group_memory.fetched.is_some()));
        if said.group_memory.fetch_group.is_some() {
            self.when(self.on_way > 0, S::Overlaps);
            self.on_way += 1;
        }
        self.when(queues.refill.is_some() && !said.queues.refill_taken, S::RefillWaits);
        self.when(said.queues.level == 1, S::LevelOne);
        self.when(said.queues.level == 8, S::LevelMost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{Dispatch, KernelEntry};

    const LIMITS: SmxLimits =
        SmxLimits { threads: 1, registers: 1, shared_memory: 1, thread_block_slots: 1 };

    fn times(watch: &Watch, situation: Situation) -> u64 {
        watch.met()[situation as usize]
    }

    #[test]
    fn a_handshake_is_seen_in_its_four_values() {
        let mut watch = Watch::new(1, LIMITS, u32::MAX);
        let kernel = KernelLaunch::default();
        for (launch, launch_ready, _) in [
            (Some(kernel), Some(KernelEntry(0)), Situation::Accepted),
            (Some(kernel), None, Situation::Refused),
            (None, Some(KernelEntry(1)), Situation::Ready),
            (None, None, Situation::Unready),
        ] {
            let inputs = Inputs { launch, ..Inputs::idle(1) };
            watch.cycle(&inputs, &Outputs { launch_ready, ..Outputs::idle(1) }, 0);
        }
        use Situation as S;
        let seen = [S::Accepted, S::Refused, S::Ready, S::Unready].map(|of| times(&watch, of));
        assert_eq!((seen, times(&watch, S::EmptyGrid)), ([1; 4], 1));
    }

    #[test]
    fn a_slot_that_is_taken_again_in_the_cycle_in_which_its_block_ends_is_seen() {
        let mut watch = Watch::new(2, LIMITS, u32::MAX);
        let sent = |at: usize| {
            let mut outputs = Outputs::idle(2);
            outputs.dispatch[at] = Some(Dispatch::default());
            outputs
        };
        watch.cycle(&Inputs::idle(2), &sent(0), 0);
        assert_eq!(times(&watch, Situation::FullGpu), 0);
        watch.cycle(&Inputs::idle(2), &sent(1), 0);
        assert_eq!(times(&watch, Situation::FullGpu), 1);
        let mut inputs = Inputs::idle(2);
        inputs.finished[0] = Some(KernelEntry(0));
        watch.cycle(&inputs, &sent(0), 0);
        assert_eq!((times(&watch, Situation::Swapped), times(&watch, Situation::FullSmx)), (1, 3));
        watch.cycle(&Inputs { reset: true, ..Inputs::idle(2) }, &Outputs::idle(2), 0);
        assert_eq!(times(&watch, Situation::ResetBusy), 1);
    }
}
