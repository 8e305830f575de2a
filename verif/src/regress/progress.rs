//! What is seen while a suite runs.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{CaseResult, Verdict};

/// Told about cases by the worker threads, as they start and finish.
pub trait Progress: Sync {
    /// The run begins: `total` cases, of which `resumed` are already in the journal.
    fn begin(&self, total: usize, resumed: usize);
    /// A case starts.
    fn started(&self, full_id: &str);
    /// A case is finished, and in the journal.
    fn finished(&self, result: &CaseResult);
    /// No more cases run.
    fn end(&self);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _total: usize, _resumed: usize) {}
    fn started(&self, _full_id: &str) {}
    fn finished(&self, _result: &CaseResult) {}
    fn end(&self) {}
}

/// One line a finished case, flushed at once: for logs.
#[derive(Debug)]
pub struct Lines<W>(Mutex<LinesState<W>>);

#[derive(Debug)]
struct LinesState<W> {
    writer: W,
    finished: usize,
    total: usize,
}

impl<W: Write + Send> Lines<W> {
    /// Lines to `writer`.
    pub fn new(writer: W) -> Self {
        Self(Mutex::new(LinesState { writer, finished: 0, total: 0 }))
    }

    /// The writer, with all lines written.
    pub fn into_inner(self) -> W {
        let state = self.0.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).writer
    }
}

impl<W: Write + Send> Progress for Lines<W> {
    fn begin(&self, total: usize, resumed: usize) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.total = total;
        state.finished = resumed;
        if resumed > 0 {
            // Nobody may be reading; the results do not depend on it. So below.
            let _ = writeln!(state.writer, "[{resumed}/{total}] from the journal");
            let _ = state.writer.flush();
        }
    }

    fn started(&self, _full_id: &str) {}

    fn finished(&self, result: &CaseResult) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if result.outcome.verdict != Verdict::NotRun {
            state.finished += 1;
        }
        let count = format!("[{}/{}]", state.finished, state.total);
        let _ = writeln!(state.writer, "{count} {}", line(result));
        let _ = state.writer.flush();
    }

    fn end(&self) {}
}

/// A bar on the terminal (standard error), with a line for each failure.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that appears when the run begins.
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{elapsed} [{bar:30}] {pos}/{len} {wide_msg}");
        let bar = ProgressBar::hidden();
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }
}

impl Default for Bar {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress for Bar {
    fn begin(&self, total: usize, resumed: usize) {
        self.0.set_length(total as u64);
        self.0.set_position(resumed as u64);
        self.0.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        self.0.enable_steady_tick(Duration::from_secs(1));
    }

    fn started(&self, full_id: &str) {
        self.0.set_message(full_id.to_owned());
    }

    fn finished(&self, result: &CaseResult) {
        match result.outcome.verdict {
            Verdict::NotRun => return,
            Verdict::Failed { .. } => self.0.println(line(result)),
            Verdict::Passed | Verdict::Skipped(_) => {}
        }
        self.0.inc(1);
    }

    fn end(&self) {
        self.0.finish_and_clear();
    }
}

/// A bar if standard error is a terminal, else lines on standard error.
pub fn for_stderr() -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::new(std::io::stderr()))
    }
}

/// A finished case in a line.
pub(super) fn line(result: &CaseResult) -> String {
    let mut line = format!(
        "{:7} {}  {} cycles  {:.2} s",
        result.word(),
        result.full_id(),
        result.outcome.cycles,
        result.time.as_secs_f64()
    );
    if !result.cause().is_empty() {
        line.push_str("  ");
        line.push_str(result.cause());
    }
    line
}
