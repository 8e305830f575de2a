//! The same CUDA C, compiled for the CPU with another compiler, leaves the same bytes in every
//! buffer as the PTX.

#[path = "differential/applications.rs"]
mod applications;
#[path = "differential/arrays.rs"]
mod arrays;
#[path = "differential/benchmarks.rs"]
mod benchmarks;
#[path = "differential/bodies.rs"]
mod bodies;
#[path = "differential/case.rs"]
mod case;
#[path = "differential/cpu.rs"]
mod cpu;
#[path = "differential/ercbench.rs"]
mod ercbench;
#[path = "differential/graphs.rs"]
mod graphs;
#[path = "differential/launching.rs"]
mod launching;
#[path = "differential/random.rs"]
mod random;
#[path = "differential/ratings.rs"]
mod ratings;
mod support;

use case::Case;
use cpu::Driver;
use random::Random;
use support::{folder, kernels, tool};

/// Draws a case of a kernel.
type Draw = fn(&mut Random) -> Case;

/// Every kernel that there is.
const KERNELS: [(&str, Draw); 46] = [
    ("aes", benchmarks::aes),
    ("amr", launching::amr),
    ("attention", arrays::attention),
    ("backprop", benchmarks::backprop),
    ("bfs", graphs::bfs),
    ("bht", bodies::bht),
    ("blackscholes", benchmarks::blackscholes),
    ("clr", graphs::clr),
    ("convolution", applications::convolution),
    ("coulomb", benchmarks::coulomb),
    ("dct", ercbench::dct),
    ("denoise", ercbench::denoise),
    ("digits", benchmarks::digits),
    ("histogram", arrays::histogram),
    ("hotspot", applications::hotspot),
    ("join", launching::join),
    ("kmeans", benchmarks::kmeans),
    ("lavamd", applications::lavamd),
    ("libor", benchmarks::libor),
    ("lud", applications::lud),
    ("matmul", arrays::matmul),
    ("mis", graphs::mis),
    ("montecarlo", benchmarks::montecarlo),
    ("nearest", applications::nearest),
    ("nested", arrays::nested),
    ("nw", applications::nw),
    ("pagerank", graphs::pagerank),
    ("pathfinder", applications::pathfinder),
    ("pre", ratings::pre),
    ("raytrace", ercbench::raytrace),
    ("reduce", arrays::reduce),
    ("regx", launching::regx),
    ("sad", ercbench::sad),
    ("scalarprod", benchmarks::scalarprod),
    ("scan", benchmarks::scan),
    ("sgemm", applications::sgemm),
    ("sha1", ercbench::sha1),
    ("sort", arrays::sort),
    ("srad1", applications::srad1),
    ("srad2", applications::srad2),
    ("sssp", graphs::sssp),
    ("steal", arrays::steal),
    ("stencil", arrays::stencil),
    ("stencil3d", benchmarks::stencil3d),
    ("vecadd", arrays::vecadd),
    ("walsh", benchmarks::walsh),
];

/// What a kernel has left in its buffers, in an order that does not depend on that of the threads.
fn ordered(kernel: &str, case: &Case, mut left: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    match kernel {
        // The queue of the next level.
        "bfs" => left[3].sort_unstable(),
        "amr" => launching::renumber_blocks(case, &mut left),
        _ => {}
    }
    left
}

/// Cases of a kernel in a launch mode.
const CASES: u64 = 12;

/// Compares all kernels whose PTX is `NAME` and `end`; how many there were.
fn compare(driver: &Driver, end: &str) -> usize {
    let mut compared = 0;
    for (name, draw) in KERNELS {
        let path = folder().join(format!("{name}/{name}{end}"));
        if !path.is_file() {
            continue;
        }
        compared += 1;
        let mut changed = false;
        for seed in 0..CASES {
            let case = draw(&mut Random::new(seed));
            let (ptx, cpu) = (case.run(&path), driver.run(&case, seed as u32));
            let [ptx, cpu] = [ptx, cpu].map(|left| ordered(name, &case, left));
            for (buffer, (ptx, cpu)) in ptx.iter().zip(&cpu).enumerate() {
                let differs = ptx.iter().zip(cpu).position(|(ptx, cpu)| ptx != cpu);
                let what = differs.map(|at| format!("word {at} of buffer {buffer}"));
                assert_eq!(what, None, "{name}{end}, case {seed}");
            }
            assert_eq!(ptx, cpu, "{name}{end}, case {seed}");
            changed |= ptx != case.buffers;
        }
        assert!(changed, "{name}{end} has done nothing");
    }
    compared
}

#[test]
fn every_kernel_is_among_those_that_are_compared() {
    assert_eq!(KERNELS.map(|(name, _)| name.to_owned()).to_vec(), kernels());
}

#[test]
fn kernels_that_launch_nothing_leave_the_same_bytes_on_the_cpu() {
    let Some(compiler) = tool(&["g++", "clang++"], |_| true) else { return };
    let driver = Driver::new(&compiler, "0", &[".ptx", ".flat.ptx"]);
    assert_eq!((compare(&driver, ".ptx"), compare(&driver, ".flat.ptx")), (34, 12));
}

#[test]
fn kernels_that_launch_others_leave_the_same_bytes_on_the_cpu() {
    let Some(compiler) = tool(&["g++", "clang++"], |_| true) else { return };
    // The CPU makes no difference between the two modes.
    let driver = Driver::new(&compiler, "1", &[".cdp.ptx"]);
    assert_eq!((compare(&driver, ".cdp.ptx"), compare(&driver, ".dtbl.ptx")), (12, 12));
}
