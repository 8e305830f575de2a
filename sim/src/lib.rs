//! The behavioural reference of Blockyard: the GPU that supplies the timing, the naive twins of the
//! schedulers, what they run, and the run loop around them. Knows nothing of rust-hdl.
//!
//! ```text
//! sim --+--> schedulers ----------+--> contract
//!       +--> workloads --> gpu ---+
//! ```
//!
//! Each is a package of its own, with an alias here.

pub mod block_log;
mod csv_lines;
pub mod dispatch_log;
pub mod erc;
pub mod output;
pub mod run;
pub mod stats;

pub use blockyard_contract::{diagnostic, input, key, plain, port};
pub use blockyard_gpu as gpu;
pub use blockyard_schedulers as sched;
pub use blockyard_workloads as workload;
