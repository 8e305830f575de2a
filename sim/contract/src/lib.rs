//! What the GPU and the thread-block schedulers have in common: the ports between them
//! (`docs/cycle-contract.md`), sets of SMXs, and complaints about input.

pub mod diagnostic;
pub mod mask;
pub mod port;
