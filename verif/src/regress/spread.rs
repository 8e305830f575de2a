//! On a cluster: each task is a shard of the suite in a folder of its own, which it goes on with
//! when it is started again.

use super::journal::{self, Journal};
use super::progress::Progress;
use super::selection::Selected;
use super::{CaseResult, RegressError, RegressOptions, Shard, ShardError, Verdict};
use crate::cluster::{said, submit, Array, Cluster, Gatherer, PATIENCE};
use blockyard_sim::output::unwritable;
use miette::IntoDiagnostic;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The results of the cases of `selection` that are not `done`, and of those that are, as far as
/// the cluster came: gathered as they come, each once.
///
/// # Errors
/// [`RegressError::Cluster`], or [`RegressError::Folder`] if the journal cannot be written.
pub(super) fn spread(
    suite: &str,
    selection: &[Selected<'_>],
    done: Vec<Option<CaseResult>>,
    (options, cluster): (&RegressOptions, &dyn Cluster),
    journal: &Journal,
    progress: &dyn Progress,
) -> Result<Vec<Option<CaseResult>>, RegressError> {
    let places: HashMap<&str, usize> =
        selection.iter().map(|s| s.case.id.as_str()).zip(0..).collect();
    let results = RefCell::new(done);
    let parts = options.out.join("parts");
    // Only a cluster's journals that this run has begun are of these cases.
    if !options.resume {
        let _ = fs::remove_dir_all(&parts);
    }
    let gatherer = RefCell::new(Gatherer::default());
    let gather = || {
        gatherer.borrow_mut().new_lines(&parts, "results.jsonl", &mut |path, line| {
            // The header of a shard is no result.
            let Ok(result) = journal::result(line) else { return Ok(()) };
            let Some(&place) = places.get(result.id.as_str()) else { return Ok(()) };
            if results.borrow()[place].is_none() {
                keep_artefacts(path, &options.out, &result)?;
                journal.append(&result)?;
                progress.finished(&result);
                results.borrow_mut()[place] = Some(result);
            }
            Ok(())
        })
    };
    let open = || results.borrow().iter().filter(|result| result.is_none()).count();
    let wrong = |report: miette::Report| RegressError::Cluster(report.to_string());
    gather().map_err(wrong)?;
    let mut in_vain = 0;
    while open() > 0 && !options.stop.is_raised() {
        let before = open();
        if in_vain == PATIENCE {
            let words = said(&parts);
            let ended = format!("{} ended with {before} cases not run: {words}", cluster.name());
            return Err(RegressError::Cluster(ended));
        }
        let _ = fs::remove_file(parts.join("stop"));
        let array =
            array(suite, options, &parts).map_err(|e| RegressError::Cluster(e.to_string()))?;
        submit(cluster, &array, &options.stop, &gather).map_err(wrong)?;
        in_vain = if open() == before { in_vain + 1 } else { 0 };
    }
    if open() == 0 {
        let _ = fs::remove_dir_all(&parts);
    }
    Ok(results.into_inner())
}

/// Tasks for all shards of the suite; those that are finished end at once.
fn array(suite: &str, options: &RegressOptions, parts: &Path) -> miette::Result<Array> {
    fs::create_dir_all(parts).map_err(|error| unwritable(parts, &error))?;
    let folder = std::path::absolute(parts).map_err(|error| unwritable(parts, &error))?;
    let seed = options.seed.to_string();
    let mut words = ["regress", suite, "--seed", &seed, "--jobs", "1", "--resume", "--part-of"]
        .map(str::to_owned)
        .to_vec();
    words.push(folder.display().to_string());
    words.extend(options.coverage.then(|| "--count-coverage".to_owned()));
    words.extend(options.filter.iter().flat_map(|text| ["--filter".to_owned(), text.clone()]));
    words.push("--shard".to_owned());
    let count = options.tasks;
    let tasks = (1..=count).map(|number| Ok(Shard::new(number, count)?.to_string()));
    let tasks: Result<_, ShardError> = tasks.collect();
    Ok(Array::new(&folder, words, tasks.into_diagnostic()?)?)
}

/// The folder of the task that runs `shard`.
pub(super) fn folder_of(parts: &Path, shard: Shard) -> PathBuf {
    parts.join(shard.to_string().replace('/', "-of-"))
}

/// Moves what a failed case left, in the folder of the journal at `path`, to that of the whole run.
fn keep_artefacts(path: &Path, out: &Path, result: &CaseResult) -> Result<(), RegressError> {
    let Verdict::Failed { artefacts, .. } = &result.outcome.verdict else { return Ok(()) };
    let part = path.parent().unwrap_or(path);
    for artefact in artefacts.iter().filter(|artefact| artefact.is_relative()) {
        let (from, to) = (part.join(artefact), out.join(artefact));
        let folder = to.parent().unwrap_or(out);
        let moved = fs::create_dir_all(folder).and_then(|()| fs::rename(&from, &to));
        moved.map_err(|source| RegressError::Folder { action: "move", path: from, source })?;
    }
    Ok(())
}
