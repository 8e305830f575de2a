//! GPGPU-Sim's way of issuing blocks, `docs/gpgpusim.md`: one kernel after another, and up to one block
//! an SMX and cycle.

pub mod scheduler;

pub use scheduler::GpgpuSim;
