//! What modules promise, proved: in `quick` the proofs that take moments, in `full` all.
//!
//! A case is a module in one size. It fails unless each promise is proved, and each cover point
//! reached.

use super::{without, Extent};
use crate::prove::{prove, Limits, Row};
use crate::regress::{Case, CaseContext, Outcome};
use crate::replay::Tool;
use blockyard_rtl::proofs::{proofs, Proof, Takes};

/// As a replay in Icarus, or as a whole run in Verilator.
const WEIGHTS: [u32; 2] = [40, 400];

/// Seconds for a proof, and memory of a process of Yosys or ABC.
const SECONDS: u64 = 600;
const MEBIBYTES: u64 = 4096;

/// See the module.
pub fn cases(extent: Extent) -> impl Iterator<Item = Case> {
    let wanted =
        proofs().into_iter().filter(move |proof| extent.whole || proof.takes == Takes::Moments);
    wanted.map(|proof| {
        let size = proof.size.replace(',', "").replace(' ', "_");
        let weight = WEIGHTS[usize::from(proof.takes > Takes::Moments)];
        Case::new(format!("prove/{}/{size}", proof.module), weight, move |context| {
            run(context, &proof)
        })
    })
}

fn run(context: &CaseContext<'_>, proof: &Proof) -> Outcome {
    if let Some(outcome) = without(&Tool::Abc.status()) {
        return outcome;
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

#[cfg(test)]
mod tests {
    use super::super::{FULL, QUICK};
    use super::*;
    use crate::regress::{StopFlag, Verdict};
    use crate::replay::ToolStatus;
    use std::cell::Cell;

    #[test]
    fn full_has_every_proof_and_quick_those_that_take_moments() {
        let ids = |extent| cases(extent).map(|case| case.id).collect::<Vec<_>>();
        let (quick, full) = (ids(QUICK), ids(FULL));
        assert_eq!(full.len(), proofs().len());
        assert_eq!(
            quick.len(),
            proofs().iter().filter(|proof| proof.takes == Takes::Moments).count()
        );
        assert!(quick.iter().all(|id| full.contains(id)) && quick.len() < full.len());
    }

    #[test]
    fn a_module_that_keeps_its_promises_passes() {
        let case = cases(QUICK).find(|case| case.id == "prove/kmu/pending_pool/2^32_places");
        let folder = tempfile::tempdir().expect("a folder");
        let context = CaseContext {
            seed: 1,
            out: folder.path().join("case"),
            shared: folder.path().join("shared"),
            command: String::new(),
            cycles: Cell::new(0),
            stop: &StopFlag::new(),
        };
        let outcome = (case.expect("it is there").run)(&context);
        match Tool::Abc.status() {
            ToolStatus::Found => assert_eq!(outcome, Outcome::passed(0)),
            ToolStatus::Skipped(_) => assert!(matches!(outcome.verdict, Verdict::Skipped(_))),
            ToolStatus::Required(_) => panic!("a build server has every tool"),
        }
    }
}
