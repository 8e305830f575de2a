//! Rationale: 1. the state is a table of 32 kernels in two lines and a count for each; random
//! launches, pops and ends fill and drain it. 2. N = 1, 3, 16, 33, 65 and 132. 3. Blocks of one
//! kernel are dispatched and end on all SMXs in one cycle.

use crate::dispatch::kernel_table;
use crate::harness::{drive_word, mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::NestedKernels;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{BlockNeeds, Dim3, KernelEntry, KernelLaunch};
use blockyard_sim::sched::ikra as twin;
use blockyard_sim::sched::mask::of;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{NestedKernelsInputs as Inputs, NestedKernelsOutputs as Outputs};

impl Twinned for NestedKernels {
    type Twin = twin::NestedKernels;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        drive_word(&mut self.home, inputs.home);
        self.level.next = U::new(inputs.level.into());
        self.host_pop.next = inputs.host_pop;
        self.child_pop.next = inputs.child_pop;
        self.ends.next = U::new(inputs.ends.into());
        self.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
        let smxs = 0..self.dispatched.len();
        let finished = of(smxs.clone().filter(|&smx| inputs.finished[smx].is_some()));
        mask::drive(&mut self.finished, finished);
        for smx in smxs {
            self.dispatched[smx].next = ports::tagged(inputs.dispatched[smx]);
            self.finished_kernel[smx].next =
                U::new(inputs.finished[smx].unwrap_or(KernelEntry(7)).0.into());
        }
    }
    fn observe(&self) -> Outputs {
        Outputs {
            launch_ready: self
                .launch_ports
                .launch_ready
                .val()
                .then(|| ports::entry(self.launch_ports.launch_entry.val())),
            host: self.host_valid.val().then(|| ports::entry(self.host.val())),
            host_grid: kernel_table::block(self.host_grid.val()),
            host_blocks: self.host_blocks.val().raw() as u32,
            host_needs: kernel_table::needs(self.host_needs.val()),
            child: self.child_valid.val().then(|| ports::entry(self.child.val())),
            child_grid: kernel_table::block(self.child_grid.val()),
            child_empty: self.child_empty.val(),
            child_needs: kernel_table::needs(self.child_needs.val()),
            child_home: self.child_home.val().index(),
            child_level: self.child_level.val().raw() as u8,
            freed: self.freed.iter().map(|port| kernel_table::needs(port.val())).collect(),
            resident: self.resident.val().raw() as u32,
            kernel_context: ports::context(
                self.lookup_ports.context_valid.val(),
                self.lookup_ports.kernel_context.val(),
            ),
        }
    }
    twin_calls!();
}

fn kernels(smxs: usize) -> Lockstep<NestedKernels> {
    Lockstep::new(NestedKernels::new(smxs), twin::NestedKernels::new(smxs))
}

fn kernel(number: u32) -> KernelLaunch {
    let grid = Dim3::new(number % 5, 2, 3);
    KernelLaunch {
        entry_pc: number,
        parameter_address: !number,
        grid,
        block: Dim3::new(32, 1, 1),
        blocks: grid.volume() as u32,
        needs: BlockNeeds { threads: 32, registers: number % 999, shared_memory: 1 },
        ..KernelLaunch::default()
    }
}

fn host(number: u32) -> Inputs {
    Inputs { launch: Some(kernel(number)), ..Inputs::default() }
}

fn child(number: u32, home: usize, level: u8) -> Inputs {
    Inputs { home, level, ..host(number) }
}

#[test]
fn hosts_and_device_kernels_wait_in_lines_of_their_own() {
    let mut kernels = kernels(3);
    kernels.cycle(&child(1, 2, 3));
    kernels.cycle(&host(2));
    kernels.cycle(&host(3));
    let both = Inputs { host_pop: true, child_pop: true, ..child(5, 1, 1) };
    let outputs = kernels.cycle(&both);
    assert_eq!((outputs.host, outputs.child), (Some(KernelEntry(1)), Some(KernelEntry(0))));
    assert_eq!((outputs.child_home, outputs.child_level, outputs.child_empty), (2, 3, false));
    let outputs = kernels.cycle(&Inputs::default());
    assert_eq!((outputs.host, outputs.child), (Some(KernelEntry(2)), Some(KernelEntry(3))));
    assert!(outputs.child_empty, "5 modulo 5 blocks wide");
}

