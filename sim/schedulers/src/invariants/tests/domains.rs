//! Shares of kernels in domains (`docs/domains.md`).

use super::*;
use crate::domains::DomainsConfig;

const INTERLEAVE: DomainsConfig = DomainsConfig::Interleave { chunk: 1 };

/// Kernels of so many blocks in entries 0, 1, ..., on domain 0 of SMX 0 and domain 1 of SMX 1.
fn bench(config: DomainsConfig, kernels: &[u32]) -> Bench {
    let rules = PolicyRules { domains: Some(config), ..PolicyRules::default() };
    let plan = FloorPlan::from(2).in_domains(&[1, 1]).unwrap();
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules).on(&plan), free: 0 };
    for &blocks in kernels {
        let grid = Dim3::new(blocks, 1, 1);
        let launch = KernelLaunch { grid, blocks, ..Default::default() };
        bench.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        bench.free += 1;
    }
    bench
}

/// Blocks as SMX, entry and linear id, all in one cycle.
fn dispatch(bench: &mut Bench, blocks: &[(usize, u8, u32)]) -> Result<(), String> {
    bench.cycle(|_, outputs| {
        for &(smx, entry, x) in blocks {
            outputs.dispatch[smx] = Some(Dispatch { kernel: KernelEntry(entry), ..block(x, 0) });
        }
    })
}

#[test]
fn a_block_runs_in_the_domain_that_it_is_for() {
    let message = "SMX 1 of domain 1 receives block 0 of entry 0, which is another domain's";
    refused(dispatch(&mut bench(INTERLEAVE, &[5]), &[(1, 0, 0)]), message);
    let mut with = bench(INTERLEAVE, &[3]);
    for one in [(0, 0, 0), (0, 0, 2), (1, 0, 1)] {
        dispatch(&mut with, &[one]).unwrap();
    }
    let mut with = bench(DomainsConfig::Interleave { chunk: 2 }, &[7]);
    for one in [(1, 0, 2), (0, 0, 0), (0, 0, 1), (1, 0, 3), (0, 0, 4), (1, 0, 6)].iter().take(5) {
        dispatch(&mut with, &[*one]).unwrap_or_else(|message| panic!("{one:?}: {message}"));
        with.finish(one.0).unwrap();
    }
    let message = "SMX 0 of domain 0 receives block 6 of entry 0, which is another domain's";
    refused(dispatch(&mut with, &[(0, 0, 6)]), message);
    // Five blocks: three and two.
    let mut with = bench(DomainsConfig::Contiguous, &[5]);
    for one in [(1, 0, 3), (0, 0, 0), (0, 0, 1), (1, 0, 4), (0, 0, 2)] {
        dispatch(&mut with, &[one]).unwrap();
    }
    let message = "SMX 1 of domain 1 receives block 2 of entry 0, which is another domain's";
    refused(dispatch(&mut bench(DomainsConfig::Contiguous, &[5]), &[(1, 0, 2)]), message);
}

#[test]
fn each_domain_takes_its_blocks_in_order_and_no_kernel_overtakes() {
    let message = "domain 0 dispatches block 2 of entry 0 out of order: 0 was to come first";
    refused(dispatch(&mut bench(INTERLEAVE, &[5]), &[(0, 0, 2)]), message);
    let message = "entry 1 dispatches in domain 0 before entry 0, which is older";
    refused(dispatch(&mut bench(INTERLEAVE, &[5, 5]), &[(0, 1, 0)]), message);
    // Kernel 0 has nothing for domain 1, which may be a kernel ahead.
    dispatch(&mut bench(INTERLEAVE, &[1, 5]), &[(0, 0, 0), (1, 1, 1)]).unwrap();
}

#[test]
fn each_domain_dispatches_one_block_a_cycle() {
    dispatch(&mut bench(INTERLEAVE, &[5]), &[(0, 0, 0), (1, 0, 1)]).unwrap();
    let rules = PolicyRules { domains: Some(INTERLEAVE), ..PolicyRules::default() };
    // Without a plan all SMXs are one domain.
    let mut one = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    one.launch(BlockNeeds::default());
    let both = dispatch(&mut one, &[(0, 0, 0), (1, 0, 1)]);
    refused(both, "domain 0 dispatches two blocks in one cycle");
}

#[test]
fn an_empty_grid_is_for_no_domain() {
    dispatch(&mut bench(INTERLEAVE, &[0, 2]), &[(0, 1, 0), (1, 1, 1)]).unwrap();
    let mut with = bench(DomainsConfig::Contiguous, &[1]);
    dispatch(&mut with, &[(0, 0, 0)]).unwrap();
    with.finish(0).unwrap();
    with.cycle(|_, outputs| outputs.finished_kernels = 1).unwrap();
}
