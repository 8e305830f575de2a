//! Tables 2 and 3 of the SRTF paper.

use crate::gpu::contention::Contention;
use crate::gpu::host::Durations;
use rand_distr::{Distribution, Gamma};
use rand_pcg::Pcg64;

/// A kernel of ERCBench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErcKernel {
    /// The benchmark: its name in workloads.
    pub name: &'static str,
    /// R: blocks that fit an SMX of a GTX 480 (Table 2).
    pub residency: u32,
    /// Threads of a block (Table 2).
    pub threads: u32,
    /// Blocks (Table 2).
    pub blocks: u32,
    /// 32-bit registers of a thread: Ray's and AES's follow from R, the others are guesses.
    pub registers: u32,
    /// Run time alone, in cycles (Table 3).
    pub runtime: u64,
    /// Mean duration of a block, in cycles (Table 3).
    pub mean: f64,
    /// Relative standard deviation of that in percent (Table 3).
    pub deviation: f64,
}

/// Duration of a block alone on an SMX by that at full residency: SAD's 16,000 cycles by 32,332
/// (section 3.4.4, Table 3), as the part that does not depend on the load: (16000 / 32332 - 1/8) /
/// (1 - 1/8).
const FLOOR: f64 = 0.4227;

/// What a block of any kernel weighs on co-runners, by what it weighs on its own kernel: one of SAD
/// beside seven of NLM2 takes nearly 28,000 cycles instead of 32,332 (section 3.4.4, figure 10). Of
/// other kernels the paper states nothing.
const PRESSURE: f64 = 0.735;

const fn kernel(
    name: &'static str,
    (residency, threads, blocks): (u32, u32, u32),
    (runtime, mean, deviation): (u64, f64, f64),
) -> ErcKernel {
    let registers = 16;
    ErcKernel { name, residency, threads, blocks, registers, runtime, mean, deviation }
}

/// All of them, in the order of Table 2.
pub const KERNELS: [ErcKernel; 8] = [
    ErcKernel { registers: 20, ..kernel("AES-d", (6, 256, 1429), (234_154, 14_529.0, 12.52)) },
    ErcKernel { registers: 20, ..kernel("AES-e", (6, 256, 1429), (226_335, 14_031.0, 12.1)) },
    kernel("ImageDenoising-nlm2", (8, 64, 4096), (692_686, 19_873.0, 2.87)),
    kernel("JPEG-d", (8, 64, 512), (24_853, 5_238.0, 29.58)),
    kernel("JPEG-e", (8, 64, 512), (25_383, 5_367.0, 32.95)),
    // One register fewer makes R six (Table 2, footnote).
    ErcKernel { registers: 43, ..kernel("RayTracing", (5, 128, 2048), (416_563, 15_167.0, 65.71)) },
    kernel("SAD", (8, 61, 1584), (441_297, 32_332.0, 6.57)),
    kernel("SHA1", (8, 64, 1539), (22_224_223, 1_708_531.0, 7.98)),
];

impl ErcKernel {
    /// Its place in [`KERNELS`].
    pub fn index(&self) -> usize {
        KERNELS.iter().position(|kernel| kernel.name == self.name).expect("one of the table")
    }

    /// The kernel of that name.
    pub fn named(name: &str) -> Option<Self> {
        KERNELS.into_iter().find(|kernel| kernel.name == name)
    }

    /// Durations of its blocks at full residency: drawn from a gamma distribution with the mean and
    /// the deviation of Table 3, then scaled so that the mean is Table 3's; at least a cycle. They
    /// depend on nothing but `seed` and the kernel.
    pub fn durations(&self, seed: u64) -> Durations {
        let deviation = self.deviation / 100.0;
        let shape = 1.0 / (deviation * deviation);
        let gamma = Gamma::new(shape, self.mean / shape).expect("positive numbers");
        let mut random = Pcg64::new(u128::from(seed) << 64, self.index() as u128);
        let drawn: Vec<f64> = (0..self.blocks).map(|_| gamma.sample(&mut random)).collect();
        let scale = self.mean * f64::from(self.blocks) / drawn.iter().sum::<f64>();
        let cycles = |drawn: &f64| (drawn * scale).round().max(1.0) as u64;
        Durations::Each(drawn.iter().map(cycles).collect())
    }

    /// How its blocks respond to others, and weigh on them.
    pub fn contention(&self) -> Contention {
        let own = 1.0 / f64::from(self.residency);
        Contention { floor: FLOOR, own, others: own * PRESSURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::config::GpuConfig;
    use crate::port::{BlockNeeds, Dim3};

    #[test]
    fn residencies_on_the_gtx480_are_those_of_table_2() {
        let limits = GpuConfig::preset("gtx480").unwrap().limits();
        for kernel in KERNELS {
            let needs = BlockNeeds::of(Dim3::new(kernel.threads, 1, 1), kernel.registers, 0);
            let fit = (limits.threads / needs.threads)
                .min(limits.registers / needs.registers)
                .min(limits.thread_block_slots);
            assert_eq!(fit, kernel.residency, "{}", kernel.name);
        }
    }

    #[test]
    fn drawn_durations_have_the_mean_and_the_deviation_of_table_3() {
        for kernel in KERNELS {
            let Durations::Each(list) = kernel.durations(1) else { panic!("a list") };
            let count = list.len() as f64;
            let mean = list.iter().sum::<u64>() as f64 / count;
            let squares: f64 = list.iter().map(|&cycles| (cycles as f64 - mean).powi(2)).sum();
            let deviation = 100.0 * (squares / count).sqrt() / mean;
            assert!((mean / kernel.mean - 1.0).abs() < 0.0001, "{}: {mean}", kernel.name);
            let apart = (deviation / kernel.deviation - 1.0).abs();
            assert!(apart < 0.1, "{}: {deviation}", kernel.name);
        }
    }

    #[test]
    fn the_two_durations_that_the_paper_states_for_sad_are_reproduced() {
        let (sad, nlm) = (KERNELS[6].contention(), KERNELS[2].contention());
        let duration = |load: f64| 32_332.0 * (sad.floor + (1.0 - sad.floor) * load);
        assert!((duration(sad.own) - 16_000.0).abs() < 10.0, "alone");
        assert!(
            (duration(sad.own + 7.0 * nlm.others) - 28_000.0).abs() < 60.0,
            "with seven of NLM2"
        );
    }
}
