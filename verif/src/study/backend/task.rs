//! A task of a cluster: makes some runs, on one core.

use super::array::{finished_files, lines, plan_file, stop_file, Range};
use crate::regress::StopFlag;
use crate::study::journal::{parse, unusable};
use crate::study::plan::Planned;
use crate::study::row::Row;
use miette::{miette, Result};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Between two looks at whether it is to end.
const LOOKED: Duration = Duration::from_millis(500);

/// Makes the runs of `range` in the plan in `folder` that no earlier start of the same task has
/// finished. Whether it was stopped before it had made all of them.
///
/// # Errors
/// When the folder is not that of an array, or cannot be written.
pub fn task(folder: &Path, range: Range, stop: &StopFlag) -> Result<bool> {
    let runs = planned(&plan_file(folder), range)?;
    let (older, file) = finished_files(folder, range)?;
    let mut finished = HashSet::new();
    for path in older {
        for line in lines(&path)? {
            finished.insert(parse::<Row>(&path, 1, &line)?.run);
        }
    }
    let ends = stop_file(folder);
    let (over, is_over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_over.recv_timeout(LOOKED) == Err(RecvTimeoutError::Timeout) {
                if ends.exists() {
                    stop.raise();
                }
            }
        });
        let made = runs.iter().filter(|planned| !finished.contains(&planned.run)).try_for_each(
            |planned| match planned.perform(stop) {
                Some(row) => file.append(&row).map_err(unusable),
                None => Ok(()),
            },
        );
        drop(over);
        made
    })?;
    Ok(stop.is_raised())
}

fn planned(path: &Path, range: Range) -> Result<Vec<Planned>> {
    let help = "expected the folder of an array, which `blockyard study --on` makes";
    let wrong = |what: String| miette!(help = help, "{}: {what}", path.display());
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut runs = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate().take(range.to + 1) {
        let line = line.map_err(|error| wrong(error.to_string()))?;
        if number >= range.from {
            runs.push(parse(path, number + 1, &line)?);
        }
    }
    if runs.len() != range.to - range.from + 1 {
        return Err(wrong(format!("it has no runs {range}")));
    }
    Ok(runs)
}
