//! What ABC is asked, and what its answers mean.

use super::aiger::Aiger;
use super::faulty::Faulty;
use super::model::Model;
use super::row::{Cause, Outcome, Undecided};
use super::{engine_name, Limits};
use crate::replay::{read_file, run_until, write_file as write, Finished, Patience, ReplayError};
use blockyard_rtl::proofs::Engine;
use std::path::Path;
use std::time::Instant;

/// Cycles in which a counter-example is looked for where induction does not succeed.
const SEARCHED: usize = 40;

/// Cycles in which a cover point is looked for, and for how many seconds.
const COVERED: (usize, u64) = (60, 30);

/// Conflicts after which the SAT solver leaves a circuit without latches to others: most take less
/// than a second.
const CONFLICTS: u32 = 1000;

/// Seconds in which gates that are equal are merged: a hundred thousand take twenty to forty.
const MERGE_SECONDS: u64 = 60;

/// Seconds in which ABC, whose own limit is reached, has to say how far it came.
const REPORT: u64 = 10;

/// The inputs of each cycle, that of the reset first.
pub type Cycles = Vec<Vec<bool>>;

/// What was found of all properties of a module.
pub struct Found {
    /// What decided.
    pub engine: String,
    /// What holds for all that are not refuted.
    pub outcome: Outcome,
    /// The inputs of each cycle of a counter-example, that of the reset first.
    pub example: Option<Cycles>,
}

impl Found {
    /// Where there is no circuit to decide on.
    pub fn nothing(engine: Engine, why: Undecided) -> Self {
        Self { engine: engine_name(engine), outcome: Outcome::Undecided(why), example: None }
    }
}

/// Decides whether all promises hold.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn decide(
    model: &Model,
    promises: &[String],
    engine: Engine,
    begin: Instant,
    limits: Limits,
) -> Result<Found, ReplayError> {
    let broken: Vec<u32> = promises.iter().map(|name| model.holds(name) ^ 1).collect();
    write(&model.folder.join("promises.aig"), model.aiger.write(&broken))?;
    let patience = limits.patience(begin);
    let found = |engine, outcome, example| Ok(Found { engine, outcome, example });
    let name = engine_name(engine);
    // One cycle more than the depth: the fold of what is assumed is a cycle late.
    let steps = match engine {
        Engine::Induction(depth) => format!("bmc3 -F {}; CEX; ind -F {depth}", depth + 2),
        Engine::Pdr => format!("dc2; pdr -T {}; CEX", patience.seconds),
        Engine::Bounded(depth) => format!("bmc3 -F {depth} -T {}; CEX", patience.seconds),
    };
    // ABC's own limit leaves it the time to say how far it came.
    let log = match ask(&model.folder, "promises.aig", &steps, patience.and(REPORT))? {
        Ok(log) => log,
        Err(limit) => return search(model, engine, limit, begin, limits),
    };
    if let Some(example) = example(&model.folder, &log)? {
        return found(name, Outcome::Proved, Some(example));
    }
    if is_proved(&log) {
        return found(name, Outcome::Proved, None);
    }
    let (cause, why) = match (engine, held(&log)) {
        (Engine::Bounded(depth), Some(held)) if held >= depth => {
            return found(name, Outcome::Bounded { depth: held }, None);
        }
        (Engine::Induction(_), _) => (Cause::Induction, "its step does not hold".to_owned()),
        _ => (Cause::Time, format!("{} s", begin.elapsed().as_secs())),
    };
    search(model, engine, Undecided { cause, why }, begin, limits)
}

/// Where there is no proof: a counter-example, or how far there is none.
fn search(
    model: &Model,
    engine: Engine,
    proof: Undecided,
    begin: Instant,
    limits: Limits,
) -> Result<Found, ReplayError> {
    let patience = limits.patience(begin);
    let steps = format!("bmc3 -F {SEARCHED} -T {}; CEX", patience.seconds);
    let log = ask(&model.folder, "promises.aig", &steps, patience.and(REPORT))?.unwrap_or_default();
    let example = example(&model.folder, &log)?;
    let why = format!("{}; no failure in {} cycles", proof.why, held(&log).unwrap_or(0));
    Ok(Found { example, ..Found::nothing(engine, Undecided { why, ..proof }) })
}

