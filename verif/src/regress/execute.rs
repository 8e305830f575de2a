//! The worker threads.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use blockyard_sim::sched::cover::{self, Counts};

use super::journal::Journal;
use super::panic_message;
use super::progress::Progress;
use super::selection::Selected;
use super::{full_id, CaseContext, CaseResult, Outcome, RegressError, RegressOptions, Verdict};

/// The stack of a worker, in bytes: as much as the main thread has, which is what cases that were
/// written as plain programs expect.
const STACK: usize = 8 << 20;

/// Runs the cases that `done` does not hold, heaviest first, and gives the results of all of them
/// in the order of `selection`, as far as they were run.
///
/// # Errors
/// [`RegressError::Workers`], or [`RegressError::Folder`] if the journal cannot be written: a
/// result that cannot be kept ends the run.
pub(super) fn execute(
    suite: &str,
    selection: &[Selected<'_>],
    done: Vec<Option<CaseResult>>,
    options: &RegressOptions,
    journal: &Journal,
    progress: &dyn Progress,
) -> Result<Vec<Option<CaseResult>>, RegressError> {
    let mut queue: Vec<usize> = (0..selection.len()).filter(|&i| done[i].is_none()).collect();
    queue.sort_by_key(|&i| (Reverse(selection[i].case.weight), i));
    let finished: Vec<OnceLock<CaseResult>> =
        done.into_iter().map(|result| result.map_or_else(OnceLock::new, OnceLock::from)).collect();
    let broken: OnceLock<RegressError> = OnceLock::new();
    let ended = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    // One loop a worker instead of a parallel iterator: the order of the queue is kept, and a case
    // that itself waits for the pool never runs another case inside its own time.
    let work = || {
        while !options.stop.is_raised() && !ended.load(Ordering::SeqCst) {
            let Some(&i) = queue.get(next.fetch_add(1, Ordering::SeqCst)) else {
                break;
            };
            let result = run_one(suite, &selection[i], options, progress);
            if result.outcome.verdict != Verdict::NotRun {
                if let Err(e) = journal.append(&result) {
                    ended.store(true, Ordering::SeqCst);
                    let _ = broken.set(e);
                }
            }
            progress.finished(&result);
            let _ = finished[i].set(result);
        }
    };
    if !queue.is_empty() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = options.jobs.map_or(cores, usize::from).min(queue.len());
        rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .stack_size(STACK)
            .thread_name(|i| format!("regress-{i}"))
            .build()?
            .broadcast(|_| work());
    }
    if let Some(error) = broken.into_inner() {
        return Err(error);
    }
    Ok(finished.into_iter().map(OnceLock::into_inner).collect())
}

/// A result for each case: those without one were not run.
pub(super) fn in_order(
    results: Vec<Option<CaseResult>>,
    selection: &[Selected<'_>],
) -> Vec<CaseResult> {
    let not_run = |selected: &Selected<'_>| CaseResult {
        id: selected.case.id.clone(),
        seed: selected.seed,
        outcome: Outcome::not_run(),
        time: Duration::ZERO,
        met: Counts::new(),
        resumed: false,
    };
    let results = results.into_iter().zip(selection);
    results.map(|(result, selected)| result.unwrap_or_else(|| not_run(selected))).collect()
}

fn run_one(
    suite: &str,
    selected: &Selected<'_>,
    options: &RegressOptions,
    progress: &dyn Progress,
) -> CaseResult {
    let Selected { case, seed } = *selected;
    progress.started(&full_id(&case.id, seed));
    let context = CaseContext {
        seed,
        out: options.out.join("cases").join(folder_name(&case.id, seed)),
        shared: options.out.join("shared"),
        stop: &options.stop,
    };
    let start = Instant::now();
    let mut met = Counts::new();
    let mut outcome = match remove_old(&context.out) {
        Ok(()) => {
            let run = || panic_message::catch(|| (case.run)(&context));
            let ended = match options.coverage {
                true => cover::count(run),
                false => (run(), Counts::new()),
            };
            met = ended.1;
            ended.0.unwrap_or_else(|message| Outcome::failed(message, 0))
        }
        Err(e) => Outcome::failed(
            format!("cannot remove artefacts of an earlier run\n{}: {e}", context.out.display()),
            0,
        ),
    };
    let time = start.elapsed();
    if let Verdict::Failed { repeat_command, artefacts, .. } = &mut outcome.verdict {
        repeat_command.get_or_insert_with(|| {
            let (suite, id) = (quoted(suite), quoted(&case.id));
            format!("blockyard regress {suite} --seed {} --filter {id}", options.seed)
        });
        for path in artefacts {
            *path = settled(path, &options.out);
        }
    }
    CaseResult { id: case.id.clone(), seed, outcome, time, met, resumed: false }
}

/// Artefacts of an earlier run must not pass for those of this one.
fn remove_old(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// A path that stays right when the folder of the run is moved as a whole.
fn settled(path: &Path, out: &Path) -> PathBuf {
    match path.strip_prefix(out) {
        Ok(inside) => inside.to_owned(),
        Err(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
    }
}

/// The id as the name of one folder. The seed, which derives from the id, keeps ids apart that
/// differ in other characters only.
fn folder_name(id: &str, seed: u64) -> String {
    let plain = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '+' | '=' | ',' => c,
        _ => '_',
    };
    let name: String = id.chars().map(plain).take(160).collect();
    format!("{name}.seed{seed}")
}

/// The text as one word of a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;

    use super::super::progress::Silent;
    use super::super::{Case, Outcome, RegressError, RegressOptions};
    use super::{execute, folder_name, quoted, Journal, Selected};
    use crate::line_file::LineFile;

    #[test]
    fn a_result_that_cannot_be_kept_ends_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        std::fs::write(&path, "").unwrap();
        // Every write to a file that is open for reading fails.
        let journal = Journal(LineFile::over(path.clone(), File::open(&path).unwrap()));
        let ran = Arc::new(AtomicUsize::new(0));
        let count = ran.clone();
        let cases = ["a", "b", "c"].map(|id| {
            let count = count.clone();
            Case::new(id, 1, move |_| {
                count.fetch_add(1, Ordering::SeqCst);
                Outcome::passed(0)
            })
        });
        let selection: Vec<Selected<'_>> =
            cases.iter().map(|case| Selected { case, seed: 0 }).collect();
        let options = RegressOptions {
            jobs: Some(1.try_into().unwrap()),
            ..RegressOptions::new(folder.path())
        };
        let done = vec![None, None, None];
        let result = execute("s", &selection, done, &options, &journal, &Silent);
        match result {
            Err(RegressError::Folder { action: "write", path: named, .. }) => {
                assert_eq!(named, path)
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(ran.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_name_with_shell_characters_is_quoted_and_a_plain_one_is_not() {
        assert_eq!(quoted("lockstep/rr/n13"), "lockstep/rr/n13");
        assert_eq!(quoted("rr+claso(pa=1,pl=0)"), "'rr+claso(pa=1,pl=0)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_folder_name_never_leaves_its_parent() {
        assert_eq!(folder_name("../a b/c", 7), "___a_b_c.seed7");
        assert!(folder_name(&"x".repeat(1000), u64::MAX).len() < 255);
    }
}
