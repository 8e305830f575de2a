//! Clusters are whole or absent.

use super::*;
use crate::clusters::Policy;
use crate::port::Cluster;

/// Two GPCs of three SMXs each, and in entry 0 a kernel of four clusters of four blocks.
struct Plan {
    invariants: Invariants,
}

impl Plan {
    fn of(policy: Policy, gated: bool, issue: IssueRule) -> Self {
        let rules = PolicyRules { clusters: Some(policy), gated, issue, ..PolicyRules::default() };
        let invariants = Invariants::new(LIMITS, 6, rules).on(&FloorPlan::new(6, &[3, 3]));
        let mut plan = Self { invariants };
        plan.launch(0);
        plan
    }

    fn new(policy: Policy) -> Self {
        Self::of(policy, false, IssueRule::OneACycle)
    }

    /// A kernel of (4, 4, 1) blocks in clusters of (2, 2, 1), into that entry.
    fn launch(&mut self, entry: u8) {
        let (grid, cluster) = (Dim3::new(4, 4, 1), Cluster { x: 2, y: 2, z: 1 });
        let launch = KernelLaunch { grid, cluster, blocks: 16, ..Default::default() };
        self.cycle(entry, |inputs, _| inputs.launch = Some(launch)).unwrap();
    }

    fn cycle(
        &mut self,
        free: u8,
        change: impl FnOnce(&mut Inputs, &mut Outputs),
    ) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(6), Outputs::idle(6));
        outputs.launch_ready = Some(KernelEntry(free));
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    fn idle(&mut self) -> Result<(), String> {
        self.cycle(1, |_, _| ())
    }

    fn dispatch(&mut self, smx: usize, x: u32, y: u32) -> Result<(), String> {
        self.cycle(1, |_, outputs| outputs.dispatch[smx] = Some(block(x, y)))
    }
}

/// A cluster of four blocks would not fit three SMXs: under balance it doubles up.
const BALANCE: Policy = Policy::Balance;

#[test]
fn blocks_go_cluster_after_cluster() {
    let mut plan = Plan::new(BALANCE);
    for (smx, (x, y)) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0)].into_iter().enumerate() {
        let gpc = if x < 2 { 0 } else { 3 };
        plan.dispatch(gpc + smx % 3, x, y).unwrap();
    }
    refused(plan.dispatch(3, 3, 1), "out of order: in clusters of (2, 2, 1), 6 comes after 6");
    // By linear id block (2, 0) would be the third one.
    let mut plan = Plan::new(BALANCE);
    plan.dispatch(0, 0, 0).unwrap();
    plan.dispatch(1, 1, 0).unwrap();
    refused(plan.dispatch(2, 2, 0), "dispatched block 2 out of order");
}

#[test]
fn an_open_cluster_goes_on_in_every_cycle_unless_there_is_a_gate() {
    let mut plan = Plan::new(BALANCE);
    plan.idle().unwrap();
    plan.dispatch(0, 0, 0).unwrap();
    refused(plan.idle(), "3 blocks of an open cluster of entry 0 are left");
    let mut gated = Plan::of(BALANCE, true, IssueRule::OneACycle);
    gated.dispatch(0, 0, 0).unwrap();
    gated.idle().unwrap();
    for (x, y) in [(1, 0), (0, 1), (1, 1)] {
        gated.dispatch(1, x, y).unwrap_or_else(|message| panic!("{message}"));
    }
    // Whole: between two clusters there may be a pause.
    let mut plan = Plan::new(BALANCE);
    for (smx, (x, y)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
        plan.dispatch(smx % 3, x, y).unwrap();
    }
    plan.idle().unwrap();
}

#[test]
fn a_cluster_stays_in_its_gpc_and_the_next_one_may_go_to_another() {
    let mut plan = Plan::new(BALANCE);
    plan.dispatch(2, 0, 0).unwrap();
    refused(plan.dispatch(3, 1, 0), "SMX 3 of GPC 1 receives a block of a cluster that is open in");
    let whole = FloorPlan::from(6);
    let mut one_gpc = Plan::new(BALANCE);
    one_gpc.invariants = one_gpc.invariants.on(&whole);
    one_gpc.dispatch(2, 0, 0).unwrap();
    one_gpc.dispatch(3, 1, 0).unwrap();
}

#[test]
fn only_under_balance_an_smx_has_two_blocks_of_a_cluster() {
    let mut spread = Plan::new(Policy::Spread);
    spread.dispatch(0, 0, 0).unwrap();
    spread.dispatch(1, 1, 0).unwrap();
    refused(spread.dispatch(0, 0, 1), "SMX 0 receives a second block of one cluster");
    let mut balance = Plan::new(BALANCE);
    balance.dispatch(0, 0, 0).unwrap();
    balance.dispatch(0, 1, 0).unwrap();
}

#[test]
fn one_block_goes_in_a_cycle_and_no_kernel_goes_before_an_older_one() {
    let mut plan = Plan::new(BALANCE);
    let two = plan.cycle(1, |_, outputs| {
        outputs.dispatch[0] = Some(block(0, 0));
        outputs.dispatch[1] = Some(block(1, 0));
    });
    refused(two, "2 blocks dispatched in one cycle");
    let mut plan = Plan::new(BALANCE);
    plan.launch(1);
    let younger = Dispatch { kernel: KernelEntry(1), ..block(0, 0) };
    refused(
        plan.cycle(2, |_, outputs| outputs.dispatch[0] = Some(younger)),
        "before entry 0, which is older",
    );
}

#[test]
fn nothing_of_another_kernel_goes_within_a_cluster_whatever_the_order_of_kernels() {
    let mut plan = Plan::of(BALANCE, true, IssueRule::Any);
    plan.launch(1);
    let younger = |_: &mut Inputs, outputs: &mut Outputs| {
        outputs.dispatch[0] = Some(Dispatch { kernel: KernelEntry(1), ..block(0, 0) });
    };
    plan.cycle(2, |_, outputs| outputs.dispatch[0] = Some(block(0, 0))).unwrap();
    refused(plan.cycle(2, younger), "entry 1 dispatches while a cluster of entry 0 is open");
}

#[test]
fn a_cluster_of_one_block_is_whole_with_it() {
    let rules = PolicyRules { clusters: Some(Policy::Spread), ..PolicyRules::default() };
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    bench.launch(BlockNeeds::default());
    bench.dispatch(0, 0, 0).unwrap();
    bench.cycle(|_, _| ()).unwrap();
    bench.dispatch(0, 1, 0).unwrap();
}
