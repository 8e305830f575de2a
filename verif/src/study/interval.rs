//! How sure a mean over seeds is.

/// The mean, and half of its 95 % confidence interval by Student's t.
pub fn mean(values: &[f64]) -> (f64, Option<f64>) {
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
