//! The behavioural reference of Blockyard: the GPU that supplies the timing and the naive twins of
//! the schedulers. Knows nothing of rust-hdl.

pub mod diagnostic;
pub mod dispatch_log;
pub mod erc;
pub mod gpu;
pub mod mask;
pub mod output;
pub mod port;
pub mod run;
pub mod sched;
pub mod stats;
pub mod workload;
