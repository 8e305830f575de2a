//! From the submission of an array until it is over.

use super::array::stop_file;
use super::{Array, Cluster};
use crate::regress::StopFlag;
use blockyard_sim::output::unwritable;
use miette::{miette, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Between two looks for what is finished.
const GATHERED: Duration = Duration::from_millis(200);

/// What tasks that are told to end are given for it, before nobody waits for them any more.
const ENDING: Duration = Duration::from_secs(5);

/// Submits `array` and calls `gather` now and then until it is over, and once more; it ends early
/// when `stop` is raised.
///
/// # Errors
/// When it cannot be submitted, or an error of `gather`.
pub fn submit(
    cluster: &dyn Cluster,
    array: &Array,
    stop: &StopFlag,
    gather: &dyn Fn() -> Result<()>,
) -> Result<()> {
    let mut submitted = start(cluster, array)?;
    let mut stopped: Option<Instant> = None;
    let over = loop {
        if let Err(error) = gather() {
            end(&array.folder)?;
            break Err(error);
        }
        match submitted.try_wait() {
            Ok(None) => {}
            Ok(Some(_)) => break Ok(()),
            Err(error) => break Err(miette!("cannot wait for {}: {error}", cluster.name())),
        }
        if stop.is_raised() {
            if stopped.is_none() {
                end(&array.folder)?;
            }
            if stopped.get_or_insert_with(Instant::now).elapsed() > ENDING {
                break Ok(());
            }
        }
        std::thread::sleep(GATHERED);
    };
    // It has ended, or nobody is interested in it any more.
    let _ = submitted.kill();
    let _ = submitted.wait();
    gather()?;
    over
}

fn start(cluster: &dyn Cluster, array: &Array) -> Result<Child> {
    let path = log(&array.folder);
    let log = File::create(&path).map_err(|error| unwritable(&path, &error))?;
    let both = log.try_clone().map_err(|error| unwritable(&path, &error))?;
    let mut command = cluster.submit(array);
    command.stdin(Stdio::null()).stdout(log).stderr(both);
    // Ctrl-C is for whoever submits, who lets the tasks end.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        miette!(
            help = format!("docs/studies.md says what --on {} needs", cluster.name()),
            "cannot start {program}: {error}"
        )
    })
}

/// What a cluster says of the array in `folder`.
fn log(folder: &Path) -> PathBuf {
    folder.join("submitted.log")
}

/// The last line of what a cluster has said of the array in `folder`.
pub fn said(folder: &Path) -> String {
    let words = std::fs::read_to_string(log(folder)).unwrap_or_default();
    words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

/// Lets the tasks of the array in `folder` end.
///
/// # Errors
/// When it cannot be written.
pub fn end(folder: &Path) -> Result<()> {
    let path = stop_file(folder);
    File::create(&path).map_err(|error| unwritable(&path, &error))?;
    Ok(())
}
