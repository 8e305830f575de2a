//! Which cases of a suite a run is about.

use std::collections::HashSet;

use super::{case_seed, full_id, Case, RegressError, RegressOptions, Suite};

/// A case of the run with its seed.
pub(super) struct Selected<'a> {
    pub(super) case: &'a Case,
    pub(super) seed: u64,
}

/// The cases that shard and filter leave, in the order of the suite; never empty.
///
/// # Errors
/// An empty suite, two cases with one id, or a selection that leaves nothing: a run of nothing
/// would look like a pass.
pub(super) fn select<'a>(
    suite: &'a Suite,
    options: &RegressOptions,
) -> Result<Vec<Selected<'a>>, RegressError> {
    if suite.cases.is_empty() {
        return Err(RegressError::EmptySuite { suite: suite.name.clone() });
    }
    let mut ids = HashSet::new();
    if let Some(case) = suite.cases.iter().find(|case| !ids.insert(&case.id)) {
        return Err(RegressError::DuplicateCase { suite: suite.name.clone(), id: case.id.clone() });
    }
    let all: Vec<Selected<'a>> = suite
        .cases
        .iter()
        .map(|case| Selected { case, seed: case_seed(options.seed, &case.id) })
        .collect();
    let wanted = matching(&all, options.filter.as_deref());
    if wanted.is_empty() {
        return Err(RegressError::NothingMatches {
            suite: suite.name.clone(),
            filter: options.filter.clone().unwrap_or_default(),
            known: list(&all),
        });
    }
    // Shards are shares of the whole suite: a filter does not move a case to another shard.
    let weights: Vec<(&str, u32)> =
        suite.cases.iter().map(|case| (case.id.as_str(), case.weight)).collect();
    let mine: HashSet<usize> = options.shard.select(&weights).into_iter().collect();
    let known = list(&all);
    let selection: Vec<Selected<'a>> = all
        .into_iter()
        .enumerate()
        .filter(|(i, _)| mine.contains(i) && wanted.contains(i))
        .map(|(_, selected)| selected)
        .collect();
    if selection.is_empty() {
        return Err(RegressError::EmptyShard {
            suite: suite.name.clone(),
            shard: options.shard,
            cases: wanted.len(),
            known,
        });
    }
    Ok(selection)
}

/// The positions of the cases that the filter leaves.
fn matching(all: &[Selected<'_>], filter: Option<&str>) -> HashSet<usize> {
    let Some(filter) = filter else {
        return (0..all.len()).collect();
    };
    let full = |selected: &Selected<'_>| full_id(&selected.case.id, selected.seed);
    // An exact id wins: a command that repeats `n1` must not also run `n13`.
    let exact =
        all.iter().position(|selected| selected.case.id == filter || full(selected) == filter);
    match exact {
        Some(i) => HashSet::from([i]),
        None => (0..all.len()).filter(|&i| full(&all[i]).contains(filter)).collect(),
    }
}

/// The full ids, one a line, no more than a screen shows.
fn list(all: &[Selected<'_>]) -> String {
    const SHOWN: usize = 20;
    let mut lines: Vec<String> =
        all.iter().take(SHOWN).map(|selected| full_id(&selected.case.id, selected.seed)).collect();
    if all.len() > SHOWN {
        lines.push(format!("and {} more", all.len() - SHOWN));
    }
    lines.join("\n")
}
