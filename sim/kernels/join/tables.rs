//! The tables, and their join computed plainly.

use blockyard_contract::diagnostic::InputError;

use super::JoinOptions;
use crate::draw::Draw;
use crate::options::MAX_COUNT;

/// `join.keys=gaussian`.
const GAUSSIAN: u32 = 1;

/// Uniform numbers whose mean stands for a Gaussian one: an Irwin-Hall distribution, the same on
/// every machine.
const SUMMED: u64 = 8;

/// A table in order of its keys.
pub(super) struct Table {
    pub keys: Vec<u32>,
    /// Of each row what the join puts into the result.
    pub values: Vec<u32>,
}

impl Table {
    /// One of `rows` rows.
    pub fn drawn(options: &JoinOptions, rows: u32, draw: &mut Draw) -> Self {
        let mut keys: Vec<u32> = (0..rows).map(|_| key(options, draw)).collect();
        keys.sort_unstable();
        Self { keys, values: draw.words(rows) }
    }
}

fn key(options: &JoinOptions, draw: &mut Draw) -> u32 {
    if options.keys != GAUSSIAN {
        return draw.below(options.distinct);
    }
    let sum: u64 = (0..SUMMED).map(|_| u64::from(draw.word())).sum();
    ((sum / SUMMED * u64::from(options.distinct)) >> 32) as u32
}

/// For each row of `left` the rows of `right` that match.
///
/// # Errors
/// When they are more than an array may have.
pub(super) fn matches(left: &Table, right: &Table) -> Result<Vec<(u32, u32)>, InputError> {
    let (mut begin, mut end, mut pairs) = (0, 0, 0);
    let row = |&key: &u32| {
        begin += right.keys[begin..].iter().take_while(|&&other| other < key).count();
        end = end.max(begin);
        end += right.keys[end..].iter().take_while(|&&other| other == key).count();
        pairs += (end - begin) as u64;
        (begin as u32, (end - begin) as u32)
    };
    let rows = left.keys.iter().map(row).collect();
    if pairs <= u64::from(MAX_COUNT) {
        return Ok(rows);
    }
    let message = format!("the join has {pairs} pairs, more than {MAX_COUNT}");
    Err(InputError::new(message).help("raise join.distinct, or lower join.left or join.right"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(keys: &[u32]) -> Table {
        Table { keys: keys.to_vec(), values: vec![0; keys.len()] }
    }

    #[test]
    fn a_row_matches_all_rows_of_its_key_and_no_others() {
        let found = matches(&table(&[0, 2, 2, 3, 9]), &table(&[1, 2, 2, 2, 3, 8]));
        assert_eq!(found.expect("few"), [(0, 0), (1, 3), (1, 3), (4, 1), (6, 0)]);
        assert_eq!(matches(&table(&[5, 5]), &table(&[])).expect("none"), [(0, 0), (0, 0)]);
    }

    #[test]
    fn a_result_larger_than_an_array_is_refused() {
        let [most, more] = [1 << 13, (1 << 13) + 1].map(|rows| table(&vec![4; rows]));
        assert!(matches(&most, &most).is_ok());
        let message = matches(&most, &more).expect_err("too many").to_string();
        assert_eq!(message, "the join has 67117056 pairs, more than 67108864");
    }

    #[test]
    fn gaussian_keys_gather_around_the_middle_and_uniform_ones_do_not() {
        let outer = |keys| {
            let options = JoinOptions { keys, distinct: 1000, ..JoinOptions::default() };
            let table = Table::drawn(&options, 10_000, &mut Draw::new(3));
            assert!(table.keys.is_sorted() && table.keys.iter().all(|&key| key < 1000));
            table.keys.iter().filter(|&&key| !(250..750).contains(&key)).count()
        };
        // The deviation of the mean of eight is 0.102 of the width: 2.4 of them are 250 keys.
        assert!((4500..5500).contains(&outer(0)) && (50..300).contains(&outer(GAUSSIAN)));
    }
}
