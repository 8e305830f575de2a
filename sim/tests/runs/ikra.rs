//! IKRA's microbenchmarks on the reference GPU.

use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build, Composition};
use blockyard_sim::stats::Stats;
use blockyard_sim::workload::ikra::{Benchmark, Ikra, IkraOptions};

#[test]
fn a_kernel_is_launched_when_the_one_before_has_finished() {
    let mut config = GpuConfig::preset("denovo3").unwrap();
    config.set("l2.size", "16384").unwrap();
    let mut options = IkraOptions::default();
    options.set("ikra.data", "24").unwrap();
    options.set("ikra.kernels", "4").unwrap();
    for benchmark in Benchmark::ALL {
        let ikra = Ikra::new(benchmark, &options, 1);
        let composition: Composition = "rr".parse().unwrap();
        let mut scheduler = build(&composition, 3, config.limits());
        let mut gpu = Gpu::new(config.clone(), Box::new(ikra)).unwrap();
        let rules = (&composition).into();
        let options = RunOptions { rules, ..RunOptions::default() };
        let summary = run(&mut gpu, &mut *scheduler, &options, &mut Nobody).unwrap();
        let kernels = Stats::new(&gpu, &summary).kernels;
        assert_eq!(kernels.len(), 4);
        for pair in kernels.windows(2) {
            assert_eq!(Some(pair[1].arrive), pair[0].finish.map(|cycle| cycle + 1));
        }
    }
}
