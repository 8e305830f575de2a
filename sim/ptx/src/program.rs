//! A checked module, as warps execute it.

mod action;
mod cluster;
mod kernel;
mod launch_control;
mod mbarrier;
mod module;
mod tensor;
mod texture;
mod uses;

pub(crate) use action::{
    Action, Address, Atomic, Barrier, Callee, Flag, Guard, Intrinsic, Lookup, Place, Reduction,
    Reg, Shuffle, Source, Special, Vote, VoteOf, Widening,
};
pub(crate) use cluster::{ClusterAddress, OfCluster};
pub use kernel::{Kernel, Parameter};
pub(crate) use launch_control::LaunchControl;
pub(crate) use mbarrier::{Mbarrier, Phased};
pub use module::Program;
pub(crate) use module::{Code, Constant, Issue, Pointer, Step, Variable};
pub(crate) use tensor::{Element, Fragment, Held, Order, Spread, Tensor};
pub(crate) use texture::{Fetch, Fetched, Shape, Surface};
pub(crate) use uses::Use;
