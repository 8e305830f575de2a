//! Means over seeds, relative to the first scheduler, with confidence intervals.

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
    /// Mean of each run's figure by that of the first scheduler with the same seed; none where that is 0.
    pub ratio: Option<f64>,
    /// Half of the 95 % confidence interval of the ratio; none of a single run.
    pub ratio_interval: Option<f64>,
}

/// The figures `metrics` of schedulers with their runs, by seed; the others are relative to the first.
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
            let (mean, interval) = mean(&own);
            let (ratio, ratio_interval) = self::mean(&ratios);
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

/// The mean, and half of its 95 % confidence interval by Student's t.
fn mean(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    if values.len() < 2 {
        return (mean, None);
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    (mean, Some(student(values.len() - 1) * deviation / count.sqrt()))
}

/// The 97.5 % quantile of Student's t with so many degrees of freedom, from 1.
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
        2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739,
        2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
    ];
    // The normal quantile, and the first terms of its expansion (Abramowitz and Stegun, 26.7.5).
    let (z, n) = (1.959_964_f64, freedom as f64);
    let expanded = z
        + (z.powi(3) + z) / (4.0 * n)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
    TABLE.get(freedom - 1).copied().unwrap_or(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_students_t() {
        // 4.302653 (two degrees of freedom) times 1.527525 by the root of 3.
        let (average, interval) = mean(&[1.0, 2.0, 4.0]);
        assert!((average - 7.0 / 3.0).abs() < 1e-12);
        assert!((interval.expect("three values") - 3.794_58).abs() < 1e-4, "{interval:?}");
        assert_eq!(mean(&[5.0]), (5.0, None));
        assert_eq!(mean(&[5.0, 5.0]), (5.0, Some(0.0)));
    }

    #[test]
    fn the_quantile_goes_on_where_its_table_ends() {
        assert!((student(31) - 2.0395).abs() < 1e-4, "{}", student(31));
        assert!((student(100) - 1.9840).abs() < 1e-4, "{}", student(100));
        assert!(student(29) > student(30) && student(30) > student(31));
    }
}
