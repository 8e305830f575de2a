//! Every kernel of the folder with its host, without timing: what it leaves is right, and what is
//! not is noticed.

#[path = "hosts/applications.rs"]
mod applications;
#[path = "hosts/benchmarks.rs"]
mod benchmarks;
#[path = "hosts/ercbench.rs"]
mod ercbench;
#[path = "hosts/launches.rs"]
mod launches;

use blockyard_contract::diagnostic::rendered;
use blockyard_contract::port::LaunchMode;
use blockyard_kernels::aes::AesOptions;
use blockyard_kernels::amr::AmrOptions;
use blockyard_kernels::attention::AttentionOptions;
use blockyard_kernels::backprop::BackpropOptions;
use blockyard_kernels::bht::BhtOptions;
use blockyard_kernels::blackscholes::BlackscholesOptions;
use blockyard_kernels::coulomb::CoulombOptions;
use blockyard_kernels::digits::DigitsOptions;
use blockyard_kernels::histogram::HistogramOptions;
use blockyard_kernels::join::JoinOptions;
use blockyard_kernels::kmeans::KmeansOptions;
use blockyard_kernels::libor::LiborOptions;
use blockyard_kernels::matmul::MatmulOptions;
use blockyard_kernels::montecarlo::MontecarloOptions;
use blockyard_kernels::nested::NestedOptions;
use blockyard_kernels::pre::PreOptions;
use blockyard_kernels::reduce::ReduceOptions;
use blockyard_kernels::regx::RegxOptions;
use blockyard_kernels::scalarprod::ScalarprodOptions;
use blockyard_kernels::scan::ScanOptions;
use blockyard_kernels::sort::SortOptions;
use blockyard_kernels::steal::StealOptions;
use blockyard_kernels::stencil::StencilOptions;
use blockyard_kernels::stencil3d::Stencil3dOptions;
use blockyard_kernels::vecadd::VecaddOptions;
use blockyard_kernels::walsh::WalshOptions;
use blockyard_kernels::{Computation, KernelSettings, KernelWorkload, WORKLOADS};
use blockyard_ptx::functional::{self, Counts};
use proptest::prelude::*;

const MODES: [LaunchMode; 3] = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl];

fn run(workload: KernelWorkload, seed: u64, mode: LaunchMode) -> (Box<dyn Computation>, Counts) {
    let mut program = workload.program(seed, mode).expect("memory");
    match functional::run(&mut *program) {
        Ok(counts) => (program, counts),
        Err(error) => panic!("{workload:?}: {}", rendered(&error)),
    }
}

fn verified(workload: KernelWorkload, seed: u64, mode: LaunchMode) -> Result<(), TestCaseError> {
    let (mut program, _) = run(workload, seed, mode);
    prop_assert_eq!(program.verify(), Ok(()), "{:?} {:?}", workload, mode);
    Ok(())
}

/// Sizes around those of a warp and of a block, and any others below `end`.
fn size(end: u32) -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), Just(1), Just(31), Just(32), Just(33), 0..end]
}

