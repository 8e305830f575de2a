//! The flag that ends a run early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::RegressError;

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

    /// The flag of this process that the first Ctrl-C raises; then it prints `said` if there is
    /// anything to say. The second one ends the process at once with status 130; a journal keeps
    /// what is finished.
    ///
    /// # Errors
    /// [`RegressError::Signal`] when the operating system refuses a handler.
    pub fn on_ctrl_c(said: Option<&'static str>) -> Result<Self, RegressError> {
        // A process can install one handler only, so that all callers share its flag.
        static INSTALLED: Mutex<Option<StopFlag>> = Mutex::new(None);
        let mut installed = INSTALLED.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(flag) = &*installed {
            return Ok(flag.clone());
        }
        let flag = Self::new();
        let seen = flag.clone();
        // Not `try_set_handler`: it fails in background jobs, which start with the signal ignored.
        ctrlc::set_handler(move || {
            if seen.is_raised() {
                std::process::exit(i32::from(super::ExitStatus::Interrupted.code()));
            }
            seen.raise();
            if let Some(said) = said {
                eprintln!("{said}");
            }
        })?;
        *installed = Some(flag.clone());
        Ok(flag)
    }
}
