//! A checked module, as warps execute it.

mod action;
mod kernel;
mod module;

pub(crate) use action::{
    Action, Address, Atomic, Barrier, Callee, Flag, Guard, Intrinsic, Lookup, Place, Reduction,
    Reg, Shuffle, Source, Special, Use, Vote, VoteOf, Widening,
};
pub use kernel::{Kernel, Parameter};
pub use module::Program;
pub(crate) use module::{Code, Issue, Pointer, Step, Variable};
