use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::stats::Multiprogram;
use blockyard_sim::workload::erc::*;
fn main() {
    let evaluation = Evaluation::new(GpuConfig::preset("gtx480").unwrap(), 1, 100).unwrap();
    for kernel in KERNELS {
        let alone = evaluation.alone(kernel);
        println!("{} {alone} {:.3}", kernel.name, alone as f64 / kernel.runtime as f64);
    }
    let all = [
        Scheduling::Fifo,
        Scheduling::Mpmax,
        Scheduling::Srtf,
        Scheduling::Adaptive,
        Scheduling::ZeroSampling,
        Scheduling::Sjf,
        Scheduling::Ljf,
    ];
    let which = std::env::var("WHICH").unwrap_or("0123456".into());
    let offsets = std::env::var("OFFSETS").unwrap_or("0".into());
    for offset in offsets.split(',').map(|o| o.parse().unwrap()) {
        for (i, scheduling) in all.into_iter().enumerate() {
            if !which.contains(&i.to_string()) {
                continue;
            }
            let start = std::time::Instant::now();
            let figures: Vec<_> = Pair::all()
                .into_iter()
                .map(|pair| {
                    let f = evaluation.pair(pair, offset, scheduling).unwrap();
                    if std::env::var("V").is_ok() {
                        println!("{} {:?}", pair.name(), f.slowdowns);
                    }
                    (pair, f.metrics)
                })
                .collect();
            let all: Vec<_> = figures.iter().map(|f| f.1).collect();
            let alpha: Vec<_> =
                figures.iter().filter(|f| f.0.first.name < f.0.second.name).map(|f| f.1).collect();
            let m = Multiprogram::geometric_mean(&all).unwrap();
            let a = Multiprogram::geometric_mean(&alpha).unwrap();
            println!(
                "{offset} {} STP {:.3} ANTT {:.3} F {:.3} alpha {:.3} in {:?}",
                scheduling.name(),
                m.stp,
                m.antt,
                m.fairness,
                a.stp,
                start.elapsed()
            );
        }
    }
}
