//! What a paper found, beside what is found here: the list `effects` of `reproduce --json`.

use serde::Serialize;

/// The name under which [`Effect::benchmark`] has the mean over all benchmarks.
pub const MEAN: &str = "mean";

/// One figure of one benchmark, or the mean over all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Where the paper has it: `Fig. 9`.
    pub figure: &'static str,
    /// What is measured: `ipc`.
    pub what: &'static str,
    /// The scheduler, without parameters.
    pub policy: &'static str,
    /// `flat`, `cdp`, `dtbl`, `cdp-ideal` or `dtbl-ideal`.
    pub launch: &'static str,
    /// The benchmark with its input, or [`MEAN`].
    pub benchmark: String,
    /// What the paper states, if it does.
    pub paper: Option<f64>,
    /// What is found here; `None` where there is nothing to measure.
    pub ours: Option<f64>,
    /// The unit of both: `ratio`, `points` (of percent), `percent`, or what is counted.
    pub unit: &'static str,
    /// What a ratio, or points, are relative to, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<&'static str>,
    /// The setting of a sweep under which it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

/// The arithmetic mean of those that are there, as the papers' averages are.
pub fn mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().flatten().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_what_was_measured() {
        assert_eq!(mean([Some(1.0), None, Some(3.0)]), Some(2.0));
        assert_eq!(mean([None, None]), None);
    }
}
