//! PTX kernels: read, checked, lowered once, and executed warp by warp.
//!
//! ```text
//!   file -- parse --> ast -- lower --> Program -- execute --> instructions of a warp
//! ```

mod address_space;
pub mod ast;
pub mod flow;
mod lower;
mod program;
pub mod semantics;

// Known here as `crate::diagnostic` and so on.
pub use blockyard_contract::diagnostic;
pub use lower::lower;
pub use program::{Kernel, Parameter, Program};
