//! Making one run.

use super::figures::figures;
use super::plan::Planned;
use super::row::Row;
use crate::budget::Budget;
use crate::regress::{catch, StopFlag};
use crate::session::SessionError;
use miette::{miette, Report, Result};
use std::collections::BTreeMap;

impl Planned {
    /// Makes the run. Nothing is left of one that `stop` cut off; one that fails says why.
    pub fn perform(&self, stop: &StopFlag) -> Option<Row> {
        let result = catch(|| self.figures(stop));
        let (figures, failure) = match result {
            Ok(Ok(Some(figures))) => (figures, None),
            Ok(Ok(None)) => return None,
            Ok(Err(report)) => (BTreeMap::new(), Some(one_line(&report))),
            Err(panic) => (BTreeMap::new(), Some(panic)),
        };
        let Self { run, axes, command, .. } = self.clone();
        Some(Row { run, axes, command, figures, failure })
    }

    fn figures(&self, stop: &StopFlag) -> Result<Option<BTreeMap<String, f64>>> {
        let session = self.spec.session()?;
        let report = match session.run_until(None, stop) {
            Err(SessionError::Mismatch(found)) => {
                return Err(miette!("mismatch in cycle {}: {}", found.cycle, found.difference))
            }
            report => report?,
        };
        if report.stats.cut_off.is_some() {
            return Ok(None);
        }
        let mut figures = figures(&report);
        if self.storage {
            if let Some(bits) = self.storage_bits() {
                figures.insert("storage_bits".to_owned(), bits as f64);
            }
        }
        Ok(Some(figures))
    }

    /// The bits that the scheduler's hardware stores, if there is hardware for the run.
    pub fn storage_bits(&self) -> Option<u64> {
        let session = self.spec.session().ok()?;
        let budget = Budget::new(&session.scheduler, &session.gpu, session.launch).ok()?;
        Some(budget.total.bits)
    }
}

/// What went wrong, for a field of a table.
fn one_line(report: &Report) -> String {
    report.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
