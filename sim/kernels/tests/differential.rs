//! The same CUDA C, compiled for the CPU with another compiler, leaves the same bytes in every buffer as
//! the PTX.

#[path = "differential/arrays.rs"]
mod arrays;
#[path = "differential/case.rs"]
mod case;
#[path = "differential/cpu.rs"]
mod cpu;
#[path = "differential/graphs.rs"]
mod graphs;
#[path = "differential/random.rs"]
mod random;
mod support;

use case::Case;
use cpu::Driver;
use random::Random;
use support::{folder, kernels, tool};

/// Draws a case of a kernel.
type Draw = fn(&mut Random) -> Case;

/// Every kernel that there is.
const KERNELS: [(&str, Draw); 10] = [
    ("bfs", graphs::bfs),
    ("clr", graphs::clr),
    ("histogram", arrays::histogram),
    ("matmul", arrays::matmul),
    ("nested", arrays::nested),
    ("reduce", arrays::reduce),
    ("sort", arrays::sort),
    ("sssp", graphs::sssp),
    ("stencil", arrays::stencil),
    ("vecadd", arrays::vecadd),
];

/// Kernels with the number of a buffer whose words come in an order that depends on that of the threads.
const UNORDERED: [(&str, usize); 1] = [("bfs", 3)];

/// What a kernel has left in its buffers, in an order in which it can be compared.
fn ordered(kernel: &str, mut left: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for (_, buffer) in UNORDERED.into_iter().filter(|(name, _)| *name == kernel) {
        left[buffer].sort_unstable();
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
            let [ptx, cpu] = [ptx, cpu].map(|left| ordered(name, left));
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
    assert_eq!((compare(&driver, ".ptx"), compare(&driver, ".flat.ptx")), (5, 5));
}

#[test]
fn kernels_that_launch_others_leave_the_same_bytes_on_the_cpu() {
    let Some(compiler) = tool(&["g++", "clang++"], |_| true) else { return };
    // The CPU makes no difference between the two modes.
    let driver = Driver::new(&compiler, "1", &[".cdp.ptx"]);
    assert_eq!((compare(&driver, ".cdp.ptx"), compare(&driver, ".dtbl.ptx")), (5, 5));
}
