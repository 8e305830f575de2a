//! What is seen while a soak runs: failures at once, and how far it is now and then.

use super::super::progress::{line, Progress, Silent};
use super::super::{CaseResult, Verdict};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two lines that say how far it is.
const PERIOD: Duration = Duration::from_secs(60);

/// Lines on standard error, or nothing.
pub fn of(quiet: bool) -> Box<dyn Progress> {
    match quiet {
        true => Box::new(Silent),
        false => Box::new(Now::new(std::io::stderr())),
    }
}

/// See the module.
struct Now<W>(Mutex<State<W>>);

struct State<W> {
    writer: W,
    begun: Instant,
    said: Instant,
    cases: u64,
    failed: u64,
    cycles: u64,
}

impl<W: Write + Send> Now<W> {
    fn new(writer: W) -> Self {
        let now = Instant::now();
        let (cases, failed, cycles) = (0, 0, 0);
        Self(Mutex::new(State { writer, begun: now, said: now, cases, failed, cycles }))
    }

    fn with(&self, tell: impl FnOnce(&mut State<W>)) {
        tell(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<W: Write + Send> Progress for Now<W> {
    fn begin(&self, _total: usize, resumed: usize) {
        self.with(|state| {
            if resumed > 0 {
                // Nobody may be reading; the results do not depend on it. So below.
                let _ = writeln!(state.writer, "{resumed} results from the journal");
            }
        });
    }

    fn started(&self, _full_id: &str) {}

    fn finished(&self, result: &CaseResult) {
        self.with(|state| {
            state.cases += 1;
            state.cycles += result.outcome.cycles;
            if let Verdict::Failed { .. } = result.outcome.verdict {
                state.failed += 1;
                let _ = writeln!(state.writer, "{}", line(result));
            }
            if state.said.elapsed() >= PERIOD {
                state.said = Instant::now();
                let minutes = state.begun.elapsed().as_secs() / 60;
                let State { writer, cases, failed, cycles, .. } = state;
                let _ = writeln!(
                    writer,
                    "{minutes} min: {cases} cases, {cycles} cycles, {failed} failed"
                );
            }
            let _ = state.writer.flush();
        });
    }

    fn end(&self) {}
}