#[test]
fn thirty_two_kernels_fit_and_one_that_ends_is_free_in_the_next_cycle() {
    let mut kernels = kernels(1);
    for number in 0..32 {
        let entry = Some(KernelEntry(number as u8));
        let launch = if number % 2 == 0 { host(number) } else { child(number, 0, 1) };
        assert_eq!(kernels.cycle(&launch).launch_ready, entry);
    }
    assert_eq!(kernels.cycle(&host(99)).launch_ready, None, "full");
    let ends = Inputs { host_pop: true, ends: 1, ..host(99) };
    assert_eq!(kernels.cycle(&ends).launch_ready, None);
    assert_eq!(kernels.cycle(&host(99)).launch_ready, Some(KernelEntry(0)));
}

#[test]
fn all_smxs_count_in_one_cycle_up_and_down() {
    for smxs in [16, 33, 65, 132] {
        let mut kernels = kernels(smxs);
        kernels.cycle(&host(1));
        let each = || vec![Some(KernelEntry(0)); smxs].into_iter().collect();
        let everywhere = Inputs { dispatched: each(), ..Inputs::default() };
        assert_eq!(kernels.cycle(&everywhere).resident, 0);
        let mut ending = Inputs { finished: each(), ..Inputs::default() };
        ending.dispatched[3] = Some(KernelEntry(0));
        let outputs = kernels.cycle(&ending);
        assert_eq!((outputs.resident, outputs.freed[smxs - 1].threads), (1, 32));
        assert_eq!(kernels.cycle(&Inputs::default()).resident, 1, "the one that came");
    }
}

fn sample(smxs: usize, seed: u64) {
    let (mut kernels, mut random) = (kernels(smxs), random(seed));
    let mut started: VecDeque<KernelEntry> = VecDeque::new();
    let mut resident: Vec<Vec<KernelEntry>> = vec![Vec::new(); smxs];
    let mut ended = 0;
    // So that kernels end on many SMXs as well, about five blocks are dispatched in a cycle.
    let seldom = (smxs / 5).max(3);
    for cycle in 0..6_000u32 {
        let seen = kernels.peek(&Inputs::default());
        // Phases that fill and that drain.
        let often = if cycle / 300 % 2 == 0 { 700 } else { 60 };
        let mut inputs = match random.random_range(0..1000) {
            draw if draw >= often => Inputs::default(),
            draw if draw % 2 == 0 => host(cycle),
            _ => child(cycle, random.random_range(0..smxs), random.random_range(1..4)),
        };
        inputs.reset = random.random_range(0..700) == 0;
        inputs.host_pop = seen.host.is_some() && random.random_range(0..4) == 0;
        inputs.child_pop = seen.child.is_some() && random.random_range(0..4) == 0;
        inputs.lookup =
            (random.random_range(0..3) == 0).then(|| KernelEntry(random.random_range(0..32)));
        for (smx, resident) in resident.iter_mut().enumerate() {
            if !resident.is_empty() && random.random_range(0..3) == 0 {
                let which = random.random_range(0..resident.len());
                inputs.finished[smx] = Some(resident.swap_remove(which));
            }
            if !started.is_empty() && random.random_range(0..seldom) == 0 {
                let entry = started[random.random_range(0..started.len())];
                inputs.dispatched[smx] = Some(entry);
                resident.push(entry);
            }
        }
        // Kernels of which nothing runs end now and then, several at once.
        started.retain(|entry| {
            let runs = resident.iter().flatten().any(|other| other == entry)
                || inputs.finished.stated().contains(&Some(*entry))
                || inputs.dispatched.stated().contains(&Some(*entry));
            let ends = !runs && random.random_range(0..6) == 0;
            inputs.ends |= u32::from(ends) << entry.0;
            ended += u32::from(ends);
            !ends
        });
        started.extend(seen.host.filter(|_| inputs.host_pop));
        started.extend(seen.child.filter(|_| inputs.child_pop));
        kernels.cycle(&inputs);
        if inputs.reset {
            started.clear();
            resident.iter_mut().for_each(Vec::clear);
        }
    }
    // On many SMXs some block of nearly every kernel runs, and fewer kernels end.
    let enough = if smxs > 32 { 20 } else { 100 };
    assert!(ended > enough, "{ended} kernels ended");
}

#[test]
fn random_kernels_come_run_and_end_alike() {
    sample(1, 1);
    sample(3, 2);
    sample(16, 3);
    sample(33, 4);
    sample(65, 5);
    sample(132, 6);
}
