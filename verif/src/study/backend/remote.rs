//! On a cluster.

use super::task::{plan_file, FINISHED};
use super::{Backend, Range, Work};
use crate::cluster::{end, said, subfolders, submit, Array, Cluster, Gatherer, PATIENCE};
use crate::study::journal::parse;
use crate::study::row::Row;
use blockyard_sim::output::{unwritable, write_file};
use miette::{miette, Result};
use std::cell::RefCell;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Most tasks unless the runs of one are given: Slurm takes no more at once.
const MOST_TASKS: usize = 1000;

/// See the module.
pub struct Remote<'a> {
    /// Who runs the tasks.
    pub cluster: &'a dyn Cluster,
    /// A folder that all machines see, for the files of tasks.
    pub folder: PathBuf,
    /// Runs of a task; as many as make 1000 tasks of all runs if it is `None`.
    pub per_task: Option<NonZeroUsize>,
}

impl Backend for Remote<'_> {
    fn make(&self, work: &Work<'_>) -> Result<()> {
        let finished = RefCell::new(HashSet::new());
        let gatherer = RefCell::new(Gatherer::default());
        let gather = || {
            gatherer.borrow_mut().new_lines(&self.folder, FINISHED, &mut |path, line| {
                let row: Row = parse(path, 1, line)?;
                finished.borrow_mut().insert(row.run.clone());
                (work.keep)(row)
            })
        };
        // Of an earlier study that was killed: its tasks end, and what they have finished is kept.
        let older = subfolders(&self.folder)?;
        older.iter().try_for_each(|folder| end(folder))?;
        gather()?;
        let mut in_vain = 0;
        for number in older.len().. {
            let is_open = |place: &usize| !finished.borrow().contains(&work.plan[*place].run);
            let open: Vec<usize> = work.open.iter().copied().filter(is_open).collect();
            if open.is_empty() || work.stop.is_raised() {
                break;
            }
            if in_vain == PATIENCE {
                return Err(self.lost(open.len(), number - 1));
            }
            submit(self.cluster, &self.array(number, work, &open)?, work.stop, &gather)?;
            let left = open.iter().filter(|place| is_open(place)).count();
            in_vain = if left == open.len() { in_vain + 1 } else { 0 };
        }
        if !work.stop.is_raised() {
            // All that is in there is in the journal by now.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        Ok(())
    }
}

impl Remote<'_> {
    /// Tasks for the runs at `open`, with their plan beside them.
    fn array(&self, number: usize, work: &Work<'_>, open: &[usize]) -> Result<Array> {
        let folder = self.folder(number);
        std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
        let folder = std::path::absolute(&folder).map_err(|error| unwritable(&folder, &error))?;
        write_file(&plan_file(&folder), |out| {
            for &place in open {
                serde_json::to_writer(&mut *out, &work.plan[place])?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?;
        let per_task = self.per_task.map_or(open.len().div_ceil(MOST_TASKS), usize::from);
        let firsts = (0..open.len()).step_by(per_task);
        let range = |from| Range { from, to: (from + per_task).min(open.len()) - 1 };
        let tasks = firsts.map(|from| range(from).to_string()).collect();
        let words = ["study".to_owned(), "task".to_owned(), folder.display().to_string()];
        Ok(Array::new(&folder, words.into(), tasks)?)
    }

    fn folder(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    /// The complaint that nothing comes.
    fn lost(&self, runs: usize, number: usize) -> miette::Report {
        let folder = self.folder(number);
        miette!(
            help = format!("{} has what it said; --resume makes the others", folder.display()),
            "{} ended with {runs} runs not made: {}",
            self.cluster.name(),
            said(&folder)
        )
    }
}
