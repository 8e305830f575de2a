//! Functional coverage: which situations the regression has met, and how often.
//!
//! ```text
//!   twins: points of families' cover.rs --+
//!   ports: pairs of events, situations ---+--> counters of the case --> journal --> report, page
//! ```
//!
//! `docs/regression.md`, "Coverage", says how to read and extend it.

mod events;
pub mod kept;
mod page;
mod ports;
mod report;
mod situations;

pub use page::page;
pub use report::{CoverageError, CoverageReport, Row};

use blockyard_sim::port::{Inputs, Outputs, SmxLimits, KERNEL_ENTRIES};
use blockyard_sim::sched::cover::{self, counting};
use blockyard_sim::sched::family::{Family, FAMILIES};
use blockyard_sim::sched::invariants::PolicyRules;
use blockyard_sim::sched::Composition;
use situations::{Watch, SITUATIONS};
use std::collections::HashMap;

/// A situation by its full name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverPoint {
    /// Its scope, a slash, and what it is.
    pub name: String,
    /// Where it is described.
    pub section: &'static str,
    /// Why nothing can meet it, if so.
    pub never: Option<&'static str>,
}

/// All points: those of the ports of each family, then those of the twins.
pub fn points() -> Vec<CoverPoint> {
    let of_ports = FAMILIES.iter().flat_map(|family| of_ports(family));
    let of_twins = cover::all().into_iter().map(|point| CoverPoint {
        name: point.name.to_owned(),
        section: point.section,
        never: point.never,
    });
    of_ports.chain(of_twins).collect()
}

fn of_ports(family: &Family) -> Vec<CoverPoint> {
    let has = |needed| ports::has(family, needed);
    let situations = SITUATIONS.iter().filter(|(_, needed, _)| has(*needed));
    let situations = situations.map(|(name, _, section)| (name.to_string(), *section, None));
    let pairs = events::pairs(has).map(|(_, name, never)| (name, "cycle-contract.md", never));
    let all = situations.chain(pairs);
    all.map(|(name, section, never)| CoverPoint { name: full(family, &name), section, never })
        .collect()
}

/// The name of a point of the ports of a family.
fn full(family: &Family, name: &str) -> String {
    format!("{}/ports/{name}", family.name)
}

/// Watches the ports of a scheduler for a case that counts.
pub struct PortCover {
    family: &'static Family,
    watch: Watch,
    /// How many cycles had exactly these events.
    events: HashMap<u32, u64>,
}

impl PortCover {
    /// For a scheduler after reset; `None` if this thread does not count.
    pub fn new(composition: &Composition, smx: usize, limits: SmxLimits) -> Option<Self> {
        let unused = KERNEL_ENTRIES - PolicyRules::from(composition).entries.entries();
        let entries = u32::MAX >> unused;
        counting().then(|| Self {
            family: composition.source.base().family(),
            watch: Watch::new(smx, limits, entries),
            events: HashMap::new(),
        })
    }

    /// One cycle.
    pub fn cycle(&mut self, inputs: &Inputs, outputs: &Outputs) {
        // What a reset cycle puts out is undefined.
        let events = if inputs.reset { 0 } else { events::of(inputs, outputs) };
        *self.events.entry(events).or_default() += 1;
        self.watch.cycle(inputs, outputs, events);
    }

    /// Adds what was met to the counters of this thread.
    pub fn finish(self) {
        let has = |needed| ports::has(self.family, needed);
        for ((name, _, _), times) in SITUATIONS.iter().zip(self.watch.met()) {
            cover::add(full(self.family, name).into(), *times);
        }
        for (bits, name, _) in events::pairs(has) {
            let with = self.events.iter().filter(|(events, _)| *events & bits == bits);
            cover::add(full(self.family, &name).into(), with.map(|(_, times)| times).sum());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_point_has_a_name_of_its_own_and_one_line() {
        let points = points();
        let names: BTreeSet<&str> = points.iter().map(|point| point.name.as_str()).collect();
        assert_eq!(names.len(), points.len());
        assert!(names.iter().all(|name| !name.contains('\n') && *name == name.trim()));
    }
}
