//! The flag that ends a run early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::RegressError;
use crate::replay::exit_with_groups;

/// What Ctrl-C is answered where cases run.
pub(super) const CASES_FINISH: &str =
    "stopping when the running cases are finished; Ctrl-C again ends at once";

/// Once raised, no further case starts; the running ones finish and keep their results.
/// Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag, for good.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag of this process that the first Ctrl-C or `SIGTERM` raises; then it prints `said` if
    /// there is anything to say. The second one ends the process at once with status 130, and the
    /// tools that it runs; a journal keeps what is finished.
    ///
    /// # Errors
    /// [`RegressError::Signal`] when the operating system refuses a handler.
    pub fn on_ctrl_c(said: Option<&'static str>) -> Result<Self, RegressError> {
        let mut installed = installed();
        if let Some(flag) = &*installed {
            return Ok(flag.clone());
        }
        let flag = Self::new();
        let seen = flag.clone();
        on_signals(move || {
            if seen.is_raised() {
                exit_with_groups(super::ExitStatus::Interrupted.code().into());
            }
            seen.raise();
            if let Some(said) = said {
                eprintln!("{said}");
            }
        })
        .map_err(RegressError::Signal)?;
        *installed = Some(flag.clone());
        Ok(flag)
    }

    /// Whether this process has such a flag.
    pub fn is_installed() -> bool {
        installed().is_some()
    }
}

/// A process can install one handler only, so that all callers share its flag.
fn installed() -> MutexGuard<'static, Option<StopFlag>> {
    static INSTALLED: Mutex<Option<StopFlag>> = Mutex::new(None);
    INSTALLED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `handle`, in a thread of its own, for each Ctrl-C and `SIGTERM`, even where they were
/// ignored, as in background jobs. `SIGHUP` keeps its meaning, or none under `nohup`.
#[cfg(unix)]
fn on_signals(mut handle: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let wait = move || signals.forever().for_each(|_| handle());
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

#[cfg(not(unix))]
fn on_signals(handle: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    ctrlc::set_handler(handle).map_err(std::io::Error::other)
}
