use super::*;
use crate::port::{BlockNeeds, Cluster, Dim3, KernelLaunch};

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 2 };

/// Two GPCs of three SMXs.
fn scheduler(policy: Policy) -> Clusters {
    Clusters::new(&FloorPlan::new(6, &[3, 3]), LIMITS, policy, Vec::new())
}

/// A kernel of `clusters` clusters of `size` blocks that each take that many threads.
fn launch(clusters: u32, size: u8, threads: u32) -> KernelLaunch {
    let grid = Dim3::new(clusters * u32::from(size), 1, 1);
    KernelLaunch {
        grid,
        blocks: grid.x,
        needs: BlockNeeds { threads, ..BlockNeeds::default() },
        cluster: Cluster { x: size, y: 1, z: 1 },
        ..KernelLaunch::default()
    }
}

/// The dispatches of a cycle, by SMX: the block's x.
fn cycle(scheduler: &mut Clusters, inputs: &Inputs) -> Vec<(usize, u32)> {
    let mut outputs = Outputs::idle(6);
    scheduler.cycle(inputs, &mut outputs);
    let dispatched = outputs.dispatch.iter().enumerate();
    dispatched.filter_map(|(smx, dispatch)| Some((smx, dispatch.as_ref()?.block.x))).collect()
}

fn offer(scheduler: &mut Clusters, launch: KernelLaunch) {
    let inputs = Inputs { launch: Some(launch), ..Inputs::idle(6) };
    assert_eq!(cycle(scheduler, &inputs), []);
}

fn finish(smxs: &[usize]) -> Inputs {
    let mut inputs = Inputs::idle(6);
    smxs.iter().for_each(|&smx| inputs.finished[smx] = Some(KernelEntry(0)));
    inputs
}

/// The line of a stuck run's report that tells of the cluster.
fn told(scheduler: &Clusters) -> String {
    scheduler.explain().lines().nth(1).unwrap_or_default().to_owned()
}

#[test]
fn four_clusters_of_two_on_two_gpcs_of_three() {
    // The example of the page.
    let mut scheduler = scheduler(Policy::Spread);
    offer(&mut scheduler, launch(4, 2, 64));
    let idle = Inputs::idle(6);
    let went: Vec<_> = (0..5).map(|_| cycle(&mut scheduler, &idle)).collect();
    assert_eq!(went, [vec![(0, 0)], vec![(1, 1)], vec![(3, 2)], vec![(4, 3)], vec![]]);
    // One more end in GPC 1, and c goes there in that very cycle.
    assert_eq!(cycle(&mut scheduler, &finish(&[4])), [(5, 4)]);
    assert_eq!(cycle(&mut scheduler, &idle), [(4, 5)]);
    assert_eq!(cycle(&mut scheduler, &idle), []);
}

#[test]
fn under_balance_a_cluster_of_blocks_of_half_an_smx_doubles_up() {
    let mut scheduler = scheduler(Policy::Balance);
    offer(&mut scheduler, launch(2, 6, 32));
    let idle = Inputs::idle(6);
    let went: Vec<_> = (0..12).flat_map(|_| cycle(&mut scheduler, &idle)).collect();
    let smxs: Vec<_> = went.iter().map(|&(smx, _)| smx).collect();
    assert_eq!(smxs, [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]);
}

#[test]
fn kernels_follow_one_another_without_a_gap_each_in_its_own_clusters() {
    let mut scheduler = scheduler(Policy::Spread);
    offer(&mut scheduler, launch(1, 3, 32));
    let next = Inputs { launch: Some(launch(2, 2, 32)), ..Inputs::idle(6) };
    let mut went = vec![cycle(&mut scheduler, &next)];
    went.extend((0..6).map(|_| cycle(&mut scheduler, &Inputs::idle(6))));
    let smxs: Vec<_> = went.iter().flatten().map(|&(smx, _)| smx).collect();
    assert_eq!(smxs, [0, 1, 2, 3, 4, 0, 1]);
}

#[test]
fn an_empty_grid_costs_one_cycle_as_head() {
    let mut scheduler = scheduler(Policy::Spread);
    offer(&mut scheduler, launch(0, 2, 32));
    let next = Inputs { launch: Some(launch(1, 1, 32)), ..Inputs::idle(6) };
    assert_eq!(cycle(&mut scheduler, &next), []);
    let mut outputs = Outputs::idle(6);
    scheduler.cycle(&Inputs::idle(6), &mut outputs);
    assert_eq!(outputs.finished_kernels, 1);
    assert!(outputs.dispatch[0].is_some());
}

#[test]
fn reset_within_a_cluster_returns_to_the_state_after_reset() {
    for policy in [Policy::Spread, Policy::Balance] {
        let mut it = scheduler(policy);
        offer(&mut it, launch(4, 2, 64));
        cycle(&mut it, &Inputs::idle(6));
        let reset = Inputs { reset: true, ..Inputs::idle(6) };
        let mut outputs = Outputs::idle(6);
        assert_eq!(it.cycle(&reset, &mut outputs), Activity::Busy);
        assert_eq!(it, scheduler(policy));
        assert_eq!(it.cycle(&reset, &mut outputs), Activity::Quiet);
    }
}

#[test]
fn a_stuck_run_is_told_of_a_cluster_that_fits_no_gpc() {
    for (policy, size, threads, room) in
        [(Policy::Spread, 4, 32, 3), (Policy::Balance, 7, 32, 6), (Policy::Balance, 4, 64, 3)]
    {
        let mut scheduler = scheduler(policy);
        offer(&mut scheduler, launch(1, size, threads));
        assert_eq!(cycle(&mut scheduler, &Inputs::idle(6)), []);
        let expected = format!(
            "a cluster ({size}, 1, 1) of {size} blocks fits no GPC, even an empty one: the largest \
            has 3 SMXs and room for {room} blocks of a cluster"
        );
        assert_eq!(told(&scheduler), expected);
    }
}

#[test]
fn a_stuck_run_is_told_of_a_cluster_that_waits_or_is_open() {
    let mut scheduler = scheduler(Policy::Spread);
    assert_eq!(scheduler.explain(), "the scheduler has no kernel to distribute");
    offer(&mut scheduler, launch(3, 3, 64));
    let waits = "a cluster (3, 1, 1) of 3 blocks waits for a GPC with room for all of them";
    assert_eq!(told(&scheduler), waits);
    (0..4).for_each(|_| drop(cycle(&mut scheduler, &Inputs::idle(6))));
    assert_eq!(told(&scheduler), "a cluster (3, 1, 1) of 3 blocks is open in GPC 1");
    (0..2).for_each(|_| drop(cycle(&mut scheduler, &Inputs::idle(6))));
    assert_eq!(told(&scheduler), waits);
    let resources: Vec<_> = scheduler.resource_table.explain().collect();
    assert_eq!(scheduler.explain().lines().skip(2).collect::<Vec<_>>(), resources);
}

#[test]
#[should_panic(expected = "145 SMXs: expected 1 to 144")]
fn more_smxs_than_the_ports_serve_are_refused() {
    Clusters::new(&145.into(), LIMITS, Policy::Spread, Vec::new());
}

#[test]
#[should_panic(expected = "one `finished` for each SMX")]
fn inputs_for_another_number_of_smxs_are_refused() {
    scheduler(Policy::Spread).cycle(&Inputs::idle(3), &mut Outputs::default());
}
