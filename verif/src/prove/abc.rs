//! What ABC is asked, and what its answers mean.

use super::model::Model;
use super::row::Outcome;
use super::{engine_name, Limits};
use crate::replay::{run_until, write_file as write, Patience, ReplayError};
use blockyard_rtl::proofs::Engine;
use std::time::Instant;

/// Cycles in which a counter-example is looked for where induction does not succeed.
const SEARCHED: usize = 40;

/// Cycles in which a cover point is looked for, and for how many seconds.
const COVERED: (usize, u64) = (60, 30);

/// What was found of all properties of a module.
pub struct Found {
    /// What decided.
    pub engine: String,
    /// What holds for all that are not refuted.
    pub outcome: Outcome,
    /// The inputs of each cycle of a counter-example, that of the reset first.
    pub example: Option<Vec<Vec<bool>>>,
}

impl Found {
    /// Where Yosys did not end in time.
    pub fn late(engine: Engine, seconds: u64) -> Self {
        let why = format!("Yosys does not end in {seconds} s");
        Self { engine: engine_name(engine), outcome: Outcome::Undecided { why }, example: None }
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
    limits: Limits,
) -> Result<Found, ReplayError> {
    let broken: Vec<u32> = promises.iter().map(|name| model.holds(name) ^ 1).collect();
    write(&model.folder.join("promises.aig"), model.aiger.write(&broken))?;
    let begin = Instant::now();
    let found = |engine, outcome, example| Ok(Found { engine, outcome, example });
    let name = engine_name(engine);
    // One cycle more than the depth: the fold of what is assumed is a cycle late.
    let steps = match engine {
        Engine::Induction(depth) => format!("bmc3 -F {}; CEX; ind -F {depth}", depth + 2),
        Engine::Pdr => format!("dc2; pdr -T {}; CEX", limits.seconds),
        Engine::Bounded(depth) => format!("bmc3 -F {depth} -T {}; CEX", limits.seconds),
    };
    let Some(log) = ask(model, "promises.aig", &steps, limits.patience(begin))? else {
        return search(model, engine, begin, limits);
    };
    if let Some(example) = example(model, &log)? {
        return found(name, Outcome::Proved, Some(example));
    }
    if log.contains("Property proved") || log.contains("Networks are equivalent") {
        return found(name, Outcome::Proved, None);
    }
    match (engine, held(&log)) {
        (Engine::Bounded(depth), Some(held)) if held >= depth => {
            found(name, Outcome::Bounded { depth: held }, None)
        }
        _ => search(model, engine, begin, limits),
    }
}

/// Where there is no proof: a counter-example, or how far there is none.
fn search(
    model: &Model,
    engine: Engine,
    begin: Instant,
    limits: Limits,
) -> Result<Found, ReplayError> {
    let patience = limits.patience(begin);
    // ABC's own limit leaves it the time to say how far it came.
    let steps = format!("bmc3 -F {SEARCHED} -T {}; CEX", patience.seconds);
    let patience = Patience { seconds: patience.seconds + 10, ..patience };
    let log = ask(model, "promises.aig", &steps, patience)?.unwrap_or_default();
    let example = example(model, &log)?;
    let held = held(&log).unwrap_or(0);
    let why = match engine {
        Engine::Induction(_) => "the induction does not succeed",
        Engine::Pdr | Engine::Bounded(_) => "time is up",
    };
    let seconds = begin.elapsed().as_secs();
    let why = format!("{why} in {seconds} s; no failure in {held} cycles");
    Ok(Found { engine: engine_name(engine), outcome: Outcome::Undecided { why }, example })
}

/// The cycle in which each cover point is reached first, if it is.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn reached(
    model: &Model,
    covers: &[String],
    limits: Limits,
) -> Result<Vec<Option<usize>>, ReplayError> {
    let literals: Vec<u32> = covers.iter().map(|name| model.reached(name)).collect();
    first_cycles(model, "covers.aig", &literals, COVERED, limits)
}

/// The first cycle in which each of these promises is broken, if it is within so many cycles and seconds.
///
/// # Errors
/// When ABC cannot be run, or is stopped.
pub fn broken(
    model: &Model,
    promises: &[String],
    within: (usize, u64),
    limits: Limits,
) -> Result<Vec<Option<usize>>, ReplayError> {
    let literals: Vec<u32> = promises.iter().map(|name| model.holds(name) ^ 1).collect();
    first_cycles(model, "broken.aig", &literals, within, limits)
}

/// The first cycle in which each of these literals is true.
fn first_cycles(
    model: &Model,
    file: &str,
    literals: &[u32],
    (cycles, seconds): (usize, u64),
    limits: Limits,
) -> Result<Vec<Option<usize>>, ReplayError> {
    let mut first = vec![None; literals.len()];
    if literals.is_empty() {
        return Ok(first);
    }
    write(&model.folder.join(file), model.aiger.write(literals))?;
    let steps = format!("read_aiger {file}; fold; bmc3 -a -F {cycles} -T {seconds}");
    let patience = Patience { seconds: seconds + 10, stop: limits.stop };
    for line in run_abc(model, &steps, patience)?.unwrap_or_default().lines() {
        if let Some((output, frame)) = asserted(line) {
            if let Some(first) = first.get_mut(output) {
                first.get_or_insert(frame);
            }
        }
    }
    Ok(first)
}

/// `Output 2 was asserted in frame 4`, with or without the name of the circuit.
fn asserted(line: &str) -> Option<(usize, usize)> {
    let (before, after) = line.split_once("asserted in frame")?;
    let number = |text: &str| text.split_whitespace().next()?.trim_end_matches('.').parse().ok();
    Some((number(before.split_once("Output ")?.1)?, number(after)?))
}

/// The cycles in which bounded model checking found no failure.
fn held(log: &str) -> Option<usize> {
    let line = log.lines().find_map(|line| line.split_once("No output asserted in "))?.1;
    line.split_whitespace().next()?.parse().ok()
}

fn ask(
    model: &Model,
    file: &str,
    steps: &str,
    patience: Patience,
) -> Result<Option<String>, ReplayError> {
    let _ = std::fs::remove_file(model.folder.join("example.txt"));
    let steps = steps.replace("CEX", "write_cex -a example.txt");
    run_abc(model, &format!("read_aiger {file}; fold; orpos; strash; {steps}"), patience)
}

/// What ABC prints; nothing where its time is up.
fn run_abc(model: &Model, steps: &str, patience: Patience) -> Result<Option<String>, ReplayError> {
    match run_until("yosys-abc", &["-c", steps], &model.folder, patience) {
        Ok(finished) => Ok(Some(finished.log)),
        Err(ReplayError::Timeout { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The counter-example, where the log says that there is one.
fn example(model: &Model, log: &str) -> Result<Option<Vec<Vec<bool>>>, ReplayError> {
    if !log.lines().any(|line| asserted(line).is_some()) {
        return Ok(None);
    }
    let path = model.folder.join("example.txt");
    let text = std::fs::read_to_string(&path).map_err(|source| ReplayError::Io {
        what: format!("reading {}", path.display()),
        source,
    })?;
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
        assert_eq!(held("No output asserted in 4 frames. Resource limit reached"), Some(4));
    }
}
