//! What a study keeps of a run: a line of its journal, a row of its table.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Tells it from the other runs of the study, and is the same whenever the study is run.
    pub run: String,
    /// Where it lies on each axis, by the axis' name: `scheduler`, `gpu`, `workload`, `input`,
    /// `launch`, `seed`, or a key.
    pub axes: BTreeMap<String, String>,
    /// The command that repeats it.
    pub command: String,
    /// Its figures, by the names of `docs/statistics.md` with dots between: `l1.hit_rate`. Empty if
    /// it failed.
    pub figures: BTreeMap<String, f64>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
