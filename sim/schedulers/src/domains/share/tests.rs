use super::*;
use proptest::prelude::*;

fn begin(grid: (u32, u32, u32)) -> ShareInputs {
    let grid = Dim3::new(grid.0, grid.1, grid.2);
    ShareInputs { begins: true, blocks: grid.volume() as u32, grid, ..Default::default() }
}

/// `share` begins, and so many cycles pass without a step.
fn after(share: &mut Share, inputs: &ShareInputs, cycles: u32) -> ShareOutputs {
    share.clock(inputs);
    let idle = ShareInputs { begins: false, blocks: 9, ..inputs.clone() };
    for _ in 1..cycles {
        assert_eq!(share.evaluate(&idle), ShareOutputs::default());
        assert_eq!(share.clock(&idle), Activity::Busy);
    }
    share.evaluate(&idle)
}

/// First block and size of the share of every domain, by steps until none is left.
fn shares(domains: usize, grid: (u32, u32, u32)) -> Vec<((u32, u32, u32), u32)> {
    let of = |domain| {
        let mut share = Share::new(domain, domains);
        let ShareOutputs { ready, start, .. } = after(&mut share, &begin(grid), 63);
        assert!(ready);
        let step = ShareInputs { step: true, ..Default::default() };
        let mut size = 0;
        while share.evaluate(&step).left {
            let last = share.evaluate(&step).last;
            share.clock(&step);
            size += 1;
            assert_eq!(last, !share.evaluate(&step).left, "the last one and no other");
        }
        ((start.x, start.y, start.z), size)
    };
    (0..domains).map(of).collect()
}

#[test]
fn a_share_is_ready_63_cycles_after_begin_and_not_one_before() {
    let inputs = begin((6, 4, 1));
    let mut share = Share::new(1, 4);
    assert_eq!(after(&mut share, &inputs, 62), ShareOutputs::default());
    let idle = ShareInputs { begins: false, ..inputs };
    share.clock(&idle);
    let ready = ShareOutputs { ready: true, start: Dim3::new(0, 1, 0), left: true, last: false };
    assert_eq!(share.evaluate(&idle), ready);
    assert_eq!(share.clock(&idle), Activity::Quiet, "it stays ready");
    assert_eq!(share.evaluate(&begin((1, 1, 1))), ready, "until the edge after the next begin");
}

#[test]
fn each_domain_has_a_contiguous_share_and_the_first_ones_what_is_left_over() {
    assert_eq!(shares(2, (8, 1, 1)), [((0, 0, 0), 4), ((4, 0, 0), 4)]);
    // 11 blocks: 3, 3, 3, 2.
    let four = [((0, 0, 0), 3), ((3, 0, 0), 3), ((6, 0, 0), 3), ((9, 0, 0), 2)];
    assert_eq!(shares(4, (11, 1, 1)), four);
    assert_eq!(shares(3, (2, 2, 2)), [((0, 0, 0), 3), ((1, 1, 0), 3), ((0, 1, 1), 2)]);
    assert_eq!(shares(1, (3, 2, 2)), [((0, 0, 0), 12)]);
}

#[test]
fn with_fewer_blocks_than_domains_the_last_shares_are_empty() {
    let beyond = ((0, 0, 1), 0);
    assert_eq!(shares(4, (1, 2, 1)), [((0, 0, 0), 1), ((0, 1, 0), 1), beyond, beyond]);
}

#[test]
fn a_begin_takes_the_place_of_what_is_under_way_or_ready() {
    for cycles in [1, 40, 63] {
        let mut share = Share::new(1, 2);
        after(&mut share, &begin((6, 4, 1)), cycles);
        let outputs = after(&mut share, &begin((6, 1, 1)), 63);
        let start = Dim3::new(3, 0, 0);
        assert_eq!(outputs, ShareOutputs { ready: true, start, left: true, last: false });
    }
}

#[test]
fn the_largest_grid_is_divided_without_overflow() {
    let blocks = (1 << 31) - 1;
    let mut share = Share::new(7, 8);
    let outputs = after(&mut share, &begin((blocks, 1, 1)), 63);
    assert_eq!(outputs.start, Dim3::new(7 * (blocks / 8) + 7, 0, 0));
}

#[test]
fn reset_in_the_middle_stops_it_and_reset_when_ready_takes_it_back() {
    for cycles in [1, 40, 63, 70] {
        let mut share = Share::new(1, 4);
        share.clock(&begin((6, 4, 1)));
        let idle = ShareInputs { begins: false, ..begin((6, 4, 1)) };
        (1..cycles).for_each(|_| {
            share.clock(&idle);
        });
        let reset = ShareInputs { reset: true, ..begin((6, 4, 1)) };
        assert_eq!(share.clock(&reset), Activity::Busy);
        assert_eq!(share, Share::new(1, 4));
        assert_eq!(share.clock(&reset), Activity::Quiet);
    }
}

proptest! {
    #[test]
    fn shares_follow_each_other_and_have_every_block(
        (x, y, z) in (1u32..9, 1u32..9, 1u32..9), domains in 1usize..=8,
    ) {
        let grid = Dim3::new(x, y, z);
        let mut at = 0;
        for (domain, (start, size)) in shares(domains, (x, y, z)).into_iter().enumerate() {
            let blocks = grid.volume() as u32;
            let expected = blocks / domains as u32 + u32::from((domain as u32) < blocks % domains as u32);
            prop_assert_eq!(size, expected);
            prop_assert_eq!(Dim3::new(start.0, start.1, start.2).linear(grid), at);
            at += u64::from(size);
        }
        prop_assert_eq!(at, grid.volume() as u64);
    }
}
