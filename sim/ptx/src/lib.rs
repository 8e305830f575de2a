//! PTX kernels: read, checked, lowered once, and executed warp by warp.
//!
//! ```text
//!   file -- parse --> ast -- lower --> Program --+
//!                                                +-- Machine -- launch --> HostLaunch
//!   host: buffers, parameters -------------------+                 |
//!                                            warps, as the GPU asks for their instructions
//! ```

mod address_space;
pub mod ast;
mod execute;
pub mod flow;
pub mod functional;
mod host;
mod info;
mod lower;
mod machine;
pub mod parse;
mod program;
pub mod semantics;
mod source_line;

use std::rc::Rc;

// Known here as `crate::diagnostic` and so on.
pub use blockyard_contract::diagnostic;

pub use execute::Launch;
pub use host::Arguments;
pub use info::{KernelInfo, Mix};
pub use lower::{lower, OPCODES};
pub use machine::{Machine, Texture};
pub use program::{Kernel, Parameter, Program};

/// Reads and checks the module `text`, the contents of `file`.
///
/// # Errors
/// When it is no PTX, or has something that cannot be executed; see [`parse::parse`] and
/// [`lower()`].
pub fn load(file: &str, text: &str) -> Result<Rc<Program>, diagnostic::InputError> {
    lower(file, text, &parse::parse(file, text)?).map(Rc::new)
}
