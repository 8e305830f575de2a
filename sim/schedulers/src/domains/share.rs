//! Twin of `domains/share` (`docs/domains.md`, rule 5): where a domain's range of a grid is, and
//! what is left of it.
//!
//! Latency: `begins` to `ready` 63 cycles, which this twin counts down after a plain division.
//!
//! Undefined, and not to be compared: everything from a `begins` with no blocks, a grid with a
//! dimension of zero or one that does not hold `blocks` blocks, a change of `grid` before `ready`,
//! a `step` without `left`, or a `step` in a cycle with `begins`, up to the next `begins`; `start`,
//! `left` and `last` without `ready`.

use crate::port::{Activity, Dim3, FloorPlan};

/// Input ports of [`Share`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// Takes `blocks` and starts, whatever was under way.
    pub begins: bool,
    /// Blocks of the kernel, 31 bits, at least 1; valid with `begins`.
    pub blocks: u32,
    /// Its extent; the same from `begins` until `ready`.
    pub grid: Dim3,
    /// A block of the share is dispatched; only with `left`, and not in a cycle with `begins`.
    pub step: bool,
}

/// Output ports of [`Share`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareOutputs {
    /// The others are valid.
    pub ready: bool,
    /// The share's first block; zero when not `ready`. If the share is empty and no block follows:
    /// (0, 0, grid z).
    pub start: Dim3,
    /// Blocks of the share are left.
    pub left: bool,
    /// Exactly one is.
    pub last: bool,
}

/// What was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    /// Cycles until it is shown.
    wait: u32,
    start: Dim3,
    /// Blocks that are left.
    left: u64,
}

/// The range of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    domain: u64,
    domains: u64,
    range: Option<Range>,
}

impl Share {
    /// Cycles from `begins` to `ready`.
    pub const LATENCY: u32 = 63;

    /// That of domain `domain` of `domains`, of which nothing is known.
    ///
    /// # Panics
    /// When there are not 1 to [`FloorPlan::MOST_DOMAINS`] domains, or it is none of them.
    pub fn new(domain: usize, domains: usize) -> Self {
        let most = FloorPlan::MOST_DOMAINS;
        assert!((1..=most).contains(&domains), "{domains} domains: expected 1 to {most}");
        assert!(domain < domains, "domain {domain} of {domains}");
        Self { domain: domain as u64, domains: domains as u64, range: None }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &ShareInputs) -> ShareOutputs {
        match self.range {
            Some(Range { wait: 0, start, left }) => {
                ShareOutputs { ready: true, start, left: left > 0, last: left == 1 }
            }
            _ => ShareOutputs::default(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ShareInputs) -> Activity {
        let before = self.range.clone();
        if inputs.reset {
            self.range = None;
        } else if inputs.begins {
            self.range = Some(self.range_of(inputs));
        } else if let Some(Range { wait, left, .. }) = &mut self.range {
            *wait = wait.saturating_sub(1);
            *left = left.saturating_sub(u64::from(inputs.step));
        }
        Activity::from(self.range != before)
    }

    fn range_of(&self, inputs: &ShareInputs) -> Range {
        let blocks = u64::from(inputs.blocks);
        let size = |domain| blocks / self.domains + u64::from(domain < blocks % self.domains);
        let first = (0..self.domain).map(size).sum();
        // One of the cycles is the edge that stores this.
        let wait = Self::LATENCY - 1;
        Range { wait, start: block_of(first, inputs.grid), left: size(self.domain) }
    }
}

/// The block of linear id `id`; the id after the last one gives (0, 0, grid z).
pub(super) fn block_of(id: u64, grid: Dim3) -> Dim3 {
    let (x, y) = (u64::from(grid.x.max(1)), u64::from(grid.y.max(1)));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}

#[cfg(test)]
mod tests;
