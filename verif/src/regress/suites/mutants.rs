//! Faults in the hardware of schedulers: no family may have fewer of them found than what is kept.

use super::{without, Extent};
use crate::mutate::kept::{self, SAMPLE, SUITE_SEED};
use crate::mutate::{self, Fates, Score};
use crate::regress::{Case, CaseContext, Outcome};
use crate::replay::{ReplayError, Tool};

/// Heavier than all else: they begin first.
const WEIGHT: u32 = 100_000;

/// See the module; the quick suite has none.
pub fn cases(extent: Extent) -> Vec<Case> {
    if !extent.whole {
        return Vec::new();
    }
    let families = mutate::families(&mutate::designs(SUITE_SEED));
    let case = |family: &'static str| {
        Case::new(format!("mutate/{family}"), WEIGHT, move |context| run(context, family))
    };
    families.into_iter().map(case).collect()
}

fn run(context: &CaseContext<'_>, family: &'static str) -> Outcome {
    for status in [Tool::Abc.status(), Tool::Verilator.status()] {
        if let Some(outcome) = without(&status) {
            return outcome;
        }
    }
    let mut all = match fates(context, family) {
        Err(_) if context.stop.is_raised() => return Outcome::not_run(),
        Err(error) => return Outcome::failed(error.to_string(), 0),
        Ok(all) => all,
    };
    let mut wrong = kept::excuse(&mut all);
    wrong.extend(kept::below(&[(family, Score::of(&all))]));
    match wrong.is_empty() {
        true => Outcome::passed(0),
        false => {
            Outcome::failed(format!("faults are not found as before\n{}", wrong.join("\n")), 0)
        }
    }
}

fn fates(context: &CaseContext<'_>, family: &str) -> Result<Vec<Fates>, ReplayError> {
    let mut all = Vec::new();
    for design in mutate::designs(SUITE_SEED) {
        if design.family == family {
            let folder = crate::replay::scratch()?;
            all.push(design.run(SAMPLE, folder.path(), context.stop)?);
        }
    }
    Ok(all)
}
