//! Traces that `../shared/tools/gen_trace.py` makes, with the cycles that Accel-Sim takes for them.
//!
//! `generated.csv` has the generator's arguments and the cycles of both configurations, from an
//! Accel-Sim of the same commits and settings that gives the cycles of all traces that came with
//! theirs exactly; docs/accelsim.md tells how it was built. They are of every kind, from one block
//! to 1500, and none was left out for its error.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use csv::StringRecord;
use rayon::prelude::*;

use crate::{runs, shared};

/// Most that the mean of all errors may be, in per cent.
const MEAN: f64 = 3.0;

/// Most that a single error may be.
const WORST: f64 = 20.0;

/// Makes the trace in `folder`; false, and said on the standard output, where there is no python3.
/// Under CI that is a failure.
fn generate(generator: &Path, arguments: &str, folder: &Path) -> bool {
    let (kind_and_blocks, options) = {
        let mut words = arguments.split(' ');
        ([words.next().unwrap(), words.next().unwrap()], words)
    };
    let made = Command::new("python3")
        .arg(generator)
        .args(kind_and_blocks)
        .arg(folder)
        .args(options)
        .output();
    let made = match made {
        Err(error) if error.kind() == ErrorKind::NotFound && std::env::var_os("CI").is_none() => {
            println!("skipped: python3 not found");
            return false;
        }
        made => made.expect("python3 runs"),
    };
    assert!(made.status.success(), "{arguments}: {}", String::from_utf8_lossy(&made.stderr));
    true
}

/// How far the runs of a line of the table, both configurations, are from Accel-Sim's, in per cent.
/// None where there is no python3. The trace goes to `folder`, which is gone afterwards.
fn errors(generator: &Path, line: &StringRecord, folder: &Path) -> Option<[f64; 2]> {
    let arguments = &line[0];
    if !generate(generator, arguments, folder) {
        return None;
    }
    let errors = [("gtx480", &line[1]), ("k20c", &line[2])].map(|(config, theirs)| {
        let theirs = theirs.parse().unwrap();
        let (cycles, _) = runs::ours(config, folder);
        let error = runs::error(cycles, theirs);
        println!("{arguments:44} {config:7} {theirs:9} {cycles:10} {error:+7.2} %");
        assert!(error.abs() <= WORST, "{arguments}, {config}: {error:+.2} %");
        error.abs()
    });
    std::fs::remove_dir_all(folder).unwrap();
    Some(errors)
}

#[test]
fn cycles_of_generated_traces_are_accel_sims_within_3_per_cent_on_average_and_20_at_worst() {
    let Some(generator) = shared::tool("gen_trace.py") else {
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("accelsim-generated");
    let mut table = csv::Reader::from_reader(&include_bytes!("generated.csv")[..]);
    let lines: Vec<StringRecord> = table.records().map(Result::unwrap).collect();
    println!("{:44} config  Accel-Sim  Blockyard    error", "trace");
    let of = |(place, line)| errors(&generator, line, &folder.join(format!("{place}")));
    let errors: Option<Vec<_>> = lines.par_iter().enumerate().map(of).collect();
    let Some(errors) = errors else { return };
    let errors = errors.concat();
    assert_eq!(errors.len(), 160, "the table is whole");
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    println!("mean absolute error of {} runs {mean:.2} %", errors.len());
    assert!(mean <= MEAN, "mean absolute error {mean:.2} %");
}
