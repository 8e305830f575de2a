//! Instruction traces through the command line: in lockstep, repeatable, and refused with a
//! diagnostic.
//!
//! Real traces are outside of the repository; where they are absent, their tests say so and pass.

#[path = "cli/command.rs"]
mod command;

use command::{figures, Place};
use std::path::Path;

/// Schedulers of which each has hardware of its own.
const SCHEDULERS: [&str; 5] =
    ["rr", "rr-gpgpusim", "rr+claso", "rr+dyncta", "rr+dyncta(period=64)+claso(pa=1,pl=0)"];

/// The list of a trace beside the repository.
fn shared(trace: &str) -> Option<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    if !Path::new(folder).exists() {
        println!("skipped: ../shared is absent");
        return None;
    }
    Some(format!("{folder}/data/{trace}/kernelslist.g"))
}

/// A kernel of `blocks` blocks of two warps that load, multiply, and store; each block a line of
/// its own.
fn kernel(blocks: u32) -> String {
    let mut text = format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = ({blocks},1,1)\n-block dim = (64,1,1)\n\
         -shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n\
         -shmem base_addr = 0x0000000000000000\n-local mem base_addr = 0x0000000001000000\n\
         -accelsim tracer version = 4\n#traces format = PC mask ... immediate\n"
    );
    for block in 0..blocks {
        text += &format!("\n#BEGIN_TB\n\nthread block = {block},0,0\n");
        for warp in 0..2 {
            let address = 0x8000_0000_u64 + u64::from(block) * 256 + warp * 128;
            text += &format!(
                "\nwarp = {warp}\ninsts = 4\n\
                 0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x{address:x} 4 0\n\
                 0010 ffffffff 1 R3 FMUL 2 R1 R1 0 0\n\
                 0020 ffffffff 0 STG.E 2 R2 R3 4 1 0x{:x} 4 0\n\
                 0030 ffffffff 0 EXIT 0 0 0\n",
                address + 0x10_0000
            );
        }
        text += "\n#END_TB\n";
    }
    text
}

/// Runs a trace in lockstep; returns what it printed.
fn lockstep(trace: &str, gpu: &str, scheduler: &str) -> String {
    let args = ["run", "--trace", trace, "--gpu", gpu, "--scheduler", scheduler];
    let printed = Place::new().fine(&args).stdout;
    assert!(printed.contains("lockstep   no difference"), "{printed}");
    printed
}

#[test]
fn the_real_vector_addition_runs_in_lockstep_on_both_presets_with_every_scheduler() {
    let Some(trace) = shared("traces/vectoradd") else {
        return;
    };
    for gpu in ["k20c", "gtx480"] {
        for scheduler in SCHEDULERS {
            let printed = lockstep(&trace, gpu, scheduler);
            // What `blockyard trace info` counts.
            let has = |label: &str, value: &str| {
                printed.lines().any(|line| {
                    line.trim_start().starts_with(label) && line.trim_end().ends_with(value)
                })
            };
            assert!(has("thread blocks", " 196"), "{gpu}, {scheduler}: {printed}");
            assert!(has("warp instructions", " 26601"), "{gpu}, {scheduler}: {printed}");
        }
    }
}

#[test]
fn accel_sims_issue_of_blocks_is_the_same_in_hardware_on_its_own_traces() {
    for trace in ["barrier-90", "imbalance-128", "two-kernels", "vecadd-60"] {
        let Some(list) = shared(&format!("accelsim/{trace}")) else {
            return;
        };
        for gpu in ["accelsim-gtx480", "accelsim-k20c"] {
            lockstep(&list, gpu, "rr-gpgpusim");
        }
    }
}

#[test]
fn a_trace_runs_in_lockstep_with_every_scheduler_on_one_smx_and_on_an_odd_number() {
    let place = Place::new();
    place.write("k.traceg", kernel(40));
    for smx in ["smx.count=1", "smx.count=7"] {
        for scheduler in SCHEDULERS {
            let args = ["run", "--trace", "k.traceg", "--scheduler", scheduler, "--set", smx];
            let printed = place.fine(&args).stdout;
            assert!(printed.contains("lockstep   no difference"), "{printed}");
            assert!(printed.contains("blocks     40\n"), "{printed}");
        }
    }
}

/// The figures and the log of a run of `k.traceg`.
fn outputs(place: &Place, name: &str, extra: &[&str]) -> [String; 2] {
    let (stats, log) = (format!("{name}.json"), format!("{name}.csv"));
    let mut args = vec!["run", "--trace", "k.traceg", "--scheduler", "rr+dyncta(period=64)"];
    args.extend(["--stats", &stats, "--dispatch-log", &log]);
    args.extend(extra);
    place.fine(&args);
    [figures(&place.text(&stats)).to_owned(), place.text(&log)]
}

#[test]
fn the_same_trace_gives_the_same_bytes_on_every_run_engine_and_beside_others() {
    let place = Place::new();
    place.write("k.traceg", kernel(150));
    let first = outputs(&place, "first", &["--engine", "golden"]);
    assert!(first.iter().all(|file| file.len() > 100));
    let others: [&[&str]; 4] = [
        &["--engine", "golden"],
        &["--engine", "rtl"],
        &["--engine", "lockstep"],
        &["--engine", "golden", "--no-skip"],
    ];
    let (place, first) = (&place, &first);
    std::thread::scope(|scope| {
        for (number, extra) in others.into_iter().enumerate() {
            scope.spawn(move || {
                let other = outputs(place, &format!("other{number}"), extra);
                assert!(other == *first, "{extra:?}");
            });
        }
    });
}

#[test]
fn what_is_wrong_deep_in_a_trace_ends_the_run_with_file_line_and_field() {
    let place = Place::new();
    let text = kernel(40).replace("thread block = 39,0,0", "thread block = 39,x,0");
    let line = 1 + text.lines().position(|line| line.contains("39,x,0")).expect("it is there");
    place.write("k.traceg", text);
    let args = ["run", "--trace", "k.traceg", "--scheduler", "rr", "--stats", "s.json"];
    place.refused(&args, &[&format!("k.traceg:{line}"), "39,x,0"]);
    assert!(!place.file("s.json").exists(), "a run that failed leaves no statistics");
}
