//! A small first-come-first-served round robin, so that these tests need no twin.

use std::collections::VecDeque;

use blockyard_sim::port::*;

#[derive(Clone)]
struct Entry {
    launch: KernelLaunch,
    next: u32,
    running: u32,
}

pub struct RoundRobin {
    limits: SmxLimits,
    entries: Vec<Option<Entry>>,
    marked: VecDeque<usize>,
    /// Threads, registers, shared memory and slots in use on each SMX.
    used: Vec<[u32; 4]>,
    first: usize,
}

fn of(needs: BlockNeeds) -> [u32; 4] {
    [needs.threads, needs.registers, needs.shared_memory, 1]
}

impl RoundRobin {
    pub fn new(limits: SmxLimits, smx: usize) -> Self {
        let entries = vec![None; KERNEL_ENTRIES];
        Self { limits, entries, marked: VecDeque::new(), used: vec![[0; 4]; smx], first: 0 }
    }

    pub fn context(&self, inputs: &Inputs) -> Option<KernelContext> {
        let launch = self.entries[inputs.lookup?.index()].as_ref()?.launch;
        let KernelLaunch { entry_pc, parameter_address, block, .. } = launch;
        Some(KernelContext { entry_pc, parameter_address, block })
    }

    fn has_room(&self, smx: usize, needs: [u32; 4]) -> bool {
        let SmxLimits { threads, registers, shared_memory, thread_block_slots } = self.limits;
        let limits = [threads, registers, shared_memory, thread_block_slots];
        (0..4).all(|what| self.used[smx][what] + needs[what] <= limits[what])
    }

    fn dispatch(&mut self, outputs: &mut Outputs) -> bool {
        let Some(&head) = self.marked.front() else {
            return false;
        };
        let Entry { launch, next, .. } = self.entries[head].clone().unwrap();
        if launch.blocks == 0 {
            self.marked.pop_front();
            return true;
        }
        let smxs = self.used.len();
        let order = (0..smxs).map(|step| (self.first + step) % smxs);
        let Some(smx) = order.into_iter().find(|&smx| self.has_room(smx, of(launch.needs))) else {
            return false;
        };
        let Dim3 { x, y, .. } = launch.grid;
        let block = Dim3::new(next % x, next / x % y, next / x / y);
        outputs.dispatch[smx] =
            Some(Dispatch { kernel: KernelEntry(head as u8), block, ..Default::default() });
        let needs = of(launch.needs);
        (0..4).for_each(|what| self.used[smx][what] += needs[what]);
        self.first = (smx + 1) % smxs;
        let entry = self.entries[head].as_mut().unwrap();
        entry.next += 1;
        entry.running += 1;
        if entry.next == launch.blocks {
            self.marked.pop_front();
        }
        true
    }
}

impl Scheduler for RoundRobin {
    fn smx(&self) -> usize {
        self.used.len()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        *outputs = Outputs::idle(self.used.len());
        let free = self.entries.iter().position(Option::is_none);
        outputs.launch_ready = free.map(|entry| KernelEntry(entry as u8));
        for (number, entry) in self.entries.iter().enumerate() {
            let idle = entry.as_ref().is_some_and(|entry| entry.running == 0);
            if idle && !self.marked.contains(&number) {
                outputs.finished_kernels |= 1 << number;
            }
        }
        outputs.context = self.context(inputs);
        let mut busy = outputs.finished_kernels != 0;
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = finished {
                let entry = self.entries[entry.index()].as_mut().unwrap();
                entry.running -= 1;
                let needs = of(entry.launch.needs);
                (0..4).for_each(|what| self.used[smx][what] -= needs[what]);
                busy = true;
            }
        }
        busy |= self.dispatch(outputs);
        for number in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> number & 1 == 1 {
                self.entries[number] = None;
            }
        }
        if let (Some(launch), Some(entry)) = (inputs.launch, free) {
            self.entries[entry] = Some(Entry { launch, next: 0, running: 0 });
            self.marked.push_back(entry);
            busy = true;
        }
        Activity::from(busy)
    }
}
