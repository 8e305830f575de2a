//! Rationale: 1. shares of each of 1 to 8 domains of grids of up to three blocks more than four a
//! domain, and of grids at the limits of their fields. 2. Steps at random, to the share's end. 3. A
//! start in the middle of another, reset.

use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ikra::{block, GIANTS};
use crate::ports;
use blockyard_rtl::domains::Share;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::domains as twin;
use rand::RngExt;
use twin::{ShareInputs as Inputs, ShareOutputs as Outputs};

impl Twinned for Share {
    type Twin = twin::Share;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        self.blocks.next = U::new(inputs.blocks.into());
        self.grid.next = ports::block_id(inputs.grid);
        self.step.next = inputs.step;
    }
    fn observe(&self) -> Outputs {
        let left = self.left.val();
        Outputs {
            ready: self.ready.val(),
            start: kernel_table::block(self.start.val()),
            left,
            // Means nothing without `left`.
            last: left & self.last.val(),
        }
    }
    twin_calls!();
}

fn share(domain: usize, domains: usize) -> Lockstep<Share> {
    Lockstep::new(Share::new(domains, domain), twin::Share::new(domain, domains))
}

fn ask(grid: Dim3) -> Inputs {
    Inputs { begins: true, blocks: grid.volume() as u32, grid, ..Inputs::default() }
}

/// What is known 63 cycles after the start, and that nothing is before.
#[track_caller]
fn begin(share: &mut Lockstep<Share>, grid: Dim3) -> Outputs {
    share.cycle(&ask(grid));
    let wait = Inputs { begins: false, ..ask(grid) };
    for cycle in 1..63 {
        assert!(!share.cycle(&wait).ready, "cycle {cycle}");
    }
    share.peek(&wait)
}

#[test]
fn the_shares_follow_each_other_and_are_the_whole_grid() {
    for domains in 1..=8 {
        for x in (1..=4 * domains as u32 + 3).step_by(3) {
            let grid = Dim3::new(x, 2, 1);
            let (blocks, mut first) = (grid.volume() as u64, 0);
            for domain in 0..domains {
                let mut share = share(domain, domains);
                let mut seen = begin(&mut share, grid);
                assert!(seen.ready);
                assert_eq!(seen.start, block(first, grid), "{domain} of {domains}, grid {grid}");
                while seen.left {
                    first += 1;
                    let step = Inputs { step: true, ..Inputs::default() };
                    let last = share.cycle(&step).last;
                    seen = share.peek(&Inputs::default());
                    assert_eq!(seen.left, !last, "{domain} of {domains}, grid {grid}");
                }
                let before = (domain as u64 + 1) * (blocks / domains as u64);
                assert_eq!(first, before + (domain as u64 + 1).min(blocks % domains as u64));
            }
            assert_eq!(first, blocks);
        }
    }
}

#[test]
fn grids_at_the_limits_of_their_fields_are_cut_as_well() {
    for domains in [1, 3, 8] {
        for grid in GIANTS {
            let found = begin(&mut share(domains - 1, domains), grid);
            let (blocks, n) = (grid.volume() as u64, domains as u64);
            assert!(found.ready && found.left, "{domains}, {grid}");
            assert_eq!(found.start, block(blocks - blocks / n, grid), "{domains}, {grid}");
        }
    }
}

#[test]
fn hardware_and_twin_agree_on_random_starts_and_steps() {
    for (domains, domain) in [(1, 0), (2, 1), (3, 0), (5, 4), (8, 6)] {
        let (mut share, mut random) = (share(domain, domains), random(domains as u64));
        let (mut grid, mut empty, mut emptied, mut cut) = (Dim3::new(1, 1, 1), 0, 0, 0);
        for _ in 0..60_000 {
            let seen = share.peek(&Inputs { grid, ..Inputs::default() });
            let likely = if seen.ready && !seen.left { 5 } else { 400 };
            let begins = random.random_range(0..likely) == 0;
            if begins {
                let mut side = |most| random.random_range(1..=most);
                grid = Dim3::new(side(40), side(2), side(2));
                empty += u32::from(seen.ready && seen.start == Dim3::new(0, 0, grid.z));
                cut += u32::from(!seen.ready);
            }
            let step = seen.left && !begins && random.random_bool(0.7);
            emptied += u32::from(step && seen.last);
            let reset = random.random_range(0..4_000) == 0;
            share.cycle(&Inputs { reset, begins, blocks: grid.volume() as u32, grid, step });
        }
        assert!(emptied > 50 && cut > 10, "{domain} of {domains}: {emptied}, {empty}, {cut}");
    }
}

#[test]
fn a_new_start_goes_before_what_was_under_way() {
    let mut share = share(0, 2);
    begin(&mut share, Dim3::new(9, 1, 1));
    share.cycle(&ask(Dim3::new(4, 1, 1)));
    let later = begin(&mut share, Dim3::new(3, 1, 1));
    let last = Outputs { ready: true, start: Dim3::new(0, 0, 0), left: true, last: false };
    assert_eq!(later, last);
    share.cycle(&Inputs { step: true, ..Inputs::default() });
    assert!(share.peek(&Inputs::default()).last, "two of three are the first domain's");
}
