//! Making one run.

use super::figures::figures;
use super::plan::Planned;
use super::row::Row;
use crate::budget::Budget;
use crate::regress::{catch, StopFlag};
use crate::session::SessionError;
use blockyard_sim::block_log::BlockLog;
use blockyard_sim::run::observer::{Observer, Observers};
use miette::{miette, Report, Result};
use std::collections::BTreeMap;

impl Planned {
    /// Makes the run. Nothing is left of one that `stop` cut off; one that fails says why.
    ///
    /// # Errors
    /// What it keeps of its blocks cannot be written.
    pub fn perform(&self, stop: &StopFlag) -> Result<Option<Row>> {
        let mut blocks = self.blocks.as_ref().map(|_| BlockLog::new(Vec::new()));
        let result = catch(|| self.figures(stop, blocks.as_mut()));
        let (figures, failure) = match result {
            Ok(Ok(Some(figures))) => {
                if let (Some(path), Some(log)) = (&self.blocks, blocks) {
                    log.write(path, "")?;
                }
                (figures, None)
            }
            Ok(Ok(None)) => return Ok(None),
            Ok(Err(report)) => (BTreeMap::new(), Some(one_line(&report))),
            Err(panic) => (BTreeMap::new(), Some(panic)),
        };
        let Self { run, axes, command, .. } = self.clone();
        Ok(Some(Row { run, axes, command, figures, failure }))
    }

    fn figures(
        &self,
        stop: &StopFlag,
        blocks: Option<&mut BlockLog<Vec<u8>>>,
    ) -> Result<Option<BTreeMap<String, f64>>> {
        let session = self.spec.session()?;
        let watched = blocks.into_iter().map(|log| log as &mut dyn Observer).collect();
        let report = match session.run_watched(None, stop, &mut Observers(watched)) {
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
    let text = match report.help() {
        Some(help) => format!("{report}: {help}"),
        None => report.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
