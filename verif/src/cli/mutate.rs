//! `blockyard mutate`.

use super::number::{some, within};
use super::{complain, interrupt, print, Exit};
use crate::mutate::kept::{self, SAMPLE, SUITE_SEED};
use crate::mutate::{self, Alone, Design, Fate, Fates, Sample, Score};
use crate::regress::StopFlag;
use crate::replay::{ReplayError, Tool, ToolStatus};
use crate::standard_output::give_to_a_file;
use blockyard_sim::input::is_standard;
use blockyard_sim::output;
use clap::Args;
use miette::{miette, IntoDiagnostic, Result};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Most faults of a design: the port that chooses one has as many values.
const MOST: u32 = 10_000;

/// Arguments of `mutate`.
#[derive(Debug, Args)]
pub struct MutateArgs {
    /// Only designs with one of these texts in their id: `laperm/`, `rr/dtbl8/rr+claso`
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    filter: Vec<String>,
    /// Faults that are chosen in each design
    #[arg(long, value_name = "N", default_value_t = SAMPLE.faults, value_parser = |text: &str| within(text, 1..=MOST))]
    faults: u32,
    /// Another choice of faults; the traffic stays
    #[arg(long, value_name = "N", default_value_t = SAMPLE.seed, value_parser = |text: &str| within(text, 0..=u32::MAX / 2))]
    seed: u32,
    /// Designs at a time; as many as there are cores when left out
    #[arg(long, value_name = "J", value_parser = some)]
    jobs: Option<NonZeroUsize>,
    /// Also write each fault with its fate
    #[arg(long, value_name = "F.json")]
    json: Option<PathBuf>,
    /// All schedulers of the suites, and not only those whose score is kept
    #[arg(long)]
    all: bool,
    /// Print the ids of the designs, a line each, and run none
    #[arg(long, conflicts_with_all = ["jobs", "json", "kept"])]
    list: bool,
    /// Print the list of scores as it is to be kept, instead of the table
    #[arg(long)]
    kept: bool,
    /// Count what the rules of the ports find without a twin, of what lockstep of `quick` finds
    #[arg(long, conflicts_with_all = ["list", "kept", "json"])]
    alone: bool,
}

/// Puts faults into the hardware of schedulers and counts those that lockstep finds.
///
/// # Errors
/// When no design is left, a file cannot be written, or a tool fails.
pub fn main(args: &MutateArgs) -> Result<Exit> {
    let designs = chosen(args)?;
    if args.list {
        let ids: String = designs.iter().map(|design| design.id.clone() + "\n").collect();
        print(&ids)?;
        return Ok(Exit::Fine);
    }
    if let Some(path) = &args.json {
        output::probe(path).map_err(|error| output::unwritable(path, &error))?;
        if is_standard(path) {
            give_to_a_file();
        }
    }
    for status in [Tool::Abc.status(), Tool::Verilator.status()] {
        if let Some(message) = status.message() {
            complain(&message);
            return Ok(match status {
                ToolStatus::Required(_) => Exit::CheckFailed,
                _ => Exit::Fine,
            });
        }
    }
    let sample = Sample { faults: args.faults, seed: args.seed, only: "" };
    if args.alone {
        let one = |design: &Design, folder: &Path, stop: &StopFlag| {
            let alone = design.run_alone(sample, folder, stop)?;
            let line = unseen(&alone);
            Ok((alone, line))
        };
        return match run(args, &designs, one) {
            Err(ReplayError::Stopped { .. }) => Ok(Exit::Interrupted),
            all => print(&mutate::alone_table(&all?)).map(|()| Exit::Fine),
        };
    }
    let one = |design: &Design, folder: &Path, stop: &StopFlag| {
        let fates = design.run(sample, folder, stop)?;
        let line = summary(&fates);
        Ok((fates, line))
    };
    let mut all = match run(args, &designs, one) {
        Err(ReplayError::Stopped { .. }) => return Ok(Exit::Interrupted),
        other => other?,
    };
    let is_kept = (args.faults, args.seed) == (SAMPLE.faults, SAMPLE.seed);
    // The list is about no other faults.
    let mut wrong = if is_kept { kept::excuse(&mut all) } else { Vec::new() };
    let families = mutate::families(&designs);
    let of = |family: &&str| all.iter().filter(|fates| fates.family == *family).collect::<Vec<_>>();
    let scores: Vec<(&str, Score)> =
        families.iter().map(|family| (*family, Score::of(of(family)))).collect();
    if let Some(path) = &args.json {
        let json = mutate::json(&all, &scores, sample, SUITE_SEED).into_diagnostic()?;
        output::write_file(path, |file| file.write_all(json.as_bytes()))?;
    }
    if args.kept {
        print(&kept::list(&scores))?;
        return Ok(Exit::Fine);
    }
    print(&(survivors(&all) + &mutate::table(&scores, &Score::of(&all))))?;
    if is_kept && !args.all {
        wrong.extend(kept::below(&whole(scores)));
    }
    wrong.iter().for_each(|line| complain(line));
    Ok(if wrong.is_empty() { Exit::Fine } else { Exit::CheckFailed })
}

