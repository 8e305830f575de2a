//! What modules promise, proved: in `quick` the proofs that take seconds, in `full` all.
//!
//! A case is a module in one size. It fails unless each promise is proved, and each cover point
//! reached.

use super::Extent;
use crate::prove::{prove, Limits, Row};
use crate::regress::{Case, CaseContext, Outcome};
use crate::replay::{Tool, ToolStatus};
use blockyard_rtl::proofs::{proofs, Proof};

/// As a replay in Icarus, or as a whole run in Verilator.
const WEIGHTS: [u32; 2] = [40, 400];

/// Seconds for a proof, and memory of a process of Yosys or ABC.
const SECONDS: u64 = 600;
const MEBIBYTES: u64 = 4096;

/// See the module.
pub fn cases(extent: Extent) -> impl Iterator<Item = Case> {
    let wanted = proofs().into_iter().filter(move |proof| extent.whole || proof.quick);
    wanted.map(|proof| {
        let size = proof.size.replace(',', "").replace(' ', "_");
        let weight = WEIGHTS[usize::from(!proof.quick)];
        Case::new(format!("prove/{}/{size}", proof.module), weight, move |context| {
            run(context, &proof)
        })
    })
}

fn run(context: &CaseContext<'_>, proof: &Proof) -> Outcome {
    let status = Tool::Abc.status();
    match (&status, status.message()) {
        (ToolStatus::Skipped(_), Some(message)) => {
            return Outcome::skipped(message.trim_start_matches("skipped: "));
        }
        (_, Some(message)) => return Outcome::failed(message, 0),
        (_, None) => {}
    }
    let rows = context.make_out().map_err(|error| error.to_string()).and_then(|out| {
        let limits =
            Limits { seconds: SECONDS, mebibytes: MEBIBYTES, out, stop: Some(context.stop) };
        prove(proof, &out.join("files"), limits).map_err(|error| error.to_string())
    });
    let failed: Vec<String> = match rows {
        Err(_) if context.stop.is_raised() => return Outcome::not_run(),
        Err(error) => return Outcome::failed(error, 0),
        Ok(rows) => rows.iter().filter(|row| !row.is_decided()).map(described).collect(),
    };
    match failed.is_empty() {
        true => Outcome::passed(0),
        false => Outcome::failed(format!("a promise is not proved\n{}", failed.join("\n")), 0),
    }
}

fn described(row: &Row) -> String {
    format!("{}: {}", row.property, row.outcome)
}
