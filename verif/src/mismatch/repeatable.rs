//! Runs of which a report can be made.

use crate::engine::Tap;
use crate::regress::StopFlag;
use crate::session::Session;
use crate::waves::Dumped;

/// A run of twin and hardware that is the same every time.
pub trait Repeatable {
    /// Whose ports are dumped.
    fn dumped(&self) -> Dumped<'_>;

    /// Runs it until it ends, `tap` has seen enough of a difference, or `stop` is raised; however
    /// it ends, `tap` knows.
    fn repeat(&self, tap: Box<dyn Tap>, stop: &StopFlag);
}

impl Repeatable for Session {
    fn dumped(&self) -> Dumped<'_> {
        self.into()
    }

    fn repeat(&self, tap: Box<dyn Tap>, stop: &StopFlag) {
        let _ = self.run_until(Some(tap), stop);
    }
}
