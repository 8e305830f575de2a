//! The behavioural reference of Blockyard: the GPU that supplies the timing and the naive twins of
//! the schedulers. Knows nothing of rust-hdl.

pub mod port;
pub mod workload;
