//! Whole schedulers against a GPU of blocks that last as long as they are told to.

mod balance;
mod contract;
mod gpgpusim;
mod ikra;
pub(crate) mod harness;
mod placement;
mod properties;
mod throttling;
