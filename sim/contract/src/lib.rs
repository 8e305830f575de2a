//! What the GPU and the thread-block schedulers have in common: the ports between them
//! (`docs/cycle-contract.md`), sets of SMXs, keys, what is read, and complaints
//! about it.

pub mod diagnostic;
pub mod input;
pub mod key;
pub mod mask;
pub mod plain;
pub mod port;
