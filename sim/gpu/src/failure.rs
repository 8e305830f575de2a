//! Blocks that cannot go on: what they end the run with.

use crate::diagnostic::InputError;
use crate::port::Dim3;

/// A block that cannot go on.
#[derive(Debug)]
pub struct Failure {
    /// Index of its kernel among all kernels of the run.
    pub kernel: usize,
    /// Its index in the grid, or in the group.
    pub block: Dim3,
    /// Why.
    pub why: Reason,
}

/// Why a block cannot go on.
#[derive(Debug)]
pub enum Reason {
    /// A warp has met a fault, and its program says this of it.
    Fault(Option<InputError>),
    /// All of its warps that have not exited wait at barriers that will never open; who where.
    Deadlock(String),
}

impl Failure {
    /// The complaint that ends the run; the kernel is called `name`.
    pub fn into_error(self, name: &str) -> InputError {
        let Self { block, why, .. } = self;
        match why {
            Reason::Fault(Some(error)) => error,
            Reason::Fault(None) => {
                InputError::new(format!("kernel `{name}`, block {block}: a warp met a fault"))
            }
            Reason::Deadlock(report) => {
                let message = format!("kernel `{name}`, block {block} can never go on: {report}");
                InputError::new(message).help("all of its warps that have not exited wait")
            }
        }
    }
}
