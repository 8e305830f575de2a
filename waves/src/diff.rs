//! Where two dumps differ.

use crate::read::Dump;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

/// A signal whose value differs in a cycle; `None` stands for a signal or value that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpDifference {
    /// The first cycle of the difference.
    pub cycle: u64,
    /// The signal.
    pub path: String,
    /// In the first dump.
    pub left: Option<String>,
    /// In the second dump.
    pub right: Option<String>,
}

/// The first `most` differences of the signals that are `compared`, by path, in these `cycles` as
/// far as both dumps have them; by cycle and then in the order of the first dump's signals.
pub fn diff(
    left: &Dump,
    right: &Dump,
    cycles: RangeInclusive<u64>,
    most: usize,
    compared: impl Fn(&str) -> bool,
) -> Vec<DumpDifference> {
    let mut found = Vec::new();
    let gaps: Vec<Range<u64>> = left.gaps().chain(right.gaps()).collect();
    let times = left.times().iter().chain(right.times()).copied().chain([*cycles.start()]);
    let in_both =
        |cycle: &u64| cycles.contains(cycle) && !gaps.iter().any(|gap| gap.contains(cycle));
    let times: BTreeSet<u64> = times.filter(in_both).collect();
    let known = left.paths();
    let added = |path: &str| compared(path) && !known.contains(path);
    for cycle in times {
        for (path, ours) in left.values(cycle).filter(|(path, _)| compared(path)) {
            let theirs = right.value(path, cycle).unwrap_or(None);
            if ours != theirs {
                found.push(DumpDifference {
                    cycle,
                    path: path.to_owned(),
                    left: ours,
                    right: theirs,
                });
            }
        }
        for (path, theirs) in right.values(cycle).filter(|(path, _)| added(path)) {
            found.push(DumpDifference { cycle, path: path.to_owned(), left: None, right: theirs });
        }
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    found
}
