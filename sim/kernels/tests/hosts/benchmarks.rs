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
fn grids_of_claso_s_table_2_are_a_matter_of_settings() {
    let scalarprod = ScalarprodOptions { vectors: 256, elements: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Scalarprod(scalarprod)), (1, 128));
    let coulomb = CoulombOptions { width: 1024, height: 1024, atoms: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Coulomb(coulomb)), (1, 1024));
    let blackscholes = BlackscholesOptions { count: 1, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Blackscholes(blackscholes)), (2, 2 * 480));
}
