//! What a paper found, beside what is found here: the list `effects` of `reproduce --json`.

use serde::Serialize;

/// The name under which [`Effect::benchmark`] has the mean over all benchmarks.
pub const MEAN: &str = "mean";

/// The unit of what is measured by something else.
pub const RATIO: &str = "ratio";

/// One figure of one benchmark, or the mean over all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Where the paper has it: `Fig. 9`.
    pub figure: &'static str,
    /// What is measured: `ipc`.
    pub what: &'static str,
    /// The scheduler, without parameters unless it is they that are compared.
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
    /// What was set in its run and not in others, and by a sweep; `None` if nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

impl Effect {
    /// The mean over flat runs of `policy`, of which nothing is known yet.
    pub fn flat(
        figure: &'static str,
        what: &'static str,
        policy: &'static str,
        unit: &'static str,
    ) -> Self {
        Self {
            figure,
            what,
            policy,
            launch: "flat",
            benchmark: MEAN.to_owned(),
            paper: None,
            ours: None,
            unit,
            base: None,
            set: None,
        }
    }
}

/// The mean of those that are there: of ratios the geometric one, which DTBL's averages of
/// speed-ups are consistent with (1.21 of flat by 1.40 of CDP is its 1 / 1.16), of all else the
/// arithmetic one.
pub fn mean(unit: &str, values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().flatten().collect();
    let average = |values: &mut dyn Iterator<Item = f64>, count: usize| {
        (count > 0).then(|| values.sum::<f64>() / count as f64)
    };
    if unit == RATIO {
        average(&mut values.iter().map(|value| value.ln()), values.len()).map(f64::exp)
    } else {
        average(&mut values.iter().copied(), values.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_what_was_measured() {
        assert_eq!(mean("points", [Some(1.0), None, Some(3.0)]), Some(2.0));
        assert_eq!(mean("points", [None, None]), None);
        assert_eq!(mean(RATIO, [None]), None);
    }

    #[test]
    fn twice_as_fast_and_half_as_fast_are_as_fast_on_the_mean() {
        let mean = mean(RATIO, [Some(2.0), Some(0.5)]).expect("two values");
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }
}
