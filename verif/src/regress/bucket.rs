//! Failures that have the same cause.

use super::{CaseResult, RegressReport, Verdict};

/// The failures that share the first line of their message.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket<'a> {
    /// The first line of the message.
    pub cause: &'a str,
    /// The failures, in the order of the suite; never empty.
    pub results: Vec<&'a CaseResult>,
}

/// The failures of a report by cause: the largest bucket first, then in the order of the suite.
pub fn buckets(report: &RegressReport) -> Vec<Bucket<'_>> {
    let mut buckets: Vec<Bucket<'_>> = Vec::new();
    for result in &report.results {
        if !matches!(result.outcome.verdict, Verdict::Failed { .. }) {
            continue;
        }
        let cause = result.cause();
        match buckets.iter_mut().find(|bucket| bucket.cause == cause) {
            Some(bucket) => bucket.results.push(result),
            None => buckets.push(Bucket { cause, results: vec![result] }),
        }
    }
    buckets.sort_by_key(|bucket| std::cmp::Reverse(bucket.results.len()));
    buckets
}
