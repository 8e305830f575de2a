//! How many kernels and blocks hosts and blocks launch.

use super::*;
use rayon::prelude::*;

#[test]
fn reduce_launches_until_one_block_is_left() {
    let launches = |count, block| {
        run(KernelWorkload::Reduce(ReduceOptions { count, block }), 1, LaunchMode::Flat).1.kernels
    };
    assert_eq!(
        [launches(0, 32), launches(1, 32), launches(64, 32), launches(65, 32)],
        [1, 1, 1, 2]
    );
    assert_eq!([launches(64 * 64, 32), launches(64 * 64 + 1, 32), launches(9, 1)], [2, 3, 4]);
}

#[test]
fn nested_launches_from_blocks_unless_it_is_flat() {
    let workload = KernelWorkload::Nested(NestedOptions::default());
    let kernels = MODES.map(|mode| run(workload, 1, mode).1.kernels);
    assert!(kernels[0] == 1 && kernels[1] > 10 && kernels[2] == kernels[1], "{kernels:?}");
}

#[test]
fn join_launches_what_is_above_the_threshold_and_no_more() {
    let launched = |threshold| {
        // One key: every part of 8 rows has 8 times 5 pairs.
        let (left, right, distinct) = (80, 5, 1);
        let options = JoinOptions { left, right, distinct, threshold, ..JoinOptions::default() };
        // A block for all rows, and one for all parts; each child has one.
        MODES.map(|mode| run(KernelWorkload::Join(options), 1, mode).1.blocks - 2)
    };
    assert_eq!((launched(39), launched(40)), ([0, 10, 10], [0, 0, 0]));
}

#[test]
fn regx_launches_where_more_than_the_threshold_is_left_to_look_at() {
    let launched = |input, window, threshold| {
        let options = RegxOptions { input, window, threshold, ..RegxOptions::default() };
        let parents = u64::from(options.packets.div_ceil(options.block));
        MODES.map(|mode| run(KernelWorkload::Regx(options), 1, mode).1.blocks - parents)
    };
    [(0, 19), (0, 20), (1, 19), (1, 20)].into_par_iter().for_each(|(input, threshold)| {
        let [flat, cdp, dtbl] = launched(input, 20, threshold);
        let launches = threshold < 20;
        assert!(flat == 0 && (cdp > 500) == launches && dtbl == cdp, "{input}: {cdp} {dtbl}");
        assert!(launches || cdp == 0, "{input}: {cdp}");
    });
}

#[test]
fn amr_launches_itself_for_every_block_of_finer_cells() {
    let options = AmrOptions::default();
    let [flat, cdp, dtbl] = MODES.map(|mode| {
        let (program, counts) = run(KernelWorkload::Amr(options), 1, mode);
        let count = program.results()[1].start;
        let blocks = program.machine().words(count, 1).expect("the number of blocks")[0];
        (counts.kernels - 1, u64::from(blocks))
    });
    assert!(flat.0 == 0 && flat.1 > 500, "{flat:?}");
    assert_eq!((cdp, dtbl), ((flat.1, flat.1), (flat.1, flat.1)));
}

#[test]
fn threads_launch_what_is_more_than_they_may_do_themselves() {
    let bht = |threshold| KernelWorkload::Bht(BhtOptions { threshold, ..BhtOptions::default() });
    let pre = |threshold| KernelWorkload::Pre(PreOptions { threshold, ..PreOptions::default() });
    for (few, many, nothing) in [(bht(32), bht(8), 1), (pre(1_000_000), pre(8), 2)] {
        for mode in MODES {
            let kernels = [few, many].map(|workload| run(workload, 1, mode).1.kernels);
            assert_eq!(kernels[0], nothing, "{few:?} {mode:?}");
            assert_eq!(
                kernels[1] > 100,
                mode != LaunchMode::Flat,
                "{many:?} {mode:?}: {kernels:?}"
            );
        }
    }
}

#[test]
fn nothing_is_launched_where_there_is_nothing_to_do() {
    let nothing = [
        KernelWorkload::Vecadd(VecaddOptions { count: 0, block: 32 }),
        KernelWorkload::Matmul(MatmulOptions { rows: 0, columns: 5, inner: 5 }),
        KernelWorkload::Stencil(StencilOptions { width: 5, height: 5, steps: 0 }),
        KernelWorkload::Stencil(StencilOptions { width: 5, height: 0, steps: 2 }),
        KernelWorkload::Scalarprod(ScalarprodOptions { vectors: 0, ..Default::default() }),
        KernelWorkload::Coulomb(CoulombOptions { atoms: 0, ..Default::default() }),
        KernelWorkload::Blackscholes(BlackscholesOptions { count: 0, ..Default::default() }),
        KernelWorkload::Montecarlo(MontecarloOptions { options: 0, ..Default::default() }),
        KernelWorkload::Scan(ScanOptions { count: 0 }),
        KernelWorkload::Stencil3d(Stencil3dOptions { depth: 0, ..Default::default() }),
        KernelWorkload::Backprop(BackpropOptions { blocks: 0, steps: 2 }),
        KernelWorkload::Backprop(BackpropOptions { blocks: 2, steps: 0 }),
        KernelWorkload::Aes(AesOptions { states: 0, ..Default::default() }),
        KernelWorkload::Kmeans(KmeansOptions { points: 0, ..Default::default() }),
        KernelWorkload::Kmeans(KmeansOptions { steps: 0, ..Default::default() }),
        KernelWorkload::Libor(LiborOptions { paths: 0, ..Default::default() }),
        KernelWorkload::Digits(DigitsOptions { images: 0 }),
        KernelWorkload::Nested(NestedOptions { width: 0, ..NestedOptions::default() }),
        KernelWorkload::Sort(SortOptions { count: 0, ..SortOptions::default() }),
        KernelWorkload::Join(JoinOptions { left: 0, ..JoinOptions::default() }),
        KernelWorkload::Amr(AmrOptions { height: 0, ..AmrOptions::default() }),
        KernelWorkload::Regx(RegxOptions { packets: 0, ..RegxOptions::default() }),
        KernelWorkload::Bht(BhtOptions { bodies: 0, ..BhtOptions::default() }),
        KernelWorkload::Pre(PreOptions { items: 0, ratings: 0, ..PreOptions::default() }),
    ];
    for workload in nothing {
        let (mut program, counts) = run(workload, 1, LaunchMode::Cdp);
        assert_eq!((counts, program.verify()), (Counts::default(), Ok(())), "{workload:?}");
    }
}