/// Whether each cover point is reached, and in which cycle first.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn reached(
    model: &Model,
    covers: &[String],
    limits: Limits,
) -> Result<Vec<Outcome>, ReplayError> {
    let literals: Vec<u32> = covers.iter().map(|name| model.reached(name)).collect();
    let (first, limit) = first_cycles(model, "covers.aig", &literals, COVERED, limits)?;
    let outcome = |cycle: Option<usize>| match (cycle, &limit) {
        (Some(cycle), _) => Outcome::Reached { cycle },
        (None, None) => Outcome::Unreached,
        (None, Some(limit)) => Outcome::Undecided(limit.clone()),
    };
    Ok(first.into_iter().map(outcome).collect())
}

/// Inputs with which one of these literals is true, if there are some of so many cycles.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn counter_example(
    folder: &Path,
    aiger: &Aiger,
    literals: &[u32],
    cycles: usize,
    patience: Patience,
) -> Result<Result<Option<Cycles>, Undecided>, ReplayError> {
    write(&folder.join("faulty.aig"), aiger.write(literals))?;
    let steps = format!("bmc3 -F {cycles} -T {}; CEX", patience.seconds);
    let log = match ask(folder, "faulty.aig", &steps, patience.and(REPORT))? {
        Ok(log) => log,
        Err(limit) => return Ok(Err(limit)),
    };
    if let Some(example) = example(folder, &log)? {
        return Ok(Ok(Some(example)));
    }
    let searched = held(&log).unwrap_or(0);
    if searched >= cycles || is_proved(&log) {
        return Ok(Ok(None));
    }
    let why = format!("{searched} of {cycles} cycles searched in {} s", patience.seconds);
    Ok(Err(Undecided { cause: Cause::Time, why }))
}

/// The first cycle in which each of these literals is true, and the limit that ended the search, if
/// one did.
fn first_cycles(
    model: &Model,
    file: &str,
    literals: &[u32],
    (cycles, seconds): (usize, u64),
    limits: Limits,
) -> Result<(Vec<Option<usize>>, Option<Undecided>), ReplayError> {
    let mut first = vec![None; literals.len()];
    if literals.is_empty() {
        return Ok((first, None));
    }
    // ABC takes no steps of a circuit without latches: one that has no fault has one, which says
    // that it has begun.
    let circuit = match model.aiger.latches.is_empty() {
        false => model.aiger.write(literals),
        true => {
            let stepping = Faulty::new(&model.aiger, &[]);
            let literals: Vec<u32> = literals.iter().map(|&of| stepping.literal(of)).collect();
            stepping.aiger.write(&literals)
        }
    };
    write(&model.folder.join(file), circuit)?;
    let steps = format!("read_aiger {file}; fold; bmc3 -a -F {cycles} -T {seconds}");
    let log = match run_abc(&model.folder, &steps, limits.for_seconds(seconds + REPORT))? {
        Ok(log) => log,
        Err(limit) => return Ok((first, Some(limit))),
    };
    for line in log.lines() {
        if let Some((output, frame)) = asserted(line) {
            if let Some(first) = first.get_mut(output) {
                first.get_or_insert(frame);
            }
        }
    }
    let searched = searched(&log).unwrap_or(0);
    let why = || Undecided {
        cause: Cause::Time,
        why: format!("{searched} of {cycles} cycles searched in {seconds} s"),
    };
    Ok((first, (searched < cycles).then(why)))
}

/// `Output 2 was asserted in frame 4`, with or without the name of the circuit.
fn asserted(line: &str) -> Option<(usize, usize)> {
    let (before, after) = line.split_once("asserted in frame")?;
    let number = |text: &str| text.split_whitespace().next()?.trim_end_matches('.').parse().ok();
    Some((number(before.split_once("Output ")?.1)?, number(after)?))
}

fn is_proved(log: &str) -> bool {
    log.contains("Property proved") || log.contains("Networks are equivalent")
}

/// The cycles in which bounded model checking found no failure.
fn held(log: &str) -> Option<usize> {
    let line = log.lines().find_map(|line| line.split_once("No output asserted in "))?.1;
    line.split_whitespace().next()?.parse().ok()
}

