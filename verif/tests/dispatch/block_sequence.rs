//! Rationale: 1. no state; every block of every grid of up to four blocks in each dimension, and
//! the largest grids. 2. M = 1, 2, 4, 13, 15, 31, 32, and beyond 32: 33, 65 and 132.

use super::kernel_table::block as dim;
use crate::harness::{random, Lockstep, Twinned};
use blockyard_rtl::dispatch::BlockSequence;
use blockyard_rtl::port::BlockId;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, Dim3};
use blockyard_sim::sched::dispatch as twin;
use rand::RngExt;
use twin::{BlockSequenceInputs as Inputs, BlockSequenceOutputs as Outputs};

pub fn word(dim: Dim3) -> BlockId {
    BlockId { x: U::new(dim.x.into()), y: U::new(dim.y.into()), z: U::new(dim.z.into()) }
}

impl Twinned for BlockSequence {
    type Twin = twin::BlockSequence;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.at.next = word(inputs.at);
        self.grid.next = word(inputs.grid);
    }
    fn observe(&self) -> Outputs {
        let count = self.count.val().index();
        Outputs {
            block: self.block[..count].iter().map(|port| dim(port.val())).collect(),
            beyond: (!self.ends.val()).then(|| dim(self.beyond.val())),
            empty: self.empty.val(),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(_twin: &mut Self::Twin, _inputs: &Inputs) -> Activity {
        Activity::Quiet
    }
    fn resets(_inputs: &Inputs) -> bool {
        false
    }
}

fn sequence(most: usize) -> Lockstep<BlockSequence> {
    Lockstep::new(BlockSequence::new(most), twin::BlockSequence::new(most))
}

pub fn index(id: u64, grid: Dim3) -> Dim3 {
    let (x, y) = (u64::from(grid.x), u64::from(grid.y));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}

fn exhaust(most: usize) {
    let mut sequence = sequence(most);
    for (x, y, z) in (0..125).map(|n| (n % 5, n / 5 % 5, n / 25)) {
        let grid = Dim3::new(x, y, z);
        let blocks = grid.volume() as u64;
        if blocks == 0 {
            let outputs = sequence.cycle(&Inputs { at: Dim3::default(), grid });
            assert_eq!(outputs, Outputs { empty: true, ..Outputs::default() });
        }
        for first in 0..blocks {
            let outputs = sequence.cycle(&Inputs { at: index(first, grid), grid });
            let last = blocks.min(first + most as u64);
            let expected: Vec<_> = (first..last).map(|id| index(id, grid)).collect();
            assert_eq!(outputs.block, expected, "{most} blocks, {grid} from {first}");
            let beyond = (last < blocks).then(|| index(last, grid));
            assert_eq!((outputs.beyond, outputs.empty), (beyond, false));
        }
    }
}

#[test]
fn blocks_follow_x_fastest_from_every_block_of_every_small_grid() {
    for most in [1, 2, 4, 13, 15, 31, 32, 33, 65, 132] {
        exhaust(most);
    }
}

fn sample(most: usize) {
    let mut sequence = sequence(most);
    let mut random = random(most as u64);
    let beside = most as u32 + 1;
    let mut ended = 0;
    for _ in 0..3_000 {
        // A large extent, or one about as large as the sequence.
        let mut side = |largest: u32| match random.random_range(0..3) {
            0 => random.random_range(0..=beside),
            1 => largest,
            _ => random.random_range(1..=largest),
        };
        let grid = Dim3::new(side((1 << 31) - 1), side(65_535), side(65_535));
        let mut near_end = |extent: u32| match random.random_range(0..3) {
            0 => 0,
            1 => extent.saturating_sub(1),
            _ => extent.saturating_sub(random.random_range(1..=beside)),
        };
        let at = Dim3::new(near_end(grid.x), near_end(grid.y), near_end(grid.z));
        ended += u32::from(sequence.cycle(&Inputs { at, grid }).beyond.is_none());
    }
    assert!(ended > 100 && ended < 2_900, "{ended} ends");
}

#[test]
fn hardware_and_twin_agree_near_the_ends_of_large_grids() {
    for most in [1, 3, 15, 32, 33, 65, 132] {
        sample(most);
    }
}