/// Threads of a block.
fn block() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1_u32), Just(32), Just(33), 1_u32..=1024]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn vecadd_adds_arrays_of_any_size(count in size(3000), block in block(), seed: u64) {
        let workload = KernelWorkload::Vecadd(VecaddOptions { count, block });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn steal_adds_arrays_of_any_size(count in size(3000), block in block(), seed: u64) {
        let workload = KernelWorkload::Steal(StealOptions { count, block });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn matmul_multiplies_matrices_of_any_size(
        rows in size(40),
        columns in size(40),
        inner in size(40),
        seed: u64,
    ) {
        let workload = KernelWorkload::Matmul(MatmulOptions { rows, columns, inner });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn attention_attends_in_any_number_of_heads_and_rows(
        heads in 0_u32..3,
        length in size(150),
        seed: u64,
    ) {
        let workload = KernelWorkload::Attention(AttentionOptions { heads, length });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn reduce_sums_up_any_number_of_words(count in size(3000), block in block(), seed: u64) {
        let workload = KernelWorkload::Reduce(ReduceOptions { count, block });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn histogram_counts_any_number_of_bytes(
        count in size(5000),
        blocks in 1_u32..6,
        block in block(),
        seed: u64,
    ) {
        let workload = KernelWorkload::Histogram(HistogramOptions { count, blocks, block });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn stencil_takes_any_number_of_steps_on_any_plane(
        width in size(50),
        height in size(50),
        steps in 0_u32..5,
        seed: u64,
    ) {
        let workload = KernelWorkload::Stencil(StencilOptions { width, height, steps });
        verified(workload, seed, LaunchMode::Flat)?;
    }

    #[test]
    fn nested_finds_the_quadtree_of_any_map_in_every_launch_mode(
        (width, height, rectangles) in (size(60), size(60), 0_u32..8),
        (limit, leaf, block) in (0_u32..5, 1_u32..6, 1_u32..=12),
        seed: u64,
    ) {
        let options = NestedOptions { width, height, rectangles, limit, leaf, block };
        for mode in MODES {
            verified(KernelWorkload::Nested(options), seed, mode)?;
        }
    }

    #[test]
    fn sort_puts_any_keys_in_order_in_every_launch_mode(
        count in size(2000),
        (leaf, levels, block) in (1_u32..50, 0_u32..5, block()),
        seed: u64,
    ) {
        let options = SortOptions { count, leaf, levels, block };
        for mode in MODES {
            verified(KernelWorkload::Sort(options), seed, mode)?;
        }
    }

    #[test]
    fn join_pairs_tables_of_any_size_in_every_launch_mode(
        (left, right, distinct, keys) in (size(300), size(300), 1_u32..200, 0_u32..=1),
        (part, threshold) in (1_u32..20, size(100)),
        (block, child_block) in (block(), block()),
        seed: u64,
    ) {
        let options =
            JoinOptions { keys, left, right, distinct, part, threshold, block, child_block };
        for mode in MODES {
            verified(KernelWorkload::Join(options), seed, mode)?;
        }
    }

    #[test]
    fn bht_finds_the_forces_between_any_bodies_in_every_launch_mode(
        (bodies, points, theta, leaf) in (size(400), 0_u32..2, 1_u32..300, 1_u32..70),
        (threshold, block, child_block) in (0_u32..70, block(), block()),
        seed: u64,
    ) {
        let options = BhtOptions { bodies, points, theta, leaf, threshold, block, child_block };
        for mode in MODES {
            verified(KernelWorkload::Bht(options), seed, mode)?;
        }
    }

    #[test]
    fn regx_finds_every_match_in_every_launch_mode(
        (input, packets) in (0_u32..=1, size(60)),
        (prefix, window, threshold) in (1_u32..5, 1_u32..200, 0_u32..80),
        (block, child_block) in (block(), block()),
        seed: u64,
    ) {
        let options =
            RegxOptions { input, packets, prefix, window, threshold, block, child_block };
        for mode in MODES {
            verified(KernelWorkload::Regx(options), seed, mode)?;
        }
    }

    #[test]
    fn amr_refines_every_hot_cell_in_every_launch_mode(
        (width, height, spots, radius) in (size(40), size(40), 0_u32..8, 50_u32..500),
        (levels, refine, threshold, band) in (0_u32..=3, 2_u32..=4, 0_u32..120, 0_u32..20),
        seed: u64,
    ) {
        let options =
            AmrOptions { width, height, spots, radius, levels, refine, threshold, band };
        for mode in MODES {
            verified(KernelWorkload::Amr(options), seed, mode)?;
        }
    }

    #[test]
    fn pre_finds_what_is_most_alike_among_any_ratings_in_every_launch_mode(
        (users, items, share) in (size(60), size(90), 0_u32..=100),
        (every, part) in (1_u32..5, 1_u32..12),
        (threshold, block, child_block) in (0_u32..200, block(), block()),
        seed: u64,
    ) {
        let ratings = users * items / 4 * share / 100;
        let options =
            PreOptions { users, items, ratings, every, part, threshold, block, child_block };
        for mode in MODES {
            verified(KernelWorkload::Pre(options), seed, mode)?;
        }
    }
}

#[test]
fn every_workload_is_right_with_its_default_settings() {
    for (name, _) in WORKLOADS {
        let workload = KernelSettings::default().workload(name).expect("one of its own names");
        for mode in MODES {
            let (mut program, counts) = run(workload, 1, mode);
            assert_eq!(program.verify(), Ok(()), "{name} {mode:?}");
            assert!(counts.blocks > 13, "{name} leaves SMXs empty: {counts:?}");
        }
    }
}

#[test]
fn a_word_that_is_wrong_is_noticed_wherever_it_is() {
    for (name, _) in WORKLOADS {
        let workload = KernelSettings::default().workload(name).expect("one of its own names");
        let (mut program, _) = run(workload, 5, LaunchMode::Flat);
        for range in program.results() {
            let (first, last) = (range.start, range.end - 4);
            for address in [first, first + (last - first) / 8 * 4, last] {
                let machine = std::rc::Rc::clone(program.machine());
                let right = machine.read(address, 4).expect("a result");
                // The lowest bit, of a float too.
                let wrong = [right[0] ^ 1, right[1], right[2], right[3]];
                assert!(machine.write(address, &wrong));
                let message = program.verify().expect_err("it is wrong");
                assert!(message.starts_with(&format!("{name}: ")), "{message}");
                assert!(message.contains(", expected "), "{message}");
                assert!(machine.write(address, &right));
                assert_eq!(program.verify(), Ok(()), "{name}: it is right again");
            }
        }
    }
}

#[test]
fn a_message_names_the_element_with_both_values() {
    let mut program = KernelWorkload::Reduce(ReduceOptions { count: 0, block: 32 })
        .program(1, LaunchMode::Flat)
        .expect("memory");
    let sum = program.results()[0].start;
    assert!(program.machine().write(sum, &[5, 0, 0, 0]));
    let message = "reduce: the sum of 0 words is 5, expected 0".to_owned();
    assert_eq!(program.verify(), Err(message));
}

#[test]
fn inputs_depend_on_the_seed_alone() {
    for (name, _) in WORKLOADS {
        let workload = KernelSettings::default().workload(name).expect("one of its own names");
        let of = |seed, mode| {
            let (program, _) = run(workload, seed, mode);
            let ranges = program.results().into_iter();
            let read = |range: std::ops::Range<u64>| {
                program.machine().read(range.start, range.end - range.start).expect("a result")
            };
            ranges.map(read).collect::<Vec<_>>()
        };
        assert_eq!(of(3, LaunchMode::Flat), of(3, LaunchMode::Dtbl), "{name}");
        assert_ne!(of(3, LaunchMode::Flat), of(4, LaunchMode::Flat), "{name}");
    }
}

#[test]
fn a_grid_that_is_refined_beyond_an_array_is_refused() {
    let options = AmrOptions { levels: 4, refine: 16, band: 10_000, ..AmrOptions::default() };
    let refused = KernelWorkload::Amr(options).program(1, LaunchMode::Flat);
    let message = refused.err().expect("too many").to_string();
    assert_eq!(message, "the refined grid has more than 67108864 cells");
}

#[test]
fn too_many_ratings_are_refused() {
    let options = PreOptions { users: 10, items: 10, ratings: 26, ..PreOptions::default() };
    let refused = KernelWorkload::Pre(options).program(1, LaunchMode::Flat).err();
    let message = rendered(&refused.expect("more than a fourth of 100"));
    assert!(message.contains("`pre.ratings` cannot be 26 of 10 users and 10 items"), "{message}");
}
