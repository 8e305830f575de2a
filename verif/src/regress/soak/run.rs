//! The loop of a soak.

use super::super::execute::{on_workers, run_one};
use super::super::folder_lock::FolderLock;
use super::super::journal::{Header, Journal};
use super::super::progress::Progress;
use super::super::run::folder;
use super::super::selection::Selected;
use super::super::suites::Draws;
use super::super::{
    case_seed, CaseResult, RegressError, RegressOptions, RegressReport, Shard, Verdict,
};
use super::NAME;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Rounds in which a filter that is not an id must leave something: else it is refused, or the soak
/// is at its end.
const ROUNDS: u64 = 20;

/// What a soak gives back.
#[derive(Clone, Debug)]
pub struct Soaked {
    /// All results, those of the journal first. No case in it was not run.
    pub report: RegressReport,
    /// Wall time of this run, without those before it.
    pub wall: Duration,
}

/// Runs the cases of `draws`, as far as the filter of `options` leaves them, until `time` is over
/// or the stop flag is raised; then no further case starts, and the running ones finish. A filter
/// that is the id of a case runs that one and ends.
///
/// # Errors
/// Bad use, such as a filter that leaves nothing or a journal of another run, before any case runs;
/// later only if a result cannot be kept on the disk.
pub fn run(
    draws: &Draws,
    options: &RegressOptions,
    time: Option<Duration>,
    progress: &dyn Progress,
) -> Result<Soaked, RegressError> {
    let begun = Instant::now();
    let wanted = Wanted::new(draws, options.filter.as_deref())?;
    let out = &options.out;
    std::fs::create_dir_all(out).map_err(folder("make", out))?;
    let _lock = FolderLock::take(out)?;
    let header = Header {
        suite: NAME.to_owned(),
        seed: options.seed,
        shard: Shard::WHOLE.to_string(),
        filter: options.filter.clone(),
        version: options.version.clone(),
        coverage: false,
    };
    let seed_of = |id: &str| draws.number(id).map(|_| case_seed(options.seed, id));
    let (journal, earlier) = match options.resume {
        true => Journal::resume(out, &header, &seed_of)?,
        false => (Journal::start(out, &header)?, Vec::new()),
    };
    let done: HashSet<u64> = earlier.iter().filter_map(|result| draws.number(&result.id)).collect();
    progress.begin(0, earlier.len());

    let results = Mutex::new(earlier);
    let broken: OnceLock<RegressError> = OnceLock::new();
    let ended = AtomicBool::new(false);
    let next = AtomicU64::new(0);
    let is_over = || {
        let timed_out = time.is_some_and(|time| begun.elapsed() >= time);
        timed_out || options.stop.is_raised() || ended.load(Ordering::SeqCst)
    };
    let work = || {
        // A filter may name one round: behind it nothing comes any more.
        let mut in_vain = 0;
        while !is_over() && in_vain < ROUNDS * draws.round() {
            let number = match wanted.take(&next) {
                Some(number) if !done.contains(&number) => number,
                Some(_) => continue,
                None => break,
            };
            let case = draws.case(number);
            if !wanted.has(&case.id) {
                in_vain += 1;
                continue;
            }
            in_vain = 0;
            let seed = case_seed(options.seed, &case.id);
            let result = run_one(NAME, &Selected { case: &case, seed }, options, progress);
            // One that gave up is run again by whoever resumes.
            if result.outcome.verdict == Verdict::NotRun {
                continue;
            }
            if let Err(error) = journal.append(&result) {
                ended.store(true, Ordering::SeqCst);
                let _ = broken.set(error);
            }
            progress.finished(&result);
            results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        }
    };
    on_workers(options.jobs, wanted.most(), work)?;
    progress.end();
    if let Some(error) = broken.into_inner() {
        return Err(error);
    }
    let results: Vec<CaseResult> = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let report = RegressReport {
        suite: NAME.to_owned(),
        seed: options.seed,
        shard: Shard::WHOLE,
        filter: options.filter.clone(),
        version: options.version.clone(),
        out: out.clone(),
        results,
    };
    Ok(Soaked { report, wall: begun.elapsed() })
}

/// Which cases are run.
enum Wanted {
    All,
    /// Those whose id contains this.
    With(String),
    /// This one alone.
    One(u64),
}

impl Wanted {
    fn new(draws: &Draws, filter: Option<&str>) -> Result<Self, RegressError> {
        let Some(filter) = filter else { return Ok(Self::All) };
        // A full id has the seed behind it.
        let id = filter.split(" seed=").next().unwrap_or(filter);
        if let Some(number) = draws.number(id) {
            return Ok(Self::One(number));
        }
        let ids = || (0..ROUNDS * draws.round()).map(|number| draws.case(number).id);
        if ids().any(|id| id.contains(filter)) {
            return Ok(Self::With(filter.to_owned()));
        }
        Err(RegressError::NothingMatches {
            suite: NAME.to_owned(),
            filter: filter.to_owned(),
            known: ids().take(10).chain(["and so on".to_owned()]).collect::<Vec<_>>().join("\n"),
        })
    }

    /// Another number that nobody has taken.
    fn take(&self, next: &AtomicU64) -> Option<u64> {
        let count = next.fetch_add(1, Ordering::SeqCst);
        match self {
            Self::One(number) => (count == 0).then_some(*number),
            Self::All | Self::With(_) => Some(count),
        }
    }

    fn has(&self, id: &str) -> bool {
        match self {
            Self::With(filter) => id.contains(filter),
            Self::All | Self::One(_) => true,
        }
    }

    /// Cases that can run at once.
    fn most(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::All | Self::With(_) => usize::MAX,
        }
    }
}
