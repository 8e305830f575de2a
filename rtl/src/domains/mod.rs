//! Dispatch in two levels: `docs/domains.md`.
//!
//! ```text
//!              +--> [domain 0: its queue, its place in the grid, its gates, its pointer] --> dispatch to its SMXs
//!   launch ----+--> ...
//!              +--> [domain D - 1]
//!                      |  ^ released
//!     finished_kernels v  |
//!                     ( all ) --> finished_kernels
//! ```

mod domain;
mod scheduler;
mod share;
mod walk;

pub use domain::Domain;
pub use scheduler::{DomainCdpScheduler, DomainScheduler};
pub use share::Share;
pub use walk::Walk;

/// Which of a grid's blocks a domain gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Chunks of so many blocks, 1 to 1,024, go to the domains in turn (rule 4).
    Interleave(usize),
    /// Each domain gets one range (rule 5).
    Contiguous,
}

impl Policy {
    /// The blocks of a chunk, where there are chunks.
    fn chunk(self) -> Option<usize> {
        match self {
            Self::Interleave(chunk) => Some(chunk),
            Self::Contiguous => None,
        }
    }
}
