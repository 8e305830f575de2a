//! Tasks that are submitted at once.

use crate::regress::StopFlag;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::output::{unwritable, write_file};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Between two looks at whether a task is to end.
const LOOKED: Duration = Duration::from_millis(500);

/// Each task is `blockyard WORDS... TASK`.
#[derive(Clone, Debug)]
pub struct Array {
    /// A folder that all machines see: for what tasks say, and the file that lets them end.
    pub folder: PathBuf,
    /// What the commands of all tasks have.
    pub words: Vec<String>,
    /// The last word of each.
    pub tasks: Vec<String>,
}

impl Array {
    /// An array with its files in `folder`, which is made.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(folder: &Path, words: Vec<String>, tasks: Vec<String>) -> Result<Self, InputError> {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        let folder = std::path::absolute(folder).map_err(|error| unwritable(folder, &error))?;
        let array = Self { folder, words, tasks };
        write_file(&array.tasks_file(), |out| {
            array.tasks.iter().try_for_each(|task| writeln!(out, "{task}"))
        })?;
        Ok(array)
    }

    /// The last words of its tasks, a line each.
    pub fn tasks_file(&self) -> PathBuf {
        self.folder.join("tasks")
    }
}

/// As soon as it is there, an array's tasks end.
pub(super) fn stop_file(folder: &Path) -> PathBuf {
    folder.join("stop")
}

/// Does `work`, a task of the array in `folder`; raises `stop` when its tasks are to end.
pub fn ends_with<T>(folder: &Path, stop: &StopFlag, work: impl FnOnce() -> T) -> T {
    let file = stop_file(folder);
    let (over, is_over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_over.recv_timeout(LOOKED) == Err(RecvTimeoutError::Timeout) {
                if file.exists() {
                    stop.raise();
                }
            }
        });
        let done = work();
        drop(over);
        done
    })
}
