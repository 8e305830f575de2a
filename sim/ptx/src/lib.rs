//! PTX kernels: read, checked, lowered once, and executed warp by warp.
//!
//! ```text
//!   file -- parse --> ast -- lower --> Program -- execute --> instructions of a warp
//! ```

pub mod ast;

// Known here as `crate::diagnostic` and so on.
pub use blockyard_contract::diagnostic;
