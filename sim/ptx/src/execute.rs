//! Blocks at work: each warp goes through the steps of its kernel.
//!
//! ```text
//!   Grid -- Block -- Warp -- Frame (a call) -- paths (lanes that go together)
//!     |       |        '---- registers, local memory
//!     |       '------------- shared memory, reductions at barriers
//!     '--------------------- parameters; machine: global memory
//! ```
//!
//! A step is executed when the GPU asks for it, that is when the one before has issued, so what a
//! warp reads is what others have written until then.

mod access;
mod addresses;
mod ahead;
mod atomic;
mod barriers;
mod block;
mod calls;
mod cluster;
mod compute;
mod device;
mod fault;
mod grid;
mod launch_control;
mod mbarrier;
mod mbarrier_state;
mod operands;
mod paths;
mod registers;
mod runtime;
mod shared_checks;
mod tensor;
mod textures;
mod values;
mod warp;
mod warp_wide;

pub(crate) use block::Block;
pub(crate) use fault::Fault;
pub use grid::Launch;
pub(crate) use grid::{Grid, GridCode};
pub(crate) use registers::Registers;
pub(crate) use values::Scratch;
pub(crate) use warp::Warp;
