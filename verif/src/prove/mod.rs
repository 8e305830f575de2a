//! Proofs of what modules promise, by Yosys and ABC on the exported Verilog.
//!
//! ```text
//!   rtl/src/proofs.rs --> [export with properties] --> Yosys --> [aiger] --> yosys-abc --> rows of a table
//!                                                        |                      | counter-example
//!                                                        +--> names of bits --> [trace] --> VCD, table of cycles
//! ```
//!
//! [`faults`] turns the question round: every property has to be refuted on a module with a fault.

pub(crate) mod abc;
pub(crate) mod aiger;
pub mod faults;
mod faulty;
pub(crate) mod model;
mod names;
mod row;
mod table;
mod trace;

use crate::regress::StopFlag;
use crate::replay::{Patience, ReplayError};
use blockyard_rtl::proofs::{proofs, Engine, Proof};
use blockyard_rtl::property::Kind;
use model::Model;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use row::{Cause, Outcome, Row, Undecided};
pub use table::{json, markdown, table};

/// How long a proof may take and how much, and where what it finds is left.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// For each module and size, its cover points aside.
    pub seconds: u64,
    /// For each process of a tool.
    pub mebibytes: u64,
    /// Counter-examples go to folders of this one.
    pub out: &'a Path,
    /// Ends everything when it is raised.
    pub stop: Option<&'a StopFlag>,
}

/// The proofs of the modules that are named (all without a name) whose properties have `filter` in
/// their names.
pub fn selected(module: Option<&str>, filter: Option<&str>) -> Vec<Proof> {
    let mut all = proofs();
    all.retain(|proof| module.is_none_or(|module| proof.module == module));
    all.retain(|proof| {
        filter.is_none_or(|filter| {
            claims(proof).iter().any(|(name, _)| full_name(proof, name).contains(filter))
        })
    });
    all
}

/// `prim/fifo: order`.
fn full_name(proof: &Proof, property: &str) -> String {
    format!("{}: {property}", proof.module)
}

/// What has to hold in every cycle.
const PROMISES: [Kind; 3] = [Kind::Assert, Kind::Invariant, Kind::Ghost];

/// What is to be shown of a module, by name.
fn claims(proof: &Proof) -> Vec<(String, Kind)> {
    let properties = proof.build().properties().properties;
    let shown = properties.into_iter().filter(|property| property.kind != Kind::Assume);
    shown.map(|property| (property.name, property.kind)).collect()
}

/// The names of those that are of these kinds.
fn names(claims: &[(String, Kind)], kinds: &[Kind]) -> Vec<String> {
    let of_kind = claims.iter().filter(|(_, kind)| kinds.contains(kind));
    of_kind.map(|(name, _)| name.clone()).collect()
}

/// The names of what has to hold in every cycle.
pub(crate) fn promises(proof: &Proof) -> Vec<String> {
    names(&claims(proof), &PROMISES)
}

/// Proves the properties of one module in one size: a row each, in their order. Files go below
/// `folder`.
///
/// # Errors
/// When the module cannot be exported or a tool fails; that a time limit is reached is no error.
pub fn prove(proof: &Proof, folder: &Path, limits: Limits) -> Result<Vec<Row>, ReplayError> {
    let begin = Instant::now();
    let claims = claims(proof);
    let (promises, covers) = (names(&claims, &PROMISES), names(&claims, &[Kind::Cover]));
    let model = match Model::new(proof, folder, limits.patience(begin)) {
        Ok(model) => Ok(model),
        Err(error) => Err(Undecided::at_limit(error)?),
    };
    let found = match &model {
        Ok(model) => abc::decide(model, &promises, proof.engine, begin, limits)?,
        Err(undecided) => abc::Found::nothing(proof.engine, undecided.clone()),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let row = |property: &str, kind, seconds, outcome| Row {
        property: property.to_owned(),
        kind,
        module: proof.module.to_owned(),
        size: proof.size.to_owned(),
        engine: found.engine.clone(),
        seconds,
        outcome,
    };
    let refuted = match (&model, &found.example) {
        (Ok(model), Some(example)) => {
            let place = folder_of(proof, limits.out);
            Some((trace::write_files(model, example, &promises, &place)?, example.len(), place))
        }
        _ => None,
    };
    let mut rows = Vec::new();
    for (name, kind) in &claims {
        let outcome = match (&refuted, kind) {
            (_, Kind::Cover | Kind::Assume) => continue,
            (Some((failed, cycles, trace)), _) if failed.contains(name) => {
                Outcome::Refuted { cycles: *cycles, trace: trace.clone() }
            }
            (Some(_), _) => Outcome::Undecided(Undecided {
                cause: Cause::Refuted,
                why: "another one is".to_owned(),
            }),
            (None, _) => found.outcome.clone(),
        };
        rows.push(row(name, *kind, seconds, outcome));
    }
    let begin = Instant::now();
    let reached = match &model {
        Ok(model) => abc::reached(model, &covers, limits)?,
        Err(undecided) => vec![Outcome::Undecided(undecided.clone()); covers.len()],
    };
    let seconds = begin.elapsed().as_secs_f64();
    for (name, outcome) in covers.iter().zip(reached) {
        rows.push(Row { engine: "bmc".to_owned(), ..row(name, Kind::Cover, seconds, outcome) });
    }
    Ok(rows)
}

/// Where the counter-example of a proof goes.
fn folder_of(proof: &Proof, out: &Path) -> PathBuf {
    let name = format!("{} {}", proof.module, proof.size);
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    out.join(name.chars().map(plain).collect::<String>())
}

impl<'a> Limits<'a> {
    /// What is left of the time since `begin`.
    pub(crate) fn patience(&self, begin: Instant) -> Patience<'a> {
        let seconds = self.seconds.saturating_sub(begin.elapsed().as_secs()).max(1);
        self.for_seconds(seconds)
    }

    /// So many seconds.
    fn for_seconds(&self, seconds: u64) -> Patience<'a> {
        Patience { seconds, mebibytes: Some(self.mebibytes), stop: self.stop }
    }
}

/// A word for an engine, with its depth.
fn engine_name(engine: Engine) -> String {
    match engine {
        Engine::Induction(depth) => format!("induction, k = {depth}"),
        Engine::Pdr => "pdr".to_owned(),
        Engine::Bounded(_) => "bmc".to_owned(),
    }
}
