//! Control flow and registers of one function, whatever its instructions mean.
//!
//! ```text
//!   Nodes -- blocks --> reconvergence   where lanes that took different ways meet again
//!              |
//!              +-- liveness --> lifetimes --> slots      where a warp keeps each register
//!                                   |
//!                                   +-------> pressure -- ptxas    registers that a thread needs
//! ```

mod blocks;
mod ends;
mod lifetimes;
mod liveness;
mod postdominators;
pub mod ptxas;
mod reconvergence;
mod slots;
#[cfg(test)]
mod tests;

pub use lifetimes::Lifetimes;
pub use reconvergence::reconvergence;
pub use slots::{Class, Slots};

/// One instruction as the analyses see it.
///
/// It reads everything before it writes anything, in all lanes: a register that it writes may
/// share a slot with one that it is the last to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Virtual registers that it reads, its guard and addresses included.
    pub reads: Vec<u32>,
    /// Virtual registers that it writes.
    pub writes: Vec<u32>,
    /// It is guarded: what it writes keeps its old value in some lanes, so that a write does not
    /// end the need for that value.
    pub keeps: bool,
    /// Instructions that may follow. None, or an index past the last instruction: the thread
    /// leaves the function.
    pub successors: Vec<u32>,
    /// The run ends there with a complaint.
    pub fails: bool,
}
