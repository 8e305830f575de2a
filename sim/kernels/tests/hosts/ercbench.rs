//! The kernels of SRTF's Table 2, of any size.

use super::*;
use blockyard_kernels::dct::DctOptions;
use blockyard_kernels::denoise::DenoiseOptions;
use blockyard_kernels::raytrace::RaytraceOptions;
use blockyard_kernels::sad::SadOptions;
use blockyard_kernels::sha1::Sha1Options;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn sha1_digests_messages_of_any_number_of_chunks(
        (messages, chunks, block) in (size(300), 0_u32..6, block()),
        seed: u64,
    ) {
        let options = Sha1Options { messages, chunks, block };
        verified(KernelWorkload::Sha1(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn sad_compares_pictures_of_any_size((columns, rows) in (0_u32..8, 0_u32..8), seed: u64) {
        verified(KernelWorkload::Sad(SadOptions { columns, rows }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn dct_transforms_pictures_of_any_size_in_both_directions(
        (direction, columns, rows) in (0_u32..=1, 0_u32..6, 0_u32..6),
        seed: u64,
    ) {
        let options = DctOptions { direction, columns, rows };
        verified(KernelWorkload::Dct(options), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn denoise_cleans_pictures_of_any_size((width, height) in (size(60), size(40)), seed: u64) {
        verified(KernelWorkload::Denoise(DenoiseOptions { width, height }), seed, LaunchMode::Flat)?;
    }

    #[test]
    fn raytrace_follows_rays_among_any_balls(
        (width, height) in (size(60), size(50)),
        (balls, bounces) in (0_u32..=64, 0_u32..8),
        seed: u64,
    ) {
        let options = RaytraceOptions { width, height, balls, bounces };
        verified(KernelWorkload::Raytrace(options), seed, LaunchMode::Flat)?;
    }
}

#[test]
fn ercbench_s_kernels_launch_nothing_where_there_is_nothing_to_do() {
    let nothing = [
        KernelWorkload::Sha1(Sha1Options { messages: 0, ..Default::default() }),
        KernelWorkload::Sad(SadOptions { columns: 0, rows: 3 }),
        KernelWorkload::Dct(DctOptions { rows: 0, ..Default::default() }),
        KernelWorkload::Denoise(DenoiseOptions { width: 0, height: 3 }),
        KernelWorkload::Raytrace(RaytraceOptions { height: 0, ..Default::default() }),
    ];
    for workload in nothing {
        let (mut program, counts) = run(workload, 1, LaunchMode::Cdp);
        assert_eq!((counts, program.verify()), (Counts::default(), Ok(())), "{workload:?}");
    }
}

#[test]
fn grids_of_srtf_s_table_2_are_a_matter_of_settings() {
    let launched = |workload| {
        let counts = run(workload, 1, LaunchMode::Flat).1;
        (counts.kernels, counts.blocks)
    };
    for direction in [0, 1] {
        let aes = AesOptions { direction, states: 91_456 };
        assert_eq!(launched(KernelWorkload::Aes(aes)), (1, 1429));
        let dct = DctOptions { direction, columns: 16, rows: 32 };
        assert_eq!(launched(KernelWorkload::Dct(dct)), (1, 512));
    }
    let denoise = DenoiseOptions { width: 512, height: 512 };
    assert_eq!(launched(KernelWorkload::Denoise(denoise)), (1, 4096));
    let raytrace = RaytraceOptions { width: 512, height: 512, balls: 1, bounces: 0 };
    assert_eq!(launched(KernelWorkload::Raytrace(raytrace)), (1, 2048));
    let sad = SadOptions { columns: 44, rows: 36 };
    assert_eq!(launched(KernelWorkload::Sad(sad)), (1, 1584));
    let sha1 = Sha1Options { messages: 98_496, chunks: 0, ..Default::default() };
    assert_eq!(launched(KernelWorkload::Sha1(sha1)), (1, 1539));
}
