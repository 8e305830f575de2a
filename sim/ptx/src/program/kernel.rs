//! What a host must know of a kernel.

use std::rc::Rc;

use crate::ast::Type;
use blockyard_contract::port::Dim3;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: Rc<str>,
    /// The declared type; of an array or a structure that of an element, of which there are more.
    pub ty: Type,
    /// Where it begins among the kernel's parameters, in bytes.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// A kernel of a module.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: Rc<str>,
    /// What it takes, in order.
    pub parameters: Vec<Parameter>,
    /// Bytes of all parameters.
    pub parameter_bytes: u64,
    /// Registers of 32 bits that each thread needs.
    pub registers: u32,
    /// Bytes of shared memory that a block has without those that a launch adds.
    pub shared_memory: u64,
    /// Bytes of local memory of a thread.
    pub local_memory: u64,
    /// `.reqntid` or `.maxntid`: the most threads of a block, if stated.
    pub most_threads: Option<u32>,
    /// `.reqntid`: the threads of a block, if stated.
    pub required_block: Option<Dim3>,
    /// `.reqnctapercluster`: the blocks of a cluster, if stated.
    pub required_cluster: Option<Dim3>,
    /// Whether the blocks of a cluster use its barrier, or each other's shared memory.
    pub works_in_cluster: bool,
    /// Its number among the module's functions.
    pub(crate) function: u32,
}
