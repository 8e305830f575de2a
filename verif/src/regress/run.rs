//! One run, from the selection to the files that it leaves.

use blockyard_sim::output::{self, WholeFile};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use super::folder_lock::FolderLock;
use super::journal::{Header, Journal};
use super::progress::Progress;
use super::selection::select;
use super::{
    execute, junit, spread, CaseResult, RegressError, RegressOptions, RegressReport, Suite,
};

/// Runs the selected cases of a suite in parallel and writes the journal, `report.json` and the
/// JUnit report.
///
/// Failed cases are results, not errors. When the stop flag is raised, the running cases finish
/// and the others are reported as not run.
///
/// # Errors
/// Bad use, such as an empty selection or a journal of another run, before any case runs; later
/// only if a result cannot be kept on the disk.
pub fn run(
    suite: &Suite,
    options: &RegressOptions,
    progress: &dyn Progress,
) -> Result<RegressReport, RegressError> {
    let selection = select(suite, options)?;
    let out = &options.out;
    std::fs::create_dir_all(out).map_err(folder("make", out))?;
    let _lock = FolderLock::take(out)?;
    if let Some(path) = &options.junit {
        output::probe(path).map_err(junit_file(path))?;
    }

    let header = Header {
        suite: suite.name.clone(),
        seed: options.seed,
        shard: options.shard.to_string(),
        filter: options.filter.clone(),
        version: options.version.clone(),
        coverage: options.coverage,
    };
    let (journal, earlier) = if options.resume {
        let seeds: HashMap<&str, u64> =
            selection.iter().map(|s| (s.case.id.as_str(), s.seed)).collect();
        Journal::resume(out, &header, &|id| seeds.get(id).copied())?
    } else {
        (Journal::start(out, &header)?, Vec::new())
    };

    progress.begin(selection.len(), earlier.len());
    let mut earlier: HashMap<String, CaseResult> =
        earlier.into_iter().map(|result| (result.id.clone(), result)).collect();
    let done = selection.iter().map(|s| earlier.remove(&s.case.id)).collect();
    let results = match options.on.cluster().map_err(folder("find", Path::new("blockyard")))? {
        None => execute::execute(&suite.name, &selection, done, options, &journal, progress),
        Some(cluster) => {
            let by = (options, &*cluster);
            spread::spread(&suite.name, &selection, done, by, &journal, progress)
        }
    };
    progress.end();

    let report = RegressReport {
        suite: suite.name.clone(),
        seed: options.seed,
        shard: options.shard,
        filter: options.filter.clone(),
        version: options.version.clone(),
        out: out.clone(),
        results: execute::in_order(results?, &selection),
    };
    let path = out.join("report.json");
    report
        .to_json()
        .map_err(std::io::Error::from)
        .and_then(|json| write(&path, json.as_bytes()))
        .map_err(folder("write", &path))?;
    if let Some(path) = &options.junit {
        junit::to_xml(&report)
            .and_then(|xml| write(path, xml.as_bytes()))
            .map_err(junit_file(path))?;
    }
    Ok(report)
}

/// Puts `bytes` in place of whatever is at `path`, whole or not at all, also when the machine
/// crashes.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.sync()?;
    file.finish()
}

/// What to make of an error of the file system.
pub(super) fn folder(
    action: &'static str,
    path: &Path,
) -> impl FnOnce(std::io::Error) -> RegressError {
    let path = path.to_owned();
    move |source| RegressError::Folder { action, path, source }
}

fn junit_file(path: &Path) -> impl FnOnce(std::io::Error) -> RegressError {
    let path = path.to_owned();
    move |source| RegressError::Junit { path, source }
}
