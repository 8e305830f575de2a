//! The applications of IKRA's table, of any size.

use super::*;
use blockyard_kernels::convolution::ConvolutionOptions;
use blockyard_kernels::hotspot::HotspotOptions;
use blockyard_kernels::lavamd::LavamdOptions;
use blockyard_kernels::lud::LudOptions;
use blockyard_kernels::nearest::NearestOptions;
use blockyard_kernels::nw::NwOptions;
use blockyard_kernels::pathfinder::PathfinderOptions;
use blockyard_kernels::sgemm::SgemmOptions;
use blockyard_kernels::srad1::Srad1Options;
use blockyard_kernels::srad2::Srad2Options;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn hotspot_takes_any_number_of_steps_with_tiles_of_any_overlap(
        (width, height) in (size(50), size(50)),
        (steps, pyramid) in (0_u32..16, 1_u32..=7),
        seed: u64,
    ) {
        let options = HotspotOptions { width, height, steps, pyramid };
        verified(KernelWorkload::Hotspot(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn pathfinder_goes_down_any_wall_with_tiles_of_any_overlap(
        (columns, rows, pyramid) in (size(1500), 0_u32..20, 1_u32..=100),
        seed: u64,
    ) {
        let options = PathfinderOptions { columns, rows, pyramid };
        verified(KernelWorkload::Pathfinder(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn both_diffusions_take_any_number_of_steps_on_any_image(
        (width, height, steps) in (size(50), size(50), 0_u32..4),
        seed: u64,
    ) {
        let options = Srad1Options { width, height, steps };
        verified(KernelWorkload::Srad1(options), seed, LaunchMode::Flat)?;
        let options = Srad2Options { width, height, steps };
        verified(KernelWorkload::Srad2(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn nw_and_lud_go_through_tables_of_any_number_of_tiles(tiles in 0_u32..8, seed: u64) {
        verified(KernelWorkload::Nw(NwOptions { tiles }), seed, LaunchMode::Flat)?;
        verified(KernelWorkload::Lud(LudOptions { tiles }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn nearest_finds_the_distances_of_any_places(
        (places, block) in (size(3000), block()),
        seed: u64,
    ) {
        let options = NearestOptions { places, block };
        verified(KernelWorkload::Nearest(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn convolution_filters_pictures_of_any_size(
        (width, height) in (size(200), size(100)),
        seed: u64,
    ) {
        let options = ConvolutionOptions { width, height };
        verified(KernelWorkload::Convolution(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn sgemm_multiplies_matrices_of_any_size(
        (rows, columns, inner) in (size(300), size(60), size(40)),
        seed: u64,
    ) {
        let options = SgemmOptions { rows, columns, inner };
        verified(KernelWorkload::Sgemm(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn lavamd_pushes_the_particles_of_any_cube_of_boxes(boxes in 0_u32..3, seed: u64) {
        verified(KernelWorkload::Lavamd(LavamdOptions { boxes }), seed, LaunchMode::Flat)?;
    }
}

/// Kernels and blocks of a run.
fn launched(workload: KernelWorkload) -> (u64, u64) {
    let counts = run(workload, 1, LaunchMode::Flat).1;
    (counts.kernels, counts.blocks)
}

#[test]
fn applications_launch_nothing_where_there_is_nothing_to_do() {
    let nothing = [
        KernelWorkload::Hotspot(HotspotOptions { steps: 0, ..Default::default() }),
        KernelWorkload::Hotspot(HotspotOptions { width: 0, ..Default::default() }),
        KernelWorkload::Pathfinder(PathfinderOptions { rows: 0, ..Default::default() }),
        KernelWorkload::Pathfinder(PathfinderOptions { columns: 0, ..Default::default() }),
        KernelWorkload::Srad1(Srad1Options { height: 0, ..Default::default() }),
        KernelWorkload::Srad2(Srad2Options { width: 0, ..Default::default() }),
        KernelWorkload::Srad2(Srad2Options { steps: 0, ..Default::default() }),
        KernelWorkload::Nw(NwOptions { tiles: 0 }),
        KernelWorkload::Lud(LudOptions { tiles: 0 }),
        KernelWorkload::Nearest(NearestOptions { places: 0, ..Default::default() }),
        KernelWorkload::Convolution(ConvolutionOptions { width: 0, height: 5 }),
        KernelWorkload::Sgemm(SgemmOptions { rows: 0, ..Default::default() }),
        KernelWorkload::Lavamd(LavamdOptions { boxes: 0 }),
    ];
    for workload in nothing {
        let (mut program, counts) = run(workload, 1, LaunchMode::Cdp);
        assert_eq!((counts, program.verify()), (Counts::default(), Ok(())), "{workload:?}");
    }
}

#[test]
fn grids_of_ikra_s_table_3_are_a_matter_of_settings() {
    let one = HotspotOptions { width: 256, height: 256, steps: 1, pyramid: 1 };
    assert_eq!(launched(KernelWorkload::Hotspot(one)), (1, 361));
    let one = PathfinderOptions { columns: 100_000, rows: 1, pyramid: 1 };
    assert_eq!(launched(KernelWorkload::Pathfinder(one)), (1, 394));
    let kmeans = KmeansOptions { points: 25_000, features: 1, block: 64, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Kmeans(kmeans)), (3, 3 * 391));
    // Five launches of 128 blocks and the root of the tree a step, and one before and after all.
    let one = Srad1Options { width: 256, height: 256, steps: 1 };
    assert_eq!(launched(KernelWorkload::Srad1(one)), (7, 6 * 128 + 1));
    let one = Srad2Options { width: 512, height: 512, steps: 1 };
    assert_eq!(launched(KernelWorkload::Srad2(one)), (2, 2 * 1024));
    let nearest = NearestOptions { places: 171_056, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Nearest(nearest)), (1, 669));
    let convolution = ConvolutionOptions { width: 1024, height: 512 };
    assert_eq!(launched(KernelWorkload::Convolution(convolution)), (2, 1024 + 512));
    assert_eq!(launched(KernelWorkload::Lavamd(LavamdOptions { boxes: 2 })), (1, 8));
}

#[test]
fn grids_of_nw_grow_and_shrink_and_those_of_lud_shrink() {
    // 1, 2, 3, 4, 3, 2, 1.
    assert_eq!(launched(KernelWorkload::Nw(NwOptions { tiles: 4 })), (7, 16));
    // The diagonal four times; 3, 2, 1 beside and below it; as many squares.
    assert_eq!(launched(KernelWorkload::Lud(LudOptions { tiles: 4 })), (10, 4 + 6 + 14));
}
