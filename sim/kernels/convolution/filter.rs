//! The filter on the CPU, rounded where the kernels round.

/// Points on both sides that a point takes something from.
pub const RADIUS: usize = 8;

/// Its coefficients.
pub type Filter = [f32; 2 * RADIUS + 1];

/// Each of `points` with what is beside it; beyond them all is zero.
fn line(points: &[f32], filter: &Filter) -> Vec<f32> {
    let point = |at: usize| {
        let weighted = filter.iter().enumerate().map(|(k, weight)| {
            let other = (at + k).checked_sub(RADIUS).and_then(|other| points.get(other));
            (weight, other.copied().unwrap_or(0.0))
        });
        weighted.fold(0.0_f32, |sum, (weight, value)| weight.mul_add(value, sum))
    };
    (0..points.len()).map(point).collect()
}

/// All rows of a picture of `width`.
pub fn rows(picture: &[f32], width: usize, filter: &Filter) -> Vec<f32> {
    picture.chunks(width.max(1)).flat_map(|row| line(row, filter)).collect()
}

/// All columns.
pub fn columns(picture: &[f32], width: usize, filter: &Filter) -> Vec<f32> {
    let mut filtered = picture.to_vec();
    for x in 0..width {
        let column: Vec<f32> = picture.iter().skip(x).step_by(width).copied().collect();
        let here = filtered.iter_mut().skip(x).step_by(width);
        here.zip(line(&column, filter)).for_each(|(point, value)| *point = value);
    }
    filtered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_spreads_as_the_filter_says_and_not_beyond_the_picture() {
        let filter: Filter = std::array::from_fn(|k| k as f32 + 1.0);
        let mut picture = vec![0.0; 12];
        picture[1] = 1.0;
        // A point takes the coefficient of how far that one is from it, the later the larger.
        let spread = [10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0, 0.0];
        assert_eq!(rows(&picture, 12, &filter), spread);
        assert_eq!(columns(&picture, 1, &filter), spread);
        // In rows of three, column 1 has it at the top.
        let columns = columns(&picture, 3, &filter);
        assert_eq!([columns[1], columns[4], columns[0]], [9.0, 8.0, 0.0]);
    }
}
