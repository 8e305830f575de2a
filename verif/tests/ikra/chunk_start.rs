//! Rationale: 1. positions of N SMXs times grids: every block count up to 4 N of small grids, and
//! grids at the limits of their fields. 2. N = 1, 3, 4, 15, 16, 32, 33, 65 and 132. 3. A start in
//! the middle of another, reset.

use super::{block, GIANTS};
use crate::dispatch::kernel_table;
use crate::harness::{drive_word, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::ChunkStart;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{ChunkStartInputs as Inputs, ChunkStartOutputs as Outputs};

impl Twinned for ChunkStart {
    type Twin = twin::ChunkStart;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        drive_word(&mut self.position, inputs.position);
        self.blocks.next = U::new(inputs.blocks.into());
        self.grid.next = ports::block_id(inputs.grid);
        self.derived.next = inputs.derived;
        self.derived_first.next = U::new(inputs.derived_first.into());
        self.derived_vacant.next = inputs.derived_vacant;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            ready: self.ready.val(),
            start: kernel_table::block(self.start.val()),
            vacant: self.vacant.val(),
            first_id: self.first_id.val().raw() as u32,
        }
    }
    twin_calls!();
}

fn starts(smx: usize) -> Lockstep<ChunkStart> {
    Lockstep::new(ChunkStart::new(smx), twin::ChunkStart::new(smx))
}

fn ask(position: usize, grid: Dim3) -> Inputs {
    let blocks = grid.volume() as u32;
    Inputs { begins: true, position, blocks, grid, ..Inputs::default() }
}

/// What is known 63 cycles after the start, and that nothing is before.
#[track_caller]
fn start(starts: &mut Lockstep<ChunkStart>, position: usize, grid: Dim3) -> Outputs {
    let asked = ask(position, grid);
    starts.cycle(&asked);
    let wait = Inputs { begins: false, ..asked };
    for _ in 1..63 {
        assert!(!starts.cycle(&wait).ready);
    }
    starts.cycle(&wait)
}

fn check(smx: usize, grid: Dim3) {
    let mut starts = starts(smx);
    let (blocks, n) = (grid.volume() as u64, smx as u64);
    let mut first = 0;
    for position in 0..smx {
        let found = start(&mut starts, position, grid);
        let length = blocks / n + u64::from((position as u64) < blocks % n);
        let start = block(first, grid);
        let expected = Outputs { ready: true, start, vacant: length == 0, first_id: 0 };
        assert_eq!(found, expected, "position {position} of {smx}, grid {grid}");
        first += length;
    }
    assert_eq!(first, blocks);
}

#[test]
fn chunks_follow_each_other_and_the_first_ones_take_what_is_left_over() {
    for smx in [1, 3, 4, 15, 16, 32, 33, 65, 132] {
        for blocks in [1, 2, smx as u32, smx as u32 + 1, 3 * smx as u32 - 1, 4 * smx as u32] {
            check(smx, Dim3::new(blocks, 1, 1));
        }
        check(smx, Dim3::new(6, 4, 1));
        check(smx, Dim3::new(3, 5, 7));
        check(smx, Dim3::new(1, 1, 9));
    }
}

#[test]
fn grids_at_the_limits_of_their_fields_are_divided_exactly() {
    for grid in GIANTS {
        for smx in [1, 3, 15, 16, 33, 65, 132] {
            check(smx, grid);
        }
    }
}

#[test]
fn a_share_says_its_first_id_as_it_begins() {
    // 26 blocks on four SMXs: 7, 7, 6 and 6.
    for (position, first) in [0, 7, 14, 20].into_iter().enumerate() {
        let mut starts = starts(4);
        let asked = ask(position, Dim3::new(26, 1, 1));
        assert_eq!(starts.cycle(&asked).first_id, first, "position {position}");
        let given = Inputs { derived: true, derived_first: 3, ..asked };
        assert_eq!(starts.cycle(&given).first_id, 0, "it is given");
    }
}

#[test]
fn a_chunk_that_is_given_starts_at_its_first_id_up_to_the_end_of_the_grid() {
    for grid in GIANTS.into_iter().chain([Dim3::new(6, 4, 1), Dim3::new(3, 5, 7)]) {
        let blocks = grid.volume() as u64;
        let mut starts = starts(3);
        for first in [0, 1, blocks / 2, blocks - 1, blocks] {
            for vacant in [false, true] {
                let asked = Inputs {
                    derived: true,
                    derived_first: first as u32,
                    derived_vacant: vacant,
                    ..ask(1, grid)
                };
                starts.cycle(&asked);
                let wait = Inputs { begins: false, ..asked };
                (1..63).for_each(|_| assert!(!starts.cycle(&wait).ready));
                let found = starts.cycle(&wait);
                assert!(found.ready && found.vacant == vacant, "{grid}, {first}");
                assert_eq!(found.start, block(first, grid), "{grid}, {first}");
            }
        }
    }
}

#[test]
fn a_start_in_the_middle_of_another_begins_anew_and_what_is_known_stays() {
    let mut starts = starts(4);
    for _ in 0..40 {
        starts.cycle(&ask(1, Dim3::new(100, 1, 1)));
    }
    assert_eq!(start(&mut starts, 2, Dim3::new(6, 4, 1)).start, Dim3::new(0, 2, 0));
    let rest = Inputs { begins: false, ..ask(0, Dim3::new(6, 4, 1)) };
    assert_eq!(starts.cycle(&rest).start, Dim3::new(0, 2, 0));
    starts.cycle(&Inputs { reset: true, ..rest.clone() });
    assert_eq!(starts.cycle(&rest), Outputs::default());
}

#[test]
fn hardware_and_twin_agree_on_random_grids() {
    let mut random = random(1);
    for smx in [1, 3, 15, 16, 33, 65, 132] {
        let mut starts = starts(smx);
        for _ in 0..60 {
            let mut side = |most: u32| random.random_range(1..=most);
            let grid = Dim3::new(side(1 << 12), side(1 << 9), side(1 << 9));
            let position = random.random_range(0..smx);
            start(&mut starts, position, grid);
        }
    }
}
