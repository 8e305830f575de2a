//! How far a run is, on a terminal, if it takes long.

use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::observer::{DispatchedBlock, EnteredKernel, Observer};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A shorter run shows nothing.
const SHORT: Duration = Duration::from_secs(2);

/// Between two drawings.
const REDRAWN: Duration = Duration::from_millis(250);

/// What a run has done so far.
#[derive(Debug, Default)]
struct Counts {
    cycles: AtomicU64,
    kernels: AtomicU64,
    blocks: AtomicU64,
}

impl Counts {
    /// After `elapsed`, on a line.
    fn line(&self, elapsed: Duration) -> String {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let cycles = count(&self.cycles);
        let rate = cycles as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        format!(
            "{} s  {} cycles  {} kernels  {} blocks  {} cycles a second",
            elapsed.as_secs(),
            HumanCount(cycles),
            HumanCount(count(&self.kernels)),
            HumanCount(count(&self.blocks)),
            HumanCount(rate as u64)
        )
    }
}

/// Watches a run, and shows cycles, kernels that have entered, blocks dispatched and the rate; the
/// line goes when this is dropped.
pub struct RunProgress {
    counts: Arc<Counts>,
    /// Ends the drawing, and who draws.
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl RunProgress {
    /// On standard error, where that is a terminal and it is `wanted`; else it shows nothing.
    pub fn on_stderr(wanted: bool) -> Self {
        let counts = Arc::new(Counts::default());
        let seen = Arc::clone(&counts);
        let drawing = (wanted && std::io::stderr().is_terminal()).then(|| {
            let (end, ended) = mpsc::channel();
            let draw = move || {
                let start = Instant::now();
                if ended.recv_timeout(SHORT) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                line.set_style(
                    indicatif::ProgressStyle::with_template("{wide_msg}").expect("a template"),
                );
                while ended.recv_timeout(REDRAWN) == Err(RecvTimeoutError::Timeout) {
                    line.set_message(seen.line(start.elapsed()));
                    line.tick();
                }
                line.finish_and_clear();
            };
            (end, thread::spawn(draw))
        });
        Self { counts, drawing }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        if let Some((end, drawing)) = self.drawing.take() {
            drop(end);
            // Whatever became of it, the run is what matters.
            let _ = drawing.join();
        }
    }
}

impl Observer for RunProgress {
    fn cycle(&mut self, cycle: u64, _inputs: &Inputs, _outputs: &Outputs) -> ControlFlow<()> {
        self.counts.cycles.store(cycle, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    fn entered(&mut self, _kernel: &EnteredKernel<'_>) {
        self.counts.kernels.fetch_add(1, Ordering::Relaxed);
    }

    fn dispatched(&mut self, _block: &DispatchedBlock<'_>) {
        self.counts.blocks.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_cycles_kernels_blocks_and_the_rate_since_the_start() {
        let counts = Counts::default();
        counts.cycles.store(3_000_000, Ordering::Relaxed);
        counts.kernels.store(12, Ordering::Relaxed);
        counts.blocks.store(1_234, Ordering::Relaxed);
        assert_eq!(
            counts.line(Duration::from_secs(2)),
            "2 s  3,000,000 cycles  12 kernels  1,234 blocks  1,500,000 cycles a second"
        );
        // Nothing divides by no time.
        assert!(Counts::default().line(Duration::ZERO).ends_with("0 cycles a second"));
    }
}
