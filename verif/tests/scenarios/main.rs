//! Worked examples of the papers, and the timing rules under them, in all three engines.
//!
//! Each example is a scenario; its dispatch log must be the one that the paper tells, and the same
//! bytes whether the twin, the hardware or both decide.

#[path = "../cli/command.rs"]
mod command;

mod claso_section_3_2;
mod dtbl_section_2_3;
mod grids;
mod ikra_section_4;
mod ikra_section_8;
mod laperm_section_2_b;
mod laperm_section_4;
mod page_dependent;
mod page_domains;
mod page_launch_control;
mod page_partitions;
mod timing;

use command::{figures, lines, Line, Place};
use serde_json::Value;

/// What a run of a scenario leaves.
struct Seen {
    lines: Vec<Line>,
    stats: Value,
}

impl Seen {
    /// Cycle, SMX and first index of every block.
    fn blocks(&self) -> Vec<(u64, usize, u64)> {
        self.lines.iter().map(|line| (line.cycle, line.smx, line.x)).collect()
    }

    /// A figure of a kernel instance.
    fn kernel(&self, name: &str, instance: u64, figure: &str) -> u64 {
        let kernels = self.stats["kernels"].as_array().expect("kernels");
        let found =
            kernels.iter().find(|kernel| kernel["name"] == name && kernel["instance"] == instance);
        let figure = &found.unwrap_or_else(|| panic!("no {name} {instance}"))[figure];
        figure.as_u64().unwrap_or_else(|| panic!("{name} {instance}: {figure}"))
    }

    /// Blocks that each SMX has received.
    fn blocks_by_smx(&self) -> Vec<u64> {
        let smx = self.stats["smx"].as_array().expect("smx").iter();
        smx.map(|smx| smx["thread_blocks"].as_u64().expect("a count")).collect()
    }
}

/// Runs a scenario file in every engine.
fn run_file(scheduler: &str, path: &str, more: &[&str]) -> Seen {
    let mut seen: Vec<(String, String)> = Vec::new();
    for engine in ["golden", "rtl", "lockstep"] {
        let place = Place::new();
        let mut args =
            vec!["run", "--scheduler", scheduler, "--scenario", path, "--engine", engine];
        args.extend(["--dispatch-log", "log.csv", "--stats", "stats.json"]);
        args.extend(more);
        place.fine(&args);
        seen.push((place.text("log.csv"), figures(&place.text("stats.json")).to_owned()));
    }
    assert_eq!(seen[0], seen[1], "golden and rtl");
    assert_eq!(seen[0], seen[2], "golden and lockstep");
    let (log, stats) = &seen[0];
    Seen { lines: lines(log), stats: serde_json::from_str(&format!("{stats}}}")).expect("JSON") }
}

/// Runs the text of a scenario in every engine.
fn run_text(scheduler: &str, text: &str) -> Seen {
    let place = Place::new();
    place.write("scenario.toml", text);
    run_file(scheduler, place.file("scenario.toml").to_str().expect("UTF-8"), &[])
}
