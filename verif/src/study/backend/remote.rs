//! On a cluster.

use super::array::{self, stop_file, Array};
use super::{Backend, Cluster, Work};
use crate::study::journal::parse;
use crate::study::row::Row;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::output::unwritable;
use miette::{miette, Result};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Between two looks for finished runs.
const GATHERED: Duration = Duration::from_millis(200);

/// What tasks that are told to end are given for it, before nobody waits for them any more.
const ENDING: Duration = Duration::from_secs(5);

/// Most tasks unless the runs of one are given: Slurm takes no more at once.
const MOST_TASKS: usize = 1000;

/// Submissions in a row that may bring nothing.
const PATIENCE: u32 = 2;

/// See the module.
pub struct Remote<'a> {
    /// Who runs the tasks.
    pub cluster: &'a dyn Cluster,
    /// A folder that all machines see, for the files of tasks.
    pub folder: PathBuf,
    /// Runs of a task; as many as make [`MOST_TASKS`] tasks of all runs if it is `None`.
    pub per_task: Option<NonZeroUsize>,
}

impl Backend for Remote<'_> {
    fn make(&self, work: &Work<'_>) -> Result<()> {
        let finished = RefCell::new(HashSet::new());
        let gatherer = Gatherer { folder: &self.folder, read: RefCell::default() };
        let gather = || {
            gatherer.new_rows(&mut |row| {
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
                return Err(self.lost(open.len(), number));
            }
            let per_task = self.per_task.map_or(open.len().div_ceil(MOST_TASKS), usize::from);
            let folder = self.folder.join(number.to_string());
            let array = Array::new(folder, work.plan, &open, per_task)?;
            self.run(&array, work, &gather)?;
            let left = open.iter().filter(|place| is_open(place)).count();
            in_vain = if left == open.len() { in_vain + 1 } else { 0 };
        }
        if !work.stop.is_raised() {
            // All that is in there is in the journal by now.
            let _ = fs::remove_dir_all(&self.folder);
        }
        Ok(())
    }
}

impl Remote<'_> {
    /// Submits `array` and gathers until it is over, or stopped.
    fn run(&self, array: &Array, work: &Work<'_>, gather: &dyn Fn() -> Result<()>) -> Result<()> {
        let mut submitted = self.start(array)?;
        let mut stopped: Option<Instant> = None;
        let over = loop {
            if let Err(error) = gather() {
                end(&array.folder)?;
                break Err(error);
            }
            match submitted.try_wait() {
                Ok(None) => {}
                Ok(Some(_)) => break Ok(()),
                Err(error) => {
                    break Err(miette!("cannot wait for {}: {error}", self.cluster.name()))
                }
            }
            if work.stop.is_raised() {
                if stopped.is_none() {
                    end(&array.folder)?;
                }
                if stopped.get_or_insert_with(Instant::now).elapsed() > ENDING {
                    break Ok(());
                }
            }
            std::thread::sleep(GATHERED);
        };
        // It has ended, or nobody is interested in it any more.
        let _ = submitted.kill();
        let _ = submitted.wait();
        gather()?;
        over
    }

    fn start(&self, array: &Array) -> Result<Child> {
        let path = said(&array.folder);
        let log = File::create(&path).map_err(|error| unwritable(&path, &error))?;
        let both = log.try_clone().map_err(|error| unwritable(&path, &error))?;
        let mut command = self.cluster.submit(array);
        command.stdin(Stdio::null()).stdout(log).stderr(both);
        // Ctrl-C is for the study, which lets the tasks end.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(|error| {
            let program = command.get_program().to_string_lossy().into_owned();
            miette!(
                help = format!("docs/studies.md says what --on {} needs", self.cluster.name()),
                "cannot start {program}: {error}"
            )
        })
    }

    /// The complaint that nothing comes.
    fn lost(&self, runs: usize, submissions: usize) -> miette::Report {
        let folder = self.folder.join(submissions.saturating_sub(1).to_string());
        let words = fs::read_to_string(said(&folder)).unwrap_or_default();
        let last = words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        miette!(
            help = format!("{} has what it said; --resume makes the others", folder.display()),
            "{} ended with {runs} runs not made: {last}",
            self.cluster.name()
        )
    }
}

/// What a cluster says of an array.
fn said(folder: &Path) -> PathBuf {
    folder.join("submitted.log")
}

/// Lets the tasks of the array in `folder` end.
fn end(folder: &Path) -> Result<()> {
    let path = stop_file(folder);
    File::create(&path).map_err(|error| unwritable(&path, &error))?;
    Ok(())
}

fn subfolders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> =
        entries(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

/// What is in `folder`; nothing if it is not there.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = |error| InputError::file("read", folder, &error);
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(read(error).into()),
        Ok(entries) => {
            let paths = entries.map(|entry| Ok(entry.map_err(read)?.path()));
            paths.collect()
        }
    }
}

/// Reads what tasks have finished, as it comes.
struct Gatherer<'a> {
    folder: &'a Path,
    /// How far each file was read, in bytes.
    read: RefCell<HashMap<PathBuf, u64>>,
}

impl Gatherer<'_> {
    /// Shows `keep` the rows that were not there the last time.
    fn new_rows(&self, keep: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        for folder in subfolders(self.folder)? {
            for path in entries(&folder)? {
                if path.to_string_lossy().ends_with(array::FINISHED) {
                    self.new_rows_of(&path, keep)?;
                }
            }
        }
        Ok(())
    }

    fn new_rows_of(&self, path: &Path, keep: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let mut read = self.read.borrow_mut();
        let from = read.get(path).copied().unwrap_or(0);
        let mut text = Vec::new();
        let mut rest = || -> std::io::Result<()> {
            if fs::metadata(path)?.len() > from {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(from))?;
                file.read_to_end(&mut text)?;
            }
            Ok(())
        };
        rest().map_err(|error| InputError::file("read", path, &error))?;
        // A line without its end is still written.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        for line in String::from_utf8_lossy(&text[..whole]).lines() {
            keep(parse(path, 1, line)?)?;
        }
        read.insert(path.to_owned(), from + whole as u64);
        Ok(())
    }
}
