//! Both factors on the CPU, tile by tile, rounded where the kernels round.

/// Numbers along a side of a tile.
pub const TILE: usize = 16;

/// Takes a matrix of `size` by `size` numbers apart.
pub fn factors(matrix: &[f32], size: usize) -> Vec<f32> {
    let mut of = matrix.to_vec();
    for first in (0..size).step_by(TILE) {
        let behind = first + TILE;
        let of_tile = |row: usize, column: usize| row < behind || column < behind;
        for row in first..size {
            for column in (first..size).filter(|&column| of_tile(row, column)) {
                // Neither a row of the upper factor nor a column of the lower one depends on more.
                let mut value = of[row * size + column];
                for k in first..row.min(column) {
                    value = (-of[row * size + k]).mul_add(of[k * size + column], value);
                }
                if column < row {
                    value /= of[column * size + column];
                }
                of[row * size + column] = value;
            }
        }
        for row in behind..size {
            for column in behind..size {
                let product =
                    |sum: f32, k: usize| of[row * size + k].mul_add(of[k * size + column], sum);
                let sum = (first..behind).fold(0.0, product);
                of[row * size + column] -= sum;
            }
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_of_both_factors_is_the_matrix() {
        let size = 3 * TILE;
        let number = |at: usize| {
            let (row, column) = (at / size, at % size);
            if row == column {
                40.0
            } else {
                (at * 31 % 17) as f32 / 8.0 - 1.0
            }
        };
        let matrix: Vec<f32> = (0..size * size).map(number).collect();
        let of = factors(&matrix, size);
        for row in 0..size {
            for column in 0..size {
                let lower = |k: usize| if k == row { 1.0 } else { f64::from(of[row * size + k]) };
                let upper = |k: usize| f64::from(of[k * size + column]);
                let product: f64 = (0..=row.min(column)).map(|k| lower(k) * upper(k)).sum();
                let expected = f64::from(matrix[row * size + column]);
                assert!((product - expected).abs() < 1e-4, "{row} {column}: {product}");
            }
        }
    }
}
