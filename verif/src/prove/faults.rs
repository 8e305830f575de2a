//! Whether properties can fail: each has to be refuted by a fault of the module.
//!
//! A fault is a bit of one of the module's signals, at any depth, that is stuck at 0 or at 1 or is
//! inverted. All are in one circuit, in which the engine chooses one.

use super::aiger::value;
use super::faulty::{Fault, Faulty, Wrong};
use super::model::Model;
use super::row::Undecided;
use super::{abc, claims, Limits};
use crate::replay::ReplayError;
use blockyard_rtl::proofs::Proof;
use blockyard_rtl::property::{Helper, Kind, Properties};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;
use std::time::Instant;

/// Cycles in which a fault has to show, that of the reset included: queues of four fill and empty
/// in them.
const CYCLES: usize = 14;

/// What came of the faults for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This fault refutes it in this cycle.
    Refuted(String, usize),
    /// So many faults do not, in 14 cycles.
    Survives(usize),
    /// A limit came first.
    Undecided(Undecided),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Refuted(fault, cycle) => write!(f, "refuted in cycle {cycle} by {fault}"),
            Fate::Survives(faults) => {
                write!(f, "SURVIVES each of {faults} faults for {CYCLES} cycles")
            }
            Fate::Undecided(undecided) => undecided.fmt(f),
        }
    }
}

/// A property and its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The property.
    pub property: String,
    /// Its fate.
    pub fate: Fate,
}

/// Looks for a fault of the module for each of its promises, in their order; not for what is of
/// ghosts alone. Files go below `folder`.
///
/// # Errors
/// When the module cannot be exported, or a tool cannot be run or is stopped.
pub fn hunt(proof: &Proof, folder: &Path, limits: Limits) -> Result<Vec<Verdict>, ReplayError> {
    let begin = Instant::now();
    let promises =
        claims(proof).into_iter().filter(|(_, kind)| !matches!(kind, Kind::Cover | Kind::Ghost));
    let promises: Vec<String> = promises.map(|(name, _)| name).collect();
    let verdicts = |fate: &dyn Fn(&str) -> Fate| {
        let verdict =
            |property: &String| Verdict { property: property.clone(), fate: fate(property) };
        promises.iter().map(verdict).collect()
    };
    let model = match Model::apart(proof, folder, limits.patience(begin)) {
        Ok(model) => model,
        Err(error) => {
            let limit = Undecided::at_limit(error)?;
            return Ok(verdicts(&|_| Fate::Undecided(limit.clone())));
        }
    };
    let (names, faults): (Vec<String>, Vec<Fault>) =
        faults(&model, &proof.build().properties()).into_iter().unzip();
    let faulty = Faulty::new(&model.aiger, &faults);
    let fails = |name: &str| faulty.literal(model.holds(name)) ^ 1;
    let mut refuted: BTreeMap<&str, (String, usize)> = BTreeMap::new();
    let mut rest = Fate::Survives(faults.len());
    let mut open: Vec<&str> = promises.iter().map(String::as_str).collect();
    // Each counter-example takes out what it breaks.
    while !open.is_empty() {
        let bad: Vec<u32> = open.iter().map(|name| fails(name)).collect();
        let patience = limits.patience(begin);
        let cycles = match abc::counter_example(folder, &faulty.aiger, &bad, CYCLES, patience)? {
            Ok(Some(cycles)) => cycles,
            Ok(None) => break,
            Err(limit) => {
                rest = Fate::Undecided(limit);
                break;
            }
        };
        let values = faulty.aiger.simulate(&cycles);
        let last = values.last().map(Vec::as_slice).unwrap_or_default();
        let fault = names.get(faulty.chosen(&cycles)).map_or("no fault at all", String::as_str);
        let (broken, kept): (Vec<&str>, Vec<&str>) =
            open.into_iter().partition(|name| value(last, fails(name)));
        if broken.is_empty() {
            let log = "its counter-example breaks nothing".to_owned();
            return Err(ReplayError::Rejected { tool: "yosys-abc", log });
        }
        for name in broken {
            refuted.insert(name, (fault.to_owned(), cycles.len() - 1));
        }
        open = kept;
    }
    Ok(verdicts(&|name| match refuted.get(name) {
        Some((fault, cycle)) => Fate::Refuted(fault.clone(), *cycle),
        None => rest.clone(),
    }))
}

/// The lowest and the highest bit of each signal of the module, with each of the faults, and their
/// names. Inputs are left out, and what ghosts and properties compute: where one of them only names
/// a bit of a signal, as equal gates are apart, the bit is that of the module.
fn faults(model: &Model, properties: &Properties) -> Vec<(String, Fault)> {
    let is_ghost = |name: &str| {
        let helper = properties.helpers.iter().find(|(helper, _)| helper == name);
        helper.is_some_and(|(_, helper)| !matches!(helper, Helper::Inner { .. }))
            || ["holds$", "reached$", "properties$"].iter().any(|of| name.starts_with(of))
    };
    let variables = |bits: &[Option<u32>]| -> Vec<(usize, u32)> {
        let bits = bits.iter().enumerate();
        bits.filter_map(|(bit, literal)| literal.map(|literal| (bit, literal / 2))).collect()
    };
    let mut known: HashSet<u32> = HashSet::new();
    let mut faults = Vec::new();
    for (name, bits) in model.signals.iter().filter(|(name, _)| !is_ghost(name)) {
        let bits = variables(bits);
        let ends = [bits.first(), bits.last()];
        for &(bit, variable) in ends.into_iter().flatten() {
            if variable as usize <= model.aiger.inputs || !known.insert(variable) {
                continue;
            }
            for (wrong, word) in [
                (Wrong::Zero, "stuck at 0"),
                (Wrong::One, "stuck at 1"),
                (Wrong::Inverted, "inverted"),
            ] {
                faults.push((format!("`{name}[{bit}]` {word}"), Fault { variable, wrong }));
            }
        }
    }
    faults
}
