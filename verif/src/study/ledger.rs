//! The finished runs of a study while it is conducted: in the journal, and in the table.

use super::header::Header;
use super::journal::Journal;
use super::plan::Plan;
use super::row::Row;
use super::{baseline, table};
use miette::Result;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two times that the table is written while runs finish.
const WRITTEN: Duration = Duration::from_secs(1);

/// See the module.
pub struct Ledger<'a> {
    header: &'a Header,
    table: PathBuf,
    journal: Journal,
    /// The place in the plan of each run.
    places: HashMap<&'a str, usize>,
    state: Mutex<State>,
}

struct State {
    /// By their places in the plan.
    rows: Vec<Option<Row>>,
    /// When the table was written.
    written: Instant,
}

impl<'a> Ledger<'a> {
    /// That of the runs of `plan`, of which some are `finished`; further ones go to `journal`.
    pub fn new(
        plan: &'a Plan,
        header: &'a Header,
        table: PathBuf,
        journal: Journal,
        finished: Vec<Row>,
    ) -> Self {
        let runs = plan.runs.iter().map(|planned| planned.run.as_str());
        let places: HashMap<&str, usize> = runs.zip(0..).collect();
        let mut rows = vec![None; plan.runs.len()];
        for row in finished {
            if let Some(&place) = places.get(row.run.as_str()) {
                rows[place] = Some(row);
            }
        }
        let state = Mutex::new(State { rows, written: Instant::now() });
        Self { header, table, journal, places, state }
    }

    /// Those of the runs at `wanted` that are not finished.
    pub fn open(&self, wanted: &[usize]) -> Vec<usize> {
        let state = self.state();
        wanted.iter().copied().filter(|&place| state.rows[place].is_none()).collect()
    }

    /// The finished run at a place.
    pub fn row(&self, place: usize) -> Option<Row> {
        self.state().rows[place].clone()
    }

    /// Keeps a finished run, unless it is kept already; the table follows.
    ///
    /// # Errors
    /// When the journal or the table cannot be written.
    pub fn keep(&self, row: Row) -> Result<()> {
        let mut state = self.state();
        let Some(&place) = self.places.get(row.run.as_str()) else { return Ok(()) };
        if state.rows[place].is_some() {
            return Ok(());
        }
        self.journal.keep(&row)?;
        state.rows[place] = Some(row);
        if state.written.elapsed() > WRITTEN {
            self.write(&mut state)?;
        }
        Ok(())
    }

    /// Writes the table; its rows.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn close(&self) -> Result<Vec<Row>> {
        self.write(&mut self.state())
    }

    fn write(&self, state: &mut State) -> Result<Vec<Row>> {
        let mut rows: Vec<Row> = state.rows.iter().flatten().cloned().collect();
        baseline::compare(&self.header.baseline, &mut rows);
        table::write(&self.table, self.header, &rows)?;
        state.written = Instant::now();
        Ok(rows)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
