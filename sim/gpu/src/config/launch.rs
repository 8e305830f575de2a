//! The table of launches: what those of the host and the calls of the device runtime take, and what
//! is kept where.

use crate::port::GroupStorage;
use serde::{Deserialize, Serialize};

/// Launches, but for `host` and `cancel` those from the device (DTBL, Table 3). A call of `x`
/// threads of one warp takes `b + A x`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchConfig {
    /// Cycles from when a kernel of the host may start, since it has arrived and the one before it
    /// in its hardware work queue has finished, until it is at the launch port.
    pub host: u32,
    /// Whether calls and the dispatch of device kernels take no longer than they must: one cycle
    /// each (DTBL's CDPI and DTBLI, section 5.2.B).
    pub ideal: bool,
    /// Cycles to create a stream (`cudaStreamCreateWithFlags`), under CDP.
    pub stream: u32,
    /// `b` of allocating parameters (`cudaGetParameterBuffer`), in cycles.
    pub parameters: u32,
    /// `A` of allocating parameters, in cycles a thread.
    pub parameters_thread: u32,
    /// `b` of launching a kernel (`cudaLaunchDevice`), in cycles.
    pub device: u32,
    /// `A` of launching a kernel, in cycles a thread.
    pub device_thread: u32,
    /// Cycles from a pool of pending kernels to the Kernel Distributor.
    pub dispatch: u32,
    /// Cycles by which a group whose information is in memory starts later than one on chip; at
    /// least 2.
    pub group_fetch: u32,
    /// Entries of the Aggregated Group Table: a power of two, at most 2,048.
    pub table: u32,
    /// Groups in memory whose information is asked for ahead, 1 to 64.
    pub ahead: u32,
    /// Cycles for which an SMX sets up the context of a kernel before its first block there begins
    /// (DTBL, sections 4.2 and 4.3; LaPerm, section IV-C).
    pub context: u32,
    /// Cycles from the answer to a block that asks for another one to the begin of that one's work,
    /// or to the answer in shared memory (`docs/launch-control.md`).
    #[serde(default)]
    pub cancel: u32,
    /// Whether what was launched from the device loads its parameters from where they are in global
    /// memory (DTBL, section 2.2), instead of from the constant bank.
    pub parameters_in_memory: bool,
    /// Bytes of global memory that a pending device kernel reserves.
    pub record_bytes: u32,
    /// Bytes of global memory that a pending aggregated group reserves.
    pub group_bytes: u32,
}

impl LaunchConfig {
    /// What the scheduler holds of groups.
    pub fn storage(&self) -> GroupStorage {
        GroupStorage { table: self.table, ahead: self.ahead }
    }
}
