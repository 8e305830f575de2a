//! Rationale: 1. the state is 32 kernels with a next block and a count each; random kernels fill
//! and drain the entries, any marked one may be the head, and up to 32 of its blocks, or as many as
//! there are SMXs, go in a cycle. 2. N = 1, 3, 13, 15, 32, and masks of several words: 33, 65
//! and 132.

use super::kernel_table::{block, kernel, needs};
use crate::harness::{drive_word, mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dispatch::KernelEntries;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::BlockId;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, BlockNeeds, Dim3, KernelEntry, KERNEL_ENTRIES};
use blockyard_sim::sched::{dispatch as twin, PerSmx, SmxMask};
use rand::RngExt;
use rand_pcg::Pcg64;
use twin::{KernelEntriesInputs as Inputs, KernelEntriesOutputs as Outputs};

impl Twinned for KernelEntries {
    type Twin = twin::KernelEntries;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        let head = ports::tagged(inputs.head);
        self.head_valid.next = head.valid;
        self.head.next = head.entry;
        drive_word(&mut self.step, inputs.step as usize);
        let Dim3 { x, y, z } = inputs.after;
        self.after.next = BlockId { x: U::new(x.into()), y: U::new(y.into()), z: U::new(z.into()) };
        self.marked.next = U::new(inputs.marked.into());
        let mut finished = SmxMask::ZERO;
        for (smx, port) in self.finished_kernel.iter_mut().enumerate() {
            let entry = ports::tagged(inputs.finished[smx]);
            finished.set(smx, entry.valid);
            port.next = entry.entry;
        }
        mask::drive(&mut self.finished, finished);
        self.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
        self.probe.next = U::new(inputs.probe.0.into());
    }
    fn observe(&self) -> Outputs {
        Outputs {
            launch_ready: self
                .launch_ports
                .launch_ready
                .val()
                .then(|| ports::entry(self.launch_ports.launch_entry.val())),
            head_block: block(self.head_block.val()),
            head_grid: block(self.head_grid.val()),
            head_needs: needs(self.head_needs.val()),
            freed: self.freed.iter().map(|port| needs(port.val())).collect(),
            finished_kernels: self.finished_kernels.val().raw() as u32,
            context: ports::context(
                self.lookup_ports.context_valid.val(),
                self.lookup_ports.kernel_context.val(),
            ),
            probe: ports::context(self.probe_valid.val(), self.probe_context.val()),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn entries(smxs: usize) -> Lockstep<KernelEntries> {
    Lockstep::new(KernelEntries::new(smxs), twin::KernelEntries::new())
}

/// A kernel in an entry, as seen from outside.
#[derive(Clone, Copy)]
struct Live {
    grid: Dim3,
    /// Linear id of its next block.
    next: u64,
    executing: u32,
}

impl Live {
    fn left(&self) -> u64 {
        self.grid.volume() as u64 - self.next
    }

    /// The block of that linear id, or any when there is none.
    fn block(&self, id: u64) -> Dim3 {
        let (x, y) = (u64::from(self.grid.x.max(1)), u64::from(self.grid.y.max(1)));
        Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
    }
}

/// Legal random inputs, with expectations that need neither the hardware nor the twin.
struct Environment {
    random: Pcg64,
    launch: f64,
    finish: f64,
    live: [Option<Live>; KERNEL_ENTRIES],
    marked: u32,
    smxs: usize,
    resident: Vec<Vec<KernelEntry>>,
    most: u32,
    full: u32,
    ends: u32,
}

impl Environment {
    fn new(smxs: usize, launch: f64, finish: f64) -> Self {
        Self {
            random: random(smxs as u64),
            launch,
            finish,
            live: [None; KERNEL_ENTRIES],
            marked: 0,
            smxs,
            resident: vec![Vec::new(); smxs],
            most: 0,
            full: 0,
            ends: 0,
        }
    }

    /// The most blocks that can go in a cycle.
    fn most_at_once(&self) -> u64 {
        self.smxs.max(32) as u64
    }

    fn inputs(&mut self) -> Inputs {
        let mut inputs = Inputs { marked: self.marked, ..Inputs::default() };
        inputs.reset = self.random.random_range(0..1_000) == 0;
        if self.random.random_bool(self.launch) {
            let widest = 9.max(self.smxs as u32 / 6);
            let mut side = |most: u32| self.random.random_range(0..=most);
            let grid = Dim3::new(1 + side(widest), side(4), 1 + side(2));
            inputs.launch = Some(kernel(grid, self.random.random()));
        }
        // `after` means nothing without a step, and after the last block.
        inputs.after = Dim3::new(self.random.random_range(0..1 << 31), 9, 65_535);
        let marked: Vec<u8> = (0..32).filter(|k| self.marked >> k & 1 == 1).collect();
        if !marked.is_empty() && self.random.random_bool(0.9) {
            let head = marked[self.random.random_range(0..marked.len())];
            inputs.head = Some(KernelEntry(head));
            let live = self.live[usize::from(head)].expect("a marked kernel is there");
            if live.left() > 0 && self.random.random_bool(0.7) {
                inputs.step =
                    self.random.random_range(1..=live.left().min(self.most_at_once())) as u32;
                if u64::from(inputs.step) < live.left() {
                    inputs.after = live.block(live.next + u64::from(inputs.step));
                }
            }
        }
        for smx in 0..self.smxs {
            let held = self.resident[smx].len();
            if held > 0 && self.random.random_bool(self.finish) {
                let which = self.random.random_range(0..held);
                inputs.finished[smx] = Some(self.resident[smx].swap_remove(which));
            }
        }
        let entry = KernelEntry(self.random.random_range(0..32));
        inputs.lookup = self.random.random_bool(0.5).then_some(entry);
        inputs.probe = KernelEntry(self.random.random_range(0..32));
        inputs
    }

    /// Checks the outputs that can be told from the outside, and follows the clock edge.
    fn follow(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.reset {
            self.live = [None; KERNEL_ENTRIES];
            self.marked = 0;
            self.resident.iter_mut().for_each(Vec::clear);
            return;
        }
        let free = self.live.iter().position(Option::is_none);
        assert_eq!(outputs.launch_ready.map(KernelEntry::index), free, "lowest free entry");
        let ended = (0..32).filter(|&k| {
            self.marked >> k & 1 == 0 && self.live[k].is_some_and(|live| live.executing == 0)
        });
        assert_eq!(outputs.finished_kernels, ended.map(|k| 1u32 << k).sum::<u32>());
        self.full += u32::from(inputs.launch.is_some() && free.is_none());
        self.ends += outputs.finished_kernels.count_ones();
        self.most = self.most.max(inputs.step);
        if let Some(head) = inputs.head {
            let live = self.live[head.index()].as_mut().expect("a head's kernel is there");
            assert_eq!(outputs.head_grid, live.grid);
            assert_eq!(outputs.head_block, live.block(live.next));
            live.next += u64::from(inputs.step);
            live.executing += inputs.step;
            if live.left() == 0 {
                self.marked ^= 1 << head.0;
            }
            for _ in 0..inputs.step {
                let smx = self.random.random_range(0..self.smxs);
                self.resident[smx].push(head);
            }
        }
        for entry in inputs.finished.stated().iter().flatten() {
            let live = self.live[entry.index()].as_mut().expect("a resident's kernel is there");
            live.executing -= 1;
        }
        for (k, live) in self.live.iter_mut().enumerate() {
            if outputs.finished_kernels >> k & 1 == 1 {
                *live = None;
            }
        }
        if let (Some(launch), Some(k)) = (inputs.launch, free) {
            self.live[k] = Some(Live { grid: launch.grid, next: 0, executing: 0 });
            self.marked |= 1 << k;
        }
    }
}

fn sample(smxs: usize, launch: f64, finish: f64) -> Environment {
    let mut entries = entries(smxs);
    let mut environment = Environment::new(smxs, launch, finish);
    for _ in 0..6_000 {
        let inputs = environment.inputs();
        let outputs = entries.cycle(&inputs);
        environment.follow(&inputs, &outputs);
    }
    assert!(environment.ends > 20, "{} ends", environment.ends);
    environment
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    assert_eq!(sample(1, 0.05, 0.9).most, 32);
    assert_eq!(sample(3, 0.1, 0.9).most, 32);
    assert!(sample(13, 0.5, 0.5).full > 500);
    assert!(sample(15, 0.5, 0.5).full > 500);
    assert_eq!(sample(32, 0.2, 0.9).most, 32);
    assert_eq!(sample(33, 0.2, 0.9).most, 33);
    assert_eq!(sample(65, 0.2, 0.9).most, 65);
    assert_eq!(sample(132, 0.3, 0.9).most, 132);
}

/// Entries of which the first holds a kernel of 60 blocks; it is the head.
fn one_kernel(smxs: usize) -> (Lockstep<KernelEntries>, Inputs) {
    let mut entries = entries(smxs);
    let launch = Some(kernel(Dim3::new(5, 4, 3), 1));
    entries.cycle(&Inputs { launch, ..Inputs::default() });
    (entries, Inputs { head: Some(KernelEntry(0)), marked: 1, ..Inputs::default() })
}

fn finished(smxs: usize) -> PerSmx<Option<KernelEntry>> {
    vec![Some(KernelEntry(0)); smxs].into_iter().collect()
}

#[test]
fn after_is_the_next_block_one_cycle_after_a_step_and_ignored_without_one() {
    let (mut entries, head) = one_kernel(2);
    let after = Dim3::new(2, 3, 1);
    assert_eq!(entries.cycle(&Inputs { after, ..head.clone() }).head_block, Dim3::default());
    let step = Inputs { after, step: 32, ..head.clone() };
    assert_eq!(entries.cycle(&step).head_block, Dim3::default());
    assert_eq!(entries.cycle(&head).head_block, after);
}

#[test]
fn nothing_is_shown_without_a_head() {
    let (mut entries, head) = one_kernel(2);
    let shown = entries.cycle(&head);
    assert_eq!(shown.head_grid, Dim3::new(5, 4, 3));
    assert_ne!(shown.head_needs, BlockNeeds::default());
    let none = entries.cycle(&Inputs { head: None, ..head });
    assert_eq!((none.head_block, none.head_grid), Default::default());
    assert_eq!(none.head_needs, BlockNeeds::default());
}

#[test]
fn a_kernel_finishes_when_as_many_blocks_ended_as_all_steps_said_and_not_one_before() {
    let (mut entries, head) = one_kernel(32);
    entries.cycle(&Inputs { step: 32, ..head.clone() });
    // A step and the ends of as many blocks as there are SMXs: 32 + 28 - 32.
    entries.cycle(&Inputs { step: 28, finished: finished(32), ..head });
    entries.cycle(&Inputs { finished: finished(27), ..Inputs::default() });
    let last = Inputs { finished: finished(1), ..Inputs::default() };
    assert_eq!(entries.cycle(&last).finished_kernels, 0, "one is in execution");
    assert_eq!(entries.cycle(&Inputs::default()).finished_kernels, 1);
    let after = entries.cycle(&Inputs::default());
    assert_eq!((after.finished_kernels, after.launch_ready), (0, Some(KernelEntry(0))));
}

#[test]
fn reset_frees_every_entry_whatever_else_the_cycle_carries() {
    let (mut entries, head) = one_kernel(2);
    entries.cycle(&Inputs { step: 4, ..head.clone() });
    entries.cycle(&Inputs { reset: true, step: 4, finished: finished(2), ..head });
    let outputs = entries.cycle(&Inputs { lookup: Some(KernelEntry(0)), ..Inputs::default() });
    assert_eq!((outputs.launch_ready, outputs.context), (Some(KernelEntry(0)), None));
    // Its count is zero again: a kernel of one block ends with that block.
    entries.cycle(&Inputs { launch: Some(kernel(Dim3::new(1, 1, 1), 2)), ..Inputs::default() });
    entries.cycle(&Inputs { head: Some(KernelEntry(0)), marked: 1, step: 1, ..Inputs::default() });
    entries.cycle(&Inputs { finished: finished(1), ..Inputs::default() });
    assert_eq!(entries.cycle(&Inputs::default()).finished_kernels, 1);
}