/// The scores of families of which no design was left out.
fn whole(mut scores: Vec<(&str, Score)>) -> Vec<(&str, Score)> {
    let designs = mutate::designs(SUITE_SEED);
    let of = |family: &str| designs.iter().filter(|design| design.family == family).count() as u64;
    scores.retain(|(family, score)| score.designs == of(family));
    scores
}

/// The designs that the filter leaves.
fn chosen(args: &MutateArgs) -> Result<Vec<Design>> {
    let mut designs = match args.all {
        true => mutate::every_design(SUITE_SEED),
        false => mutate::designs(SUITE_SEED),
    };
    let known: Vec<String> = designs.iter().map(|design| design.id.clone()).collect();
    for filter in &args.filter {
        if !known.iter().any(|id| id.contains(filter)) {
            let help = format!("expected a part of one of:\n{}", known.join("\n"));
            return Err(miette!(help = help, "no design has `{filter}` in its id"));
        }
    }
    designs.retain(|design| {
        args.filter.is_empty() || args.filter.iter().any(|filter| design.id.contains(filter))
    });
    Ok(designs)
}

/// What `each` gives for each design, with a line that says so at once; it has a folder for files.
fn run<R: Send>(
    args: &MutateArgs,
    designs: &[Design],
    each: impl Fn(&Design, &Path, &StopFlag) -> Result<(R, String), ReplayError> + Sync,
) -> Result<Vec<R>, ReplayError> {
    let io = |what: &str, error: String| ReplayError::Io {
        what: what.to_owned(),
        source: std::io::Error::other(error),
    };
    let stop = interrupt::flag().map_err(|error| io("listening for Ctrl-C", error.to_string()))?;
    let jobs = args.jobs.map_or(0, usize::from);
    let workers = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(8 << 20)
        .build()
        .map_err(|error| io("starting threads", error.to_string()))?;
    let folder = crate::replay::scratch()?;
    let done = AtomicUsize::new(0);
    let one = |(place, design): (usize, &Design)| -> Result<R, ReplayError> {
        let begin = Instant::now();
        let folder = folder.path().join(place.to_string());
        let made = |source| ReplayError::Io { what: "making a folder".to_owned(), source };
        std::fs::create_dir(&folder).map_err(made)?;
        let (result, line) = each(design, &folder, &stop)?;
        // Programs and recordings of a hundred designs are gigabytes.
        let _ = std::fs::remove_dir_all(&folder);
        let number = done.fetch_add(1, Ordering::SeqCst) + 1;
        let seconds = begin.elapsed().as_secs();
        complain(&format!("[{number}/{}] {line}, {seconds} s", designs.len()));
        Ok(result)
    };
    workers.install(|| designs.par_iter().with_max_len(1).enumerate().map(one).collect())
}

fn summary(fates: &Fates) -> String {
    let score = Score::of([fates]);
    let Score { faults, equivalent, quick, proofs, full, .. } = score;
    let left = faults - equivalent - quick - proofs - full;
    format!(
        "{}: {faults} faults, {equivalent} equivalent, quick finds {quick}, its proofs {proofs} more, full {full} more, {left} left",
        fates.design
    )
}

/// What rules find of a design's faults, and those that they do not, a line each.
fn unseen(alone: &Alone) -> String {
    let caught =
        || alone.faults.iter().filter_map(|(fault, caught)| Some((fault, caught.as_ref()?)));
    let mut text = String::new();
    let mut rules = 0;
    for (fault, caught) in caught() {
        match &caught.rule {
            Some(_) => rules += 1,
            None => text += &format!("\n    in lockstep alone: {fault}"),
        }
    }
    format!("{}: lockstep finds {}, rules alone {rules}{text}\n   ", alone.design, caught().count())
}

/// Those that nobody finds, a line each.
fn survivors(all: &[Fates]) -> String {
    let mut text = String::new();
    for fates in all {
        for (fault, fate) in &fates.faults {
            if let Fate::Survives { visible } = fate {
                let how = if *visible { "" } else { "neither shown nor proved: " };
                text += &format!("{}: survives: {how}{fault}\n", fates.design);
            }
        }
    }
    text
}
