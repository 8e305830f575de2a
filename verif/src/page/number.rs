//! Numbers as people read them.

use crate::budget::thousands;

/// Whole numbers with their thousands apart, others with four digits that count.
pub fn shown(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    let size = value.abs();
    if !size.is_finite() {
        return value.to_string();
    }
    if size.fract() == 0.0 && size < 1e15 {
        return format!("{sign}{}", thousands(size as u64));
    }
    if !(1e-6..1e15).contains(&size) {
        return format!("{value:.3e}");
    }
    let digits = (3 - size.log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{size:.digits$}");
    match text.split_once('.') {
        None => format!("{sign}{}", text.parse().map_or(text, thousands)),
        Some(_) => format!("{sign}{}", text.trim_end_matches('0').trim_end_matches('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn four_digits_count_and_whole_numbers_are_whole() {
        let cases = [
            (0.0, "0"),
            (-1234567.0, "-1,234,567"),
            (1.0, "1"),
            (1.23456, "1.235"),
            (0.5, "0.5"),
            (-0.012345, "-0.01235"),
            (12345.6, "12,346"),
            (9.9999, "10"),
            (1.5e-9, "1.500e-9"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(shown(value), text, "{value:e}");
        }
    }
}
