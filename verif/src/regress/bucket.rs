//! Failures that have the same cause.

use super::{CaseResult, RegressReport, Verdict};

/// The failures that share the first line of their message, but for ids, seeds and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket<'a> {
    /// The first line of the message; where they differ, with `#` for what differs from case to
    /// case.
    pub cause: String,
    /// The failures, in the order of the suite; never empty.
    pub results: Vec<&'a CaseResult>,
}

/// The failures of a report by cause: the largest bucket first, then in the order of the suite.
pub fn buckets(report: &RegressReport) -> Vec<Bucket<'_>> {
    bucketed(&report.results)
}

/// The failures among `results` by cause, as [`buckets`] orders them.
pub fn bucketed<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Vec<Bucket<'a>> {
    let mut found: Vec<(String, Bucket<'a>)> = Vec::new();
    for result in results {
        if !matches!(result.outcome.verdict, Verdict::Failed { .. }) {
            continue;
        }
        let pattern = pattern(result);
        match found.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, bucket)) => {
                if bucket.cause != result.cause() {
                    bucket.cause = pattern;
                }
                bucket.results.push(result);
            }
            None => {
                let bucket = Bucket { cause: result.cause().to_owned(), results: vec![result] };
                found.push((pattern, bucket));
            }
        }
    }
    let mut buckets: Vec<Bucket<'a>> = found.into_iter().map(|(_, bucket)| bucket).collect();
    buckets.sort_by_key(|bucket| std::cmp::Reverse(bucket.results.len()));
    buckets
}

/// The first line with `#` for the case's id and for each number that stands alone: cycles, SMXs,
/// seeds. Those of a place in the sources stay.
fn pattern(result: &CaseResult) -> String {
    let line = result.cause().replace(&result.full_id(), "#").replace(&result.id, "#");
    let mut text = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        text += before;
        let word =
            from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(from.len());
        let (number, after) = from.split_at(word);
        let in_name = text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let in_place = text.rsplit(' ').next().is_some_and(|word| word.contains(".rs:"));
        let is_number =
            number.starts_with("0x") || number.bytes().all(|byte| byte.is_ascii_digit());
        text += if is_number && !in_name && !in_place { "#" } else { number };
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::Outcome;
    use std::time::Duration;

    fn failed(id: &str, seed: u64, message: &str) -> CaseResult {
        let (id, outcome) = (id.to_owned(), Outcome::failed(message, 0));
        CaseResult {
            id,
            seed,
            outcome,
            time: Duration::ZERO,
            resumed: false,
            met: Default::default(),
        }
    }

    #[test]
    fn failures_that_differ_in_ids_seeds_and_numbers_are_one_cause() {
        let results = [
            failed("lint/a/n4", 7, "lint/a/n4, seed 7: cannot start iverilog"),
            failed("lint/b/n13", 8, "lint/b/n13, seed 8: cannot start iverilog"),
            failed("x/n1", 9, "SMX 3 holds 0x7f, on k20c"),
            failed("x/n2", 9, "SMX 12 holds 0x80, on k20c"),
        ];
        let found = bucketed(&results);
        let found: Vec<(&str, usize)> =
            found.iter().map(|bucket| (bucket.cause.as_str(), bucket.results.len())).collect();
        let expected = [("#, seed #: cannot start iverilog", 2), ("SMX # holds #, on k20c", 2)];
        assert_eq!(found, expected);
    }

    #[test]
    fn panics_at_different_places_are_different_causes() {
        let at = |line: u32| {
            failed("x", 1, &format!("panicked at a/b.rs:{line}:5: entry {line} is free"))
        };
        let results = [at(10), at(20), at(10)];
        let found = bucketed(&results);
        assert_eq!(found.iter().map(|bucket| bucket.results.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found[0].cause, "panicked at a/b.rs:10:5: entry 10 is free");
        assert_eq!(pattern(&results[0]), "panicked at a/b.rs:10:5: entry # is free");
    }

    #[test]
    fn a_cause_of_a_single_line_is_shown_as_it_is() {
        let results = [failed("x", 1, "SMX 0 is full\nmore"), failed("y", 1, "SMX 0 is full")];
        assert_eq!(bucketed(&results)[0].cause, "SMX 0 is full");
    }
}
