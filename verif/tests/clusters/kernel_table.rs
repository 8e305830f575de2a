//! Rationale: the state is 32 kernels with a next cluster and a count each, and a place; random
//! kernels fill and drain the table first come, first served. N = 1, 3, 13, and masks of several
//! words: 65 and 132.

use crate::dispatch::kernel_table::{block, needs};
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::clusters::ClusterTable;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{BlockNeeds, Cluster, Dim3, KernelEntry, KernelLaunch};
use blockyard_sim::sched::{clusters as twin, SmxMask};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::VecDeque;
use twin::{KernelTableInputs as Inputs, KernelTableOutputs as Outputs};

impl Twinned for ClusterTable {
    type Twin = twin::KernelTable;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        self.cluster.next = ports::cluster(inputs.launch.as_ref());
        let head = ports::tagged(inputs.head);
        self.head_valid.next = head.valid;
        self.head.next = head.entry;
        self.step.next = inputs.step && !inputs.cancelled;
        if self.skip.is_present() {
            self.skip.next = inputs.step && inputs.cancelled;
        }
        self.marked.next = U::new(inputs.marked.into());
        let mut finished = SmxMask::ZERO;
        for (smx, port) in self.finished_kernel.iter_mut().enumerate() {
            let entry = ports::tagged(inputs.finished[smx]);
            finished.set(smx, entry.valid);
            port.next = entry.entry;
        }
        mask::drive(&mut self.finished, finished);
        self.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
    }
    fn observe(&self) -> Outputs {
        let head_empty = self.head_empty.val();
        // Both are undefined without a head that has blocks.
        let has_block = self.head_valid.val() && !head_empty;
        Outputs {
            launch_ready: self
                .launch_ports
                .launch_ready
                .val()
                .then(|| ports::entry(self.launch_ports.launch_entry.val())),
            head_block: block(self.head_block.val()),
            head_needs: needs(self.head_needs.val()),
            head_last: self.head_last.val() && has_block,
            head_empty,
            head_cluster: self.head_cluster.val().raw() as u32,
            head_closes: self.head_closes.val() && has_block,
            freed: self.freed.iter().map(|port| needs(port.val())).collect(),
            finished_kernels: self.finished_kernels.val().raw() as u32,
            context: ports::context(
                self.lookup_ports.context_valid.val(),
                self.lookup_ports.kernel_context.val(),
            ),
        }
    }
    twin_calls!();
}

fn kernel(random: &mut Pcg64) -> KernelLaunch {
    let mut side = |most: u32| random.random_range(1..=most);
    let cluster = loop {
        if let Some(cluster) = Cluster::of(Dim3::new(side(4), side(4), side(4))) {
            break cluster;
        }
    };
    let Dim3 { x, y, z } = cluster.extent();
    let mut grid = Dim3::new(x * side(3), y * side(2), z * side(2));
    if side(8) == 1 {
        grid.y = 0;
    }
    KernelLaunch {
        entry_pc: random.random(),
        parameter_address: random.random(),
        grid,
        blocks: grid.volume() as u32,
        needs: BlockNeeds { threads: 32 + random.random_range(0..64), ..Default::default() },
        cluster,
        ..KernelLaunch::default()
    }
}

/// Clusters of a table that `skips` are passed by now and then where none is open.
fn sample(smxs: usize, cycles: usize, skips: bool) {
    let module = if skips { ClusterTable::skipping(smxs) } else { ClusterTable::new(smxs) };
    let mut table = Lockstep::new(module, twin::KernelTable::new());
    let mut random = random(smxs as u64);
    let mut waiting: VecDeque<KernelEntry> = VecDeque::new();
    let mut resident: Vec<Vec<KernelEntry>> = vec![Vec::new(); smxs];
    // Of the kernel in each entry, the clusters that have not gone; and whether one is open.
    let (mut left, mut open) = ([0; 32], false);
    let (mut closed, mut skipped, mut ended, mut empty) = (0, 0, 0, 0);
    for _ in 0..cycles {
        let head = waiting.front().copied();
        let mut inputs = Inputs {
            reset: random.random_range(0..1_500) == 0,
            launch: random.random_bool(0.1).then(|| kernel(&mut random)),
            head,
            marked: waiting.iter().fold(0, |marks, entry| marks | 1 << entry.0),
            lookup: random.random_bool(0.3).then(|| KernelEntry(random.random_range(0..32))),
            ..Inputs::default()
        };
        for (smx, held) in resident.iter_mut().enumerate() {
            if !held.is_empty() && random.random_bool(0.4) {
                let which = random.random_range(0..held.len());
                inputs.finished[smx] = Some(held.swap_remove(which));
            }
        }
        let seen = table.peek(&inputs);
        inputs.step = head.is_some() && !seen.head_empty && random.random_bool(0.8);
        inputs.cancelled = skips && inputs.step && !open && random.random_bool(0.3);
        table.cycle(&inputs);
        if inputs.reset {
            open = false;
            waiting.clear();
            resident.iter_mut().for_each(Vec::clear);
            continue;
        }
        if inputs.step {
            let closes = inputs.cancelled || seen.head_closes;
            if inputs.cancelled {
                skipped += 1;
            } else {
                let smx = random.random_range(0..smxs);
                resident[smx].extend(head);
                open = !closes;
            }
            closed += u32::from(closes);
            left[head.expect("it steps").index()] -= u128::from(closes);
        }
        if head.is_some_and(|head| seen.head_empty || left[head.index()] == 0) {
            empty += u32::from(seen.head_empty);
            waiting.pop_front();
        }
        if let (Some(launch), Some(entry)) = (inputs.launch, seen.launch_ready) {
            left[entry.index()] = launch.grid.volume() / u128::from(launch.cluster.blocks());
            waiting.push_back(entry);
        }
        ended += seen.finished_kernels.count_ones();
    }
    assert!(
        closed > 200 && ended > 30 && empty > 5 && (skipped > 50) == skips,
        "{closed} clusters, {skipped} passed by, {ended} ends, {empty} empty"
    );
}

#[test]
fn hardware_and_twin_agree_on_random_kernels_in_clusters() {
    for smxs in [1, 3, 13] {
        sample(smxs, 12_000, false);
    }
    for smxs in [65, 132] {
        sample(smxs, 4_000, false);
    }
}

#[test]
fn hardware_and_twin_agree_where_clusters_are_passed_by() {
    for smxs in [1, 3, 13, 65] {
        sample(smxs, 6_000, true);
    }
}
