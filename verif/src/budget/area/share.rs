//! What the papers state as shares of area, as area.

use super::sram::Macros;
use super::sums::Sums;
use crate::budget::share::{Share, GROUPS, PRIORITY_QUEUE, STEAL_QUEUE, WHOLE};
use crate::budget::Budget;
use serde::Serialize;

/// A part of the machine's area.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaShare {
    /// Whose way of counting.
    pub way: &'static str,
    /// What of the scheduler is counted.
    pub of: &'static str,
    /// Its square micrometres, without trees of buffers.
    pub square_micrometres: f64,
    /// Of what of the machine.
    pub base: &'static str,
    /// Square micrometres of as many bytes in macros: an estimate.
    pub base_square_micrometres: f64,
    /// The part in percent.
    pub percent: f64,
    /// The same by bits.
    pub percent_of_bits: f64,
    /// What the paper states.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub paper: &'static str,
}

/// The shares of the budget that have a place of their own.
pub fn shares(budget: &Budget, sums: &Sums, macros: Macros) -> Vec<AreaShare> {
    let placed = |share: &Share| {
        let one = 1.0 / budget.smx as f64;
        let (end, part) = match share.of {
            PRIORITY_QUEUE => ("slice[*].queue", one),
            GROUPS => ("dispatcher.groups", 1.0),
            STEAL_QUEUE => ("units[*].queue.queue[*]", one),
            WHOLE => ("", 1.0),
            _ => return None,
        };
        let modules = budget.modules.iter().map(|module| module.path.as_str());
        let rows = budget.rows.iter().map(|row| row.path.as_str());
        let paths = modules.chain(rows).filter(|path| match end {
            "" => path.is_empty(),
            _ => path.ends_with(end),
        });
        let area = paths.map(|path| sums.at(path).total()).sum::<f64>() * part;
        let base = macros.area_of_bytes(share.base_bytes);
        Some(AreaShare {
            way: share.way,
            of: share.of,
            square_micrometres: area,
            base: share.base,
            base_square_micrometres: base,
            percent: 100.0 * area / base,
            percent_of_bits: share.percent,
            paper: share.paper,
        })
    };
    budget.shares.iter().filter_map(placed).collect()
}
