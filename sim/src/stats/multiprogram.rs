//! Metrics of programs that run together: STP and ANTT (Eyerman and Eeckhout, IEEE Micro 2008) and
//! StrictF (Vandierendonck and Seznec, CAL 2011), as the SRTF paper takes them (section 6).

use serde::Serialize;

/// Throughput, turnaround and fairness of a workload, or their geometric means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Multiprogram {
    /// System throughput: the sum of the programs' speeds by those alone. Higher is better.
    pub stp: f64,
    /// Average normalised turnaround time: the mean slowdown. Lower is better.
    pub antt: f64,
    /// StrictF: the smallest slowdown by the largest one, 1 when all are equal.
    pub fairness: f64,
}

impl Multiprogram {
    /// The metrics of programs with these slowdowns: turnaround time together by run time alone.
    /// `None` without any, or when one is not positive.
    pub fn of(slowdowns: &[f64]) -> Option<Self> {
        let least = slowdowns.iter().copied().reduce(f64::min)?;
        let most = slowdowns.iter().copied().reduce(f64::max)?;
        (least > 0.0).then(|| Self {
            stp: slowdowns.iter().map(|slowdown| 1.0 / slowdown).sum(),
            antt: slowdowns.iter().sum::<f64>() / slowdowns.len() as f64,
            fairness: least / most,
        })
    }

    /// The geometric mean of each metric over workloads; `None` without any.
    pub fn geometric_mean(all: &[Self]) -> Option<Self> {
        let mean = |of: fn(&Self) -> f64| {
            (all.iter().map(|each| of(each).ln()).sum::<f64>() / all.len() as f64).exp()
        };
        (!all.is_empty()).then(|| Self {
            stp: mean(|each| each.stp),
            antt: mean(|each| each.antt),
            fairness: mean(|each| each.fairness),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_programs_one_after_the_other_have_the_figures_of_section_5() {
        // T1 = 100, T2 = 300: the second one takes (T1 + T2) / T2.
        let metrics = Multiprogram::of(&[1.0, 4.0 / 3.0]).unwrap();
        assert!((metrics.stp - 1.75).abs() < 1e-12);
        assert!((metrics.antt - 7.0 / 6.0).abs() < 1e-12);
        assert!((metrics.fairness - 0.75).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_metrics_and_a_mean_of_equals_is_each_of_them() {
        assert_eq!(Multiprogram::of(&[]), None);
        assert_eq!(Multiprogram::of(&[0.0, 1.0]), None);
        assert_eq!(Multiprogram::geometric_mean(&[]), None);
        let one = Multiprogram::of(&[1.0, 1.0]).unwrap();
        assert_eq!(one, Multiprogram { stp: 2.0, antt: 1.0, fairness: 1.0 });
        let mean = Multiprogram::geometric_mean(&[
            Multiprogram { stp: 1.0, antt: 2.0, fairness: 0.5 },
            Multiprogram { stp: 4.0, antt: 8.0, fairness: 0.125 },
        ]);
        let mean = mean.unwrap();
        assert!((mean.stp - 2.0).abs() < 1e-12 && (mean.antt - 4.0).abs() < 1e-12);
        assert!((mean.fairness - 0.25).abs() < 1e-12);
    }
}
