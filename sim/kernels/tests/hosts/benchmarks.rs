//! The benchmarks of other papers' suites, of any size.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn scalarprod_multiplies_any_pairs_of_vectors(
        (vectors, elements) in (size(30), size(2500)),
        (blocks, block) in (1_u32..40, block()),
        seed: u64,
    ) {
        let options = ScalarprodOptions { vectors, elements, blocks, block };
        verified(KernelWorkload::Scalarprod(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn coulomb_sums_up_any_atoms_over_any_plane_slice_by_slice(
        (width, height) in (size(200), size(20)),
        (atoms, slice) in (size(40), 1_u32..60),
        seed: u64,
    ) {
        let options = CoulombOptions { width, height, atoms, slice };
        verified(KernelWorkload::Coulomb(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn blackscholes_prices_any_number_of_options(
        (count, launches) in (size(2000), 0_u32..3),
        (blocks, block) in (1_u32..9, block()),
        seed: u64,
    ) {
        let options = BlackscholesOptions { count, blocks, block, launches };
        verified(KernelWorkload::Blackscholes(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn backprop_learns_in_networks_of_any_size(
        (blocks, steps) in (size(40), 0_u32..4),
        seed: u64,
    ) {
        let options = BackpropOptions { blocks, steps };
        verified(KernelWorkload::Backprop(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn stencil3d_takes_any_number_of_steps_in_any_space(
        (width, height, depth) in (size(50), size(20), 0_u32..6),
        steps in 0_u32..4,
        seed: u64,
    ) {
        let options = Stencil3dOptions { width, height, depth, steps };
        verified(KernelWorkload::Stencil3d(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn walsh_convolves_signals_of_any_size(log2 in 2_u32..15, seed: u64) {
        verified(KernelWorkload::Walsh(WalshOptions { log2 }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn montecarlo_follows_any_number_of_paths(
        (options, paths) in (size(40), size(1500)),
        seed: u64,
    ) {
        let options = MontecarloOptions { options, paths };
        verified(KernelWorkload::Montecarlo(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn scan_sums_up_what_is_before_any_number_of_words(count in size(3000), seed: u64) {
        verified(KernelWorkload::Scan(ScanOptions { count }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn aes_encrypts_and_decrypts_any_number_of_states(
        (direction, states) in (0_u32..=1, size(300)),
        seed: u64,
    ) {
        verified(KernelWorkload::Aes(AesOptions { direction, states }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn kmeans_finds_the_nearest_centre_of_any_points(
        (points, features, clusters) in (size(700), 1_u32..=128, 1_u32..=16),
        (steps, block) in (0_u32..5, block()),
        seed: u64,
    ) {
        let options = KmeansOptions { points, features, clusters, steps, block };
        verified(KernelWorkload::Kmeans(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn libor_follows_any_number_of_paths_of_any_length(
        (paths, steps) in (size(150), 0_u32..=40),
        seed: u64,
    ) {
        verified(KernelWorkload::Libor(LiborOptions { paths, steps }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn digits_takes_any_number_of_images(images in 0_u32..5, seed: u64) {
        verified(KernelWorkload::Digits(DigitsOptions { images }), seed, LaunchMode::Flat)?;
    }
}

/// Kernels and blocks of a run.
fn launched(workload: KernelWorkload) -> (u64, u64) {
    let counts = run(workload, 1, LaunchMode::Flat).1;
    (counts.kernels, counts.blocks)
}

#[test]
fn coulomb_launches_once_for_each_slice_of_atoms_that_constant_memory_holds() {
    let of = |atoms| {
        let options = CoulombOptions { width: 8, height: 8, atoms, ..CoulombOptions::default() };
        launched(KernelWorkload::Coulomb(options)).0
    };
    assert_eq!([of(0), of(1), of(4000), of(4001)], [0, 1, 1, 2]);
}

#[test]
fn scan_goes_on_until_one_block_is_left_and_adds_up_what_it_has_left_on_the_way() {
    let kernels = |count| launched(KernelWorkload::Scan(ScanOptions { count })).0;
    assert_eq!([1, 512, 513, 512 * 512, 512 * 512 + 1].map(kernels), [1, 1, 3, 3, 5]);
}

#[test]
fn grids_of_claso_s_table_2_are_a_matter_of_settings() {
    let scalarprod = ScalarprodOptions { vectors: 256, elements: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Scalarprod(scalarprod)), (1, 128));
    let coulomb = CoulombOptions { width: 1024, height: 1024, atoms: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Coulomb(coulomb)), (1, 1024));
    let blackscholes = BlackscholesOptions { count: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Blackscholes(blackscholes)), (2, 2 * 480));
    let walsh = WalshOptions { log2: 17 };
    assert_eq!(launched(KernelWorkload::Walsh(walsh)), (13, 1472));
    let montecarlo = MontecarloOptions { options: 256, paths: 1 };
    assert_eq!(launched(KernelWorkload::Montecarlo(montecarlo)), (2, 384));
    let stencil3d = Stencil3dOptions { width: 128, height: 128, depth: 4, steps: 1 };
    assert_eq!(launched(KernelWorkload::Stencil3d(stencil3d)), (1, 128));
    let backprop = BackpropOptions::default();
    assert_eq!(launched(KernelWorkload::Backprop(backprop)), (2, 256));
    let scan = ScanOptions { count: 98_500 };
    assert_eq!(launched(KernelWorkload::Scan(scan)), (3, 387));
    let aes = AesOptions { states: 16_448, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Aes(aes)), (1, 257));
    let kmeans = KmeansOptions { points: 30_976, features: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Kmeans(kmeans)), (3, 363));
    let libor = LiborOptions { paths: 8192, steps: 0 };
    assert_eq!(launched(KernelWorkload::Libor(libor)), (2, 256));
    // In the table 432, which the published layers do not give.
    assert_eq!(launched(KernelWorkload::Digits(DigitsOptions::default())), (4, 420));
}
