//! The modules of GPGPU-Sim's block issue against their twins: the rules of `docs/gpgpusim.md`.

mod cap_table;
mod placement;
mod scheduler;
