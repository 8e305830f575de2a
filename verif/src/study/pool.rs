//! Runs on the cores of this machine.

use crate::regress::StopFlag;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::{miette, Result};
use rayon::prelude::*;
use std::time::Duration;

/// Does `work` for each of `items`, `jobs` at once or one on each core, until it fails or `stop` is
/// raised; what it gives, in their order, as far as it came.
///
/// # Errors
/// The first error of `work`, or threads that cannot be started.
pub fn for_each<T: Sync, R: Send>(
    items: &[T],
    jobs: Option<usize>,
    stop: &StopFlag,
    work: &(dyn Fn(&T) -> Result<R> + Sync),
) -> Result<Vec<R>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
    let pool = pool.map_err(|error| miette!("cannot start threads: {error}"))?;
    let run = |item| (!stop.is_raised()).then(|| work(item));
    pool.install(|| items.par_iter().with_max_len(1).filter_map(run).collect())
}

/// Finished runs and the time that is left, on standard error if that is a terminal.
pub fn bar(runs: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed} [{bar:30}] {pos}/{len} runs, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(runs as u64), ProgressDrawTarget::stderr());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
