//! Means over seeds, relative to the first scheduler, with confidence intervals.

use super::interval;
use super::row::Row;
use miette::{miette, Result};
use serde::Serialize;

/// A figure of a scheduler.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The scheduler.
    pub scheduler: String,
    /// The figure.
    pub metric: String,
    /// Runs, one a seed.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// Half of the 95 % confidence interval of the mean; none of a single run.
    pub interval: Option<f64>,
    /// Mean of each run's figure by that of the first scheduler with the same seed; none where that
    /// is 0.
    pub ratio: Option<f64>,
    /// Half of the 95 % confidence interval of the ratio; none of a single run.
    pub ratio_interval: Option<f64>,
}

/// The figures `metrics` of schedulers with their runs, by seed; the others are relative to the
/// first.
///
/// # Errors
/// A figure that a run has not.
pub fn compare(of: &[(&str, Vec<&Row>)], metrics: &[String]) -> Result<Vec<Comparison>> {
    let mut comparisons = Vec::new();
    for (scheduler, runs) in of {
        for metric in metrics {
            let own = values(runs, metric)?;
            let first = values(&of[0].1, metric)?;
            let ratios: Vec<f64> = own.iter().zip(&first).map(|(own, first)| own / first).collect();
            let defined = ratios.iter().all(|ratio| ratio.is_finite());
            let (mean, interval) = interval::mean(&own);
            let (ratio, ratio_interval) = interval::mean(&ratios);
            comparisons.push(Comparison {
                scheduler: (*scheduler).to_owned(),
                metric: metric.clone(),
                runs: own.len(),
                mean,
                interval,
                ratio: defined.then_some(ratio),
                ratio_interval: ratio_interval.filter(|_| defined),
            });
        }
    }
    Ok(comparisons)
}

fn values(runs: &[&Row], metric: &str) -> Result<Vec<f64>> {
    let value = |row: &&Row| {
        row.figures.get(metric).copied().ok_or_else(|| {
            let known: Vec<&str> = row.figures.keys().map(String::as_str).collect();
            miette!(
                help = format!("its figures are {}", known.join(", ")),
                "the run has no figure `{metric}`: {}",
                row.command
            )
        })
    };
    runs.iter().map(value).collect()
}
