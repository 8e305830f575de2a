//! What is zero because the first chunk of a grid starts with block 0: nothing has to be divided
//! (`rtl/src/ikra/chunk_start.rs`).

use blockyard_sim::sched::domains::DomainsConfig;
use blockyard_sim::sched::ikra::{IkraConfig, StealConfig};
use blockyard_sim::sched::Composition;

/// Registers of the division, by the names that they and what they drive have.
const DIVISION: [&str; 6] = ["quotient", "whole", "rest", "below", "x", "none"];

/// The part of a design that has the first chunk of each grid.
#[derive(Clone, Copy, Debug)]
pub struct FirstChunk {
    part: &'static str,
    /// Whether its chunk entry keeps block 0 as the start: nobody steals.
    keeps: bool,
}

impl FirstChunk {
    /// Of this scheduler, if chunks begin at the same part for each grid.
    pub fn of(composition: &Composition) -> Option<Self> {
        let source = &composition.source;
        if let Some(DomainsConfig::Contiguous) = source.get() {
            return Some(Self { part: "domain_0", keeps: false });
        }
        match source.get()? {
            IkraConfig::Reset | IkraConfig::Flip => Some(Self { part: "units$0", keeps: true }),
            IkraConfig::Steal(StealConfig { relations: false, nesting: None, .. }) => {
                Some(Self { part: "units$0", keeps: false })
            }
            IkraConfig::Chunk | IkraConfig::Steal(_) => None,
        }
    }

    /// Whether a register is zero in every legal run.
    pub fn is_zero(self, register: &str) -> bool {
        let Self { part, keeps } = self;
        // A register is `x.q`, or `x$q` where Yosys names it by what it drives.
        let register = register.strip_suffix(".q").unwrap_or(register);
        let parts: Vec<&str> = register.split('.').collect();
        let [.., module, last] = parts[..] else { return false };
        let is_division = ["starts", "place"].contains(&module);
        parts.contains(&part)
            && (is_division && DIVISION.contains(&name(last))
                || keeps && name(module) == "entry" && name(last) == "start")
    }
}

/// A part without what stands behind a `$`.
fn name(part: &str) -> &str {
    part.split('$').next().unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(scheduler: &str) -> Option<FirstChunk> {
        FirstChunk::of(&scheduler.parse().expect("a scheduler"))
    }

    #[test]
    fn the_first_chunk_is_that_of_the_first_smx_or_domain_where_it_begins_at_the_same_one() {
        for scheduler in ["ikra/chunk", "ikra/steal(relations=on)", "ikra/steal(nesting=2)", "rr"] {
            assert!(first(scheduler).is_none(), "{scheduler}");
        }
        let is_zero = |scheduler, register| first(scheduler).expect("it").is_zero(register);
        for register in ["dispatcher.units$0.chunk.starts.x$q", "smxs.units$0.chunk.starts.below"] {
            assert!(is_zero("ikra/flip", register) && is_zero("ikra/steal", register));
        }
        assert!(is_zero("domains(policy=contiguous)", "domain_0.share.place.whole.q"));
        for other in [
            "dispatcher.units$1.chunk.starts.x$q",
            "dispatcher.units$0.chunk.starts.step$q",
            "dispatcher.units$0.chunk.entry.entry$0.last_block$q",
            "x",
        ] {
            assert!(!is_zero("ikra/flip", other), "{other}");
        }
    }

    #[test]
    fn a_start_stays_zero_where_nobody_steals() {
        let start = "dispatcher.units$0.chunk.entry.entry$0.start$q";
        let is_zero = |scheduler| first(scheduler).expect("it").is_zero(start);
        assert!(is_zero("ikra/reset") && !is_zero("ikra/steal"));
    }
}
