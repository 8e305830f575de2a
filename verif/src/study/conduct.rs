//! A study from its plan to its table.

use super::backend::{Backend, Work};
use super::journal::Journal;
use super::ledger::Ledger;
use super::plan::Plan;
use super::search::{Runs, Tried};
use super::{folder, pool, Header, Row, Study};
use crate::regress::{case_seed, FolderLock, StopFlag};
use blockyard_sim::output::{unwritable, write_file};
use miette::Result;
use std::path::Path;

/// How a study is conducted.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its folder, which is made.
    pub folder: &'a Path,
    /// Whether it goes on with the runs in the folder.
    pub resume: bool,
    /// Where runs are made.
    pub backend: &'a dyn Backend,
    /// Ends it early; what is finished is kept.
    pub stop: &'a StopFlag,
}

/// What a study gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its header.
    pub header: Header,
    /// Its finished runs in its order, with speed-ups.
    pub rows: Vec<Row>,
    /// The candidates that its search has tried, the best one first.
    pub tried: Vec<Tried>,
    /// Whether it was stopped before all of its runs were made.
    pub stopped: bool,
}

/// Makes the runs of `study`, and leaves its folder.
///
/// # Errors
/// A folder that cannot be used or is that of another study, or a backend that fails.
pub fn conduct(study: &Study, plan: &Plan, options: &Options<'_>) -> Result<Ended> {
    let Options { name, folder, resume, backend, stop } = *options;
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let _lock = FolderLock::take(folder)?;
    if !resume {
        // What tasks of another study have left would be taken for that of this one.
        let _ = std::fs::remove_dir_all(folder::parts_folder(folder));
        let _ = std::fs::remove_dir_all(folder::blocks_folder(folder));
    }
    if study.blocks {
        let blocks = folder::blocks_folder(folder);
        std::fs::create_dir_all(&blocks).map_err(|error| unwritable(&blocks, &error))?;
    }
    let mut ids: String = plan.runs.iter().map(|planned| planned.run.as_str()).collect();
    if study.blocks {
        // Runs whose blocks were not kept are not those that are wanted.
        ids += "blocks";
    }
    let runs = format!("{:08x}", case_seed(0, &ids));
    let header = Header::new(study, name, runs, plan.inputs());
    let (journal, finished) = Journal::open(folder::journal_file(folder), &header, resume)?;
    write_file(&folder::study_file(folder), |out| out.write_all(study.source.text.as_bytes()))?;
    let ledger = Ledger::new(plan, &header, folder::table_file(folder), journal, finished);
    let make = |wanted: &[usize]| -> Result<()> {
        let open = ledger.open(wanted);
        let bar = pool::bar(wanted.len());
        bar.set_position((wanted.len() - open.len()) as u64);
        let keep = |row: Row| {
            bar.inc(1);
            ledger.keep(row)
        };
        let made = backend.make(&Work { plan: &plan.runs, open: &open, keep: &keep, stop });
        bar.finish_and_clear();
        made
    };
    let all: Vec<usize> = (0..plan.runs.len()).collect();
    let made = match &study.search {
        None => make(&all).map(|()| Vec::new()),
        Some(search) => {
            let row = |place| ledger.row(place);
            search.run(&study.axes, &Runs { plan, row: &row, make: &make, stop })
        }
    };
    // Whatever went wrong, the table is of what there is.
    let rows = ledger.close();
    let tried = made?;
    let stopped = stop.is_raised() && (study.search.is_some() || !ledger.open(&all).is_empty());
    Ok(Ended { rows: rows?, tried, stopped, header: header.clone() })
}
