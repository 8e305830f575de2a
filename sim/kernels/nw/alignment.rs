//! The table of scores on the CPU, row by row.

/// What a gap of one letter costs.
pub const PENALTY: i32 = 10;

/// The best scores of so many letters of the first and of the second sequence, from 0 on, where
/// `similar` has a row for each letter of the first of two sequences of `length`.
pub fn scores(similar: &[i32], length: usize) -> Vec<i32> {
    let mut above: Vec<i32> = (0..=length as i32).map(|gaps| -PENALTY * gaps).collect();
    let mut table = above.clone();
    for row in 0..length {
        let mut here = vec![-PENALTY * (row as i32 + 1)];
        for column in 0..length {
            let both = above[column] + similar[row * length + column];
            let gap = above[column + 1].max(here[column]) - PENALTY;
            here.push(both.max(gap));
        }
        table.extend(&here);
        above = here;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two texts whose letters are 6 like themselves, and -4 like others.
    fn score(rows: &str, columns: &str) -> i32 {
        let letters = |row| columns.chars().map(move |column| if row == column { 6 } else { -4 });
        let similar: Vec<i32> = rows.chars().flat_map(letters).collect();
        *scores(&similar, rows.len()).last().expect("of nothing, zero")
    }

    #[test]
    fn the_best_alignment_has_gaps_where_they_are_worth_it() {
        assert_eq!(score("", ""), 0);
        assert_eq!(score("GATTACA", "GATTACA"), 42);
        assert_eq!(score("GATTACA", "GATTTCA"), 32);
        // Six letters match behind a gap on both sides.
        assert_eq!(score("GATTACA", "ATTACAG"), 16);
    }
}
