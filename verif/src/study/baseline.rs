//! Speed-up: how many times as fast a run is as that of the baseline.

use super::figures::rounded;
use super::row::Row;
use std::collections::{BTreeMap, HashMap};

/// The figure's name.
pub const SPEEDUP: &str = "speedup";

type Axes = BTreeMap<String, String>;

/// Adds to each row that did not fail the cycles of the baseline by its own. The baseline of a row
/// lies where it lies, but on the axes of `baseline`; a parameter that only one of both uses does
/// not count. A row without one has no speed-up.
pub fn compare(baseline: &BTreeMap<String, String>, rows: &mut [Row]) {
    if baseline.is_empty() {
        return;
    }
    let lies_there =
        |axes: &Axes| baseline.iter().all(|(axis, label)| axes.get(axis) == Some(label));
    // By the names of the axes that tell baselines apart, and by where they lie on them.
    let mut cycles: HashMap<Vec<String>, HashMap<Axes, f64>> = HashMap::new();
    for row in rows.iter().filter(|row| lies_there(&row.axes)) {
        let Some(&own) = row.figures.get("cycles") else { continue };
        let mut axes = row.axes.clone();
        axes.retain(|axis, _| !baseline.contains_key(axis));
        cycles.entry(axes.keys().cloned().collect()).or_default().insert(axes, own);
    }
    for row in rows {
        let there = |names: &Vec<String>| -> Option<Axes> {
            names
                .iter()
                .map(|name| row.axes.get_key_value(name))
                .map(|entry| entry.map(|(name, label)| (name.clone(), label.clone())))
                .collect()
        };
        let mut found = cycles.iter().filter_map(|(names, of)| of.get(&there(names)?));
        if let (Some(&base), Some(&own)) = (found.next(), row.figures.get("cycles")) {
            if own > 0.0 {
                row.figures.insert(SPEEDUP.to_owned(), rounded(base / own));
            }
        }
    }
}
