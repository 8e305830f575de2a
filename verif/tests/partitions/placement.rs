//! Rationale: the state is a pointer for each partition; every number of partitions meets random
//! requests and turns, and cycles in which none has the turn. Masks of one word and of several.

use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::Module;
use blockyard_rtl::partitions::PartitionPlacement;
use blockyard_sim::port::FloorPlan;
use blockyard_sim::sched::partitions as twin;
use rand::RngExt;
use twin::{PlacementInputs as Inputs, PlacementOutputs as Outputs};

impl Twinned for PartitionPlacement {
    type Twin = twin::Placement;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.request, inputs.request);
        let partitions = self.turn.next.len();
        self.turn.next = Mask::gather(partitions, |partition| inputs.turn == Some(partition));
    }
    fn observe(&self) -> Outputs {
        Outputs { grant: mask::from_rtl(self.grant.val()), first: self.first.val().index() }
    }
    twin_calls!();
}

fn placement(smx: usize, partitions: usize) -> Lockstep<PartitionPlacement> {
    let hardware = PartitionPlacement::new(smx, partitions);
    Lockstep::new(hardware, twin::Placement::new(smx, partitions))
}

#[test]
fn hardware_and_twin_agree_on_random_requests_of_any_partition() {
    for smx in [1, 2, 3, 5, 13, 32, 33, 65, 132] {
        let plan = FloorPlan::uneven(smx);
        let count = plan.partitions().len();
        let (mut placement, mut random) = (placement(smx, count), random(smx as u64));
        let (mut grants, mut none) = (vec![0; count], 0);
        for _ in 0..6_000 {
            let has = random.random_range(0..=count);
            let turn = (has < count).then_some(has);
            let asks = mask::random_smxs(smx, &mut random);
            let request = turn.map(|turn| asks & plan.partitions()[turn]).unwrap_or_default();
            let reset = random.random_range(0..500) == 0;
            let grant = placement.cycle(&Inputs { reset, request, turn }).grant;
            none += u32::from(turn.is_none());
            if let Some(turn) = turn.filter(|_| !reset) {
                grants[turn] += grant.count_ones();
            }
        }
        assert!(none > 300 && grants.iter().all(|&grants| grants > 100), "{smx}: {grants:?}");
    }
}

/// One cycle; who is granted, and the pointer.
#[track_caller]
fn step(
    placement: &mut Lockstep<PartitionPlacement>,
    turn: Option<usize>,
    request: u32,
) -> (u32, usize) {
    let request = mask::from_bits(request);
    let outputs = placement.cycle(&Inputs { reset: false, request, turn });
    (mask::to_bits(outputs.grant), outputs.first)
}

#[test]
fn each_partition_goes_on_where_it_stopped_and_wraps_behind_the_last_smx() {
    let mut both = placement(4, 2);
    assert_eq!(step(&mut both, Some(0), 0b0011), (0b0001, 0));
    assert_eq!(step(&mut both, Some(1), 0b1100), (0b0100, 0));
    assert_eq!(step(&mut both, Some(0), 0b0011), (0b0010, 1));
    assert_eq!(step(&mut both, Some(1), 0b1100), (0b1000, 3));
    assert_eq!(step(&mut both, Some(1), 0b0100), (0b0100, 0), "behind the last SMX is the first");
    assert_eq!(step(&mut both, Some(0), 0b0001), (0b0001, 2));
}

#[test]
fn without_a_turn_the_pointer_of_the_first_partition_shows_and_none_moves() {
    let mut both = placement(3, 3);
    assert_eq!(step(&mut both, Some(0), 0b010), (0b010, 0));
    assert_eq!(step(&mut both, Some(2), 0b001), (0b001, 0));
    assert_eq!(step(&mut both, None, 0), (0, 2));
    assert_eq!(step(&mut both, Some(2), 0), (0, 1), "a turn in which nobody asks");
    assert_eq!(step(&mut both, Some(0), 0b111), (0b100, 2));
    assert_eq!(step(&mut both, Some(1), 0b100), (0b100, 0));
}