/// The cycles in which the first failure of each output was looked for.
fn searched(log: &str) -> Option<usize> {
    let mut counts = log.lines().filter_map(|line| {
        let (_, after) = line.split_once("outputs are SAT")?.1.split_once(" after ")?;
        after.split_whitespace().next()?.parse().ok()
    });
    counts.next().or_else(|| held(log))
}

fn ask(
    folder: &Path,
    file: &str,
    steps: &str,
    patience: Patience,
) -> Result<Result<String, Undecided>, ReplayError> {
    let _ = std::fs::remove_file(folder.join("example.txt"));
    let steps = steps.replace("CEX", "write_cex -a example.txt");
    run_abc(folder, &format!("read_aiger {file}; fold; orpos; strash; {steps}"), patience)
}

/// What ABC says of outputs that are never to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// None of them ever is.
    Never,
    /// One is in some cycle.
    Reached,
    /// Neither was found within the limits.
    Open,
}

/// Lets ABC take steps in an existing folder; the first that decides counts.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn ask_in_steps(folder: &Path, steps: &str, patience: Patience) -> Result<Answer, ReplayError> {
    let Ok(log) = run_abc(folder, steps, patience)? else { return Ok(Answer::Open) };
    let decides = |line: &str| match (asserted(line).is_some(), is_proved(line)) {
        (true, _) => Some(Answer::Reached),
        (_, true) => Some(Answer::Never),
        _ => None,
    };
    Ok(log.lines().find_map(decides).unwrap_or(Answer::Open))
}

/// Whether ABC shows that the one output of a circuit without latches, in a file of an existing
/// folder, is never true. Where the SAT solver does not decide soon, gates that are equal are
/// merged from the inputs on, for a difference that goes no further than a few gates.
///
/// # Errors
/// As [`ask_in_steps`].
pub fn is_never(folder: &Path, file: &str, patience: Patience) -> Result<bool, ReplayError> {
    let says = |log: &str, answer| log.lines().any(|line: &str| line.starts_with(answer));
    let steps = format!("read_aiger {file}; strash; dsat -C {CONFLICTS}");
    let log = match run_abc(folder, &steps, patience)? {
        Ok(log) if says(&log, "UNDECIDED") => {
            let patience = Patience { seconds: MERGE_SECONDS, ..patience };
            run_abc(folder, &format!("read_aiger {file}; strash; iprove"), patience)?
        }
        log => log,
    };
    Ok(log.is_ok_and(|log| says(&log, "UNSATISFIABLE")))
}

/// What ABC prints, or the limit that it reached.
fn run_abc(
    folder: &Path,
    steps: &str,
    patience: Patience,
) -> Result<Result<String, Undecided>, ReplayError> {
    match run_until("yosys-abc", &["-c", steps], folder, patience) {
        Ok(Finished { success: true, log }) => Ok(Ok(log)),
        Ok(Finished { log, .. }) => Err(ReplayError::Rejected { tool: "yosys-abc", log }),
        Err(error) => Undecided::at_limit(error).map(Err),
    }
}

/// The counter-example, where the log says that there is one.
fn example(folder: &Path, log: &str) -> Result<Option<Cycles>, ReplayError> {
    if !log.lines().any(|line| asserted(line).is_some()) {
        return Ok(None);
    }
    let text = read_file(&folder.join("example.txt"))?;
    // The first line is the state in the beginning, which is all zero.
    let lines = text.lines().skip(1).map(|line| line.split('#').next().unwrap_or("").trim());
    let cycles = lines.filter(|line| !line.is_empty());
    Ok(Some(cycles.map(|line| line.bytes().map(|bit| bit == b'1').collect()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_abc_are_understood() {
        let line = "Output 2 was asserted in frame  4 (solved 2 out of 5 outputs).";
        assert_eq!(asserted(line), Some((2, 4)));
        let line = "Output 0 of miter \"b\" was asserted in frame 3. Time =     0.02 sec";
        assert_eq!(asserted(line), Some((0, 3)));
        assert_eq!(asserted("No output asserted in 4 frames."), None);
        let none = "No output asserted in 4 frames. Resource limit reached";
        assert_eq!((held(none), searched(none)), (Some(4), Some(4)));
        let some = "Some outputs are SAT (1 out of 20) after 6 frames.   Time =     1.03 sec";
        assert_eq!((held(some), searched(some)), (None, Some(6)));
    }
}
