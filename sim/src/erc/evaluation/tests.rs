//! What the paper states of its workloads, held against runs of ours (`docs/srtf.md`, "Measured").

use super::*;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

fn evaluation() -> &'static Evaluation {
    static EVALUATION: OnceLock<Evaluation> = OnceLock::new();
    let build = || {
        Evaluation::new(GpuConfig::preset("gtx480").unwrap(), 1, ErcOptions::default().stagger)
            .unwrap()
    };
    EVALUATION.get_or_init(build)
}

/// What a pair did. No run is made twice: the tables have some in common.
fn metrics(pair: Pair, offset: u32, scheduling: Scheduling) -> Multiprogram {
    static KNOWN: Mutex<BTreeMap<(String, u32, &str), Multiprogram>> = Mutex::new(BTreeMap::new());
    let key = (pair.name(), offset, scheduling.name());
    let known = KNOWN.lock().unwrap().get(&key).copied();
    known.unwrap_or_else(|| {
        let metrics = evaluation().pair(pair, offset, scheduling).unwrap().metrics;
        KNOWN.lock().unwrap().insert(key, metrics);
        metrics
    })
}

fn means(scheduling: Scheduling, offset: u32, pairs: Vec<Pair>) -> Multiprogram {
    let of = |pair| metrics(pair, offset, scheduling);
    let all: Vec<_> = pairs.into_par_iter().map(of).collect();
    Multiprogram::geometric_mean(&all).unwrap()
}

/// Whether `ours` is within `percent` of the paper's figure.
#[track_caller]
fn near(what: &str, ours: f64, paper: f64, percent: f64) {
    let apart = 100.0 * (ours / paper - 1.0).abs();
    assert!(apart <= percent, "{what}: {ours:.3}, the paper has {paper}: {apart:.1} % apart");
}

#[test]
fn there_are_56_pairs_and_28_of_them_are_alphabetical() {
    let names = |pairs: Vec<Pair>| pairs.iter().map(Pair::name).collect::<Vec<_>>();
    assert_eq!((Pair::all().len(), Pair::alphabetical().len()), (56, 28));
    assert!(names(Pair::alphabetical()).contains(&"erc/AES-d+SHA1".to_owned()));
    assert!(!names(Pair::alphabetical()).contains(&"erc/SHA1+AES-d".to_owned()));
}

#[test]
fn kernels_alone_run_as_long_as_table_3_says() {
    for kernel in KERNELS {
        near(kernel.name, evaluation().alone(kernel) as f64, kernel.runtime as f64, 8.0);
    }
}

#[test]
fn table_5_is_reached_within_the_tolerances_and_in_its_order() {
    let mut stp = Vec::new();
    for (scheduling, paper) in [
        (Scheduling::Sjf, (1.82, 1.13, 0.80)),
        (Scheduling::Srtf, (1.59, 1.63, 0.52)),
        (Scheduling::Adaptive, (1.51, 1.64, 0.56)),
        (Scheduling::Mpmax, (1.37, 2.15, 0.36)),
    ] {
        let ours = means(scheduling, 0, Pair::all());
        let what = |metric| format!("{} of {}", metric, scheduling.name());
        near(&what("STP"), ours.stp, paper.0, 10.0);
        near(&what("ANTT"), ours.antt, paper.1, 25.0);
        // What SHA1 does to those beside it, which MPMax's fairness hangs on, is stated nowhere.
        if scheduling != Scheduling::Mpmax {
            near(&what("fairness"), ours.fairness, paper.2, 25.0);
        }
        stp.push(ours.stp);
    }
    assert!(stp.is_sorted_by(|one, next| one > next), "{stp:?}");
    let fifo = means(Scheduling::Fifo, 0, Pair::all()).stp;
    assert!(stp[2] > fifo, "srtf/adaptive {}, fifo {fifo}", stp[2]);
}

#[test]
fn table_6_has_the_papers_order() {
    for offset in [25, 50] {
        let all = [Scheduling::Fifo, Scheduling::Mpmax, Scheduling::Srtf, Scheduling::Adaptive];
        let [fifo, mpmax, srtf, adaptive] =
            all.map(|scheduling| means(scheduling, offset, Pair::all()));
        let stp = [srtf, adaptive, mpmax, fifo].map(|metrics| metrics.stp);
        assert!(stp.is_sorted_by(|one, next| one > next), "STP at {offset} %: {stp:?}");
        let antt = [srtf, adaptive, mpmax, fifo].map(|metrics| metrics.antt);
        assert!(antt.is_sorted_by(|one, next| one < next), "ANTT at {offset} %: {antt:?}");
        let fairness = [adaptive, srtf, mpmax, fifo].map(|metrics| metrics.fairness);
        assert!(fairness.is_sorted_by(|one, next| one > next), "{offset} %: {fairness:?}");
    }
}

#[test]
fn section_2s_alphabetical_pairs_have_its_throughput() {
    for (scheduling, paper) in
        [(Scheduling::Sjf, 1.82), (Scheduling::Fifo, 1.58), (Scheduling::Ljf, 1.16)]
    {
        let ours = means(scheduling, 0, Pair::alphabetical());
        near(scheduling.name(), ours.stp, paper, 5.0);
    }
}

#[test]
fn raytracing_delays_jpeg_d_by_its_whole_run_under_fifo() {
    let pair = |first, second| Pair {
        first: ErcKernel::named(first).unwrap(),
        second: ErcKernel::named(second).unwrap(),
    };
    let figures = evaluation().pair(pair("RayTracing", "JPEG-d"), 0, Scheduling::Fifo).unwrap();
    near("JPEG-d", figures.slowdowns[1], 17.76, 10.0);
}

#[test]
fn without_a_sample_throughput_is_a_little_and_turnaround_clearly_better() {
    let srtf = means(Scheduling::Srtf, 0, Pair::all());
    let zero = means(Scheduling::ZeroSampling, 0, Pair::all());
    let (stp, antt) = (zero.stp / srtf.stp - 1.0, 1.0 - zero.antt / srtf.antt);
    assert!((0.01..0.11).contains(&stp), "STP better by {stp:.3}");
    assert!((0.12..0.30).contains(&antt), "ANTT better by {antt:.3}");
}

#[test]
fn most_predictions_are_within_a_factor_of_two() {
    let alone = evaluation().accuracy_alone().unwrap();
    let spread = super::super::Spread::of(&alone.sliced).unwrap();
    assert_eq!(spread.predictions, 8 * 15);
    assert!(spread.within_2x >= 0.9, "{spread:?}");
    assert_eq!(alone.sliced, alone.unsliced, "one slice");
    let pair = Pair { first: KERNELS[2], second: KERNELS[0] };
    let mpmax = evaluation().accuracy_under_mpmax(pair).unwrap();
    let spread = super::super::Spread::of(&mpmax.sliced).unwrap();
    assert!(spread.within_2x > 0.5, "{spread:?}");
}
