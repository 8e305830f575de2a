//! Where the state spaces are among generic addresses.
//!
//! | from | |
//! | --- | --- |
//! | 0x0100_0000 | shared memory of the own block |
//! | 0x0200_0000 | local memory of the own thread |
//! | 0x0300_0000 | parameters of the own kernel |
//! | 0x0400_0000 | constants |
//! | 0x0500_0000 | functions and kernels, 16 bytes each |
//! | 0x0600_0000 | shared memory of the blocks of the own cluster, 2 MiB each, in order of rank |
//! | 0x0800_0000 | global variables of the module |
//! | 0x1000_0000 | global memory that is allocated |
//!
//! All are below 4 GiB at first, so that 32-bit pointers reach them.

use crate::ast::Space;

/// Bytes of each window before [`MODULE`].
pub const WINDOW: u64 = 0x0100_0000;
/// See the module.
pub const SHARED: u64 = 0x0100_0000;
/// See the module.
pub const LOCAL: u64 = 0x0200_0000;
/// See the module.
pub const PARAMETERS: u64 = 0x0300_0000;
/// See the module.
pub const CONSTANTS: u64 = 0x0400_0000;
/// See the module.
pub const FUNCTIONS: u64 = 0x0500_0000;
/// Bytes from one function's address to the next.
pub const FUNCTION_BYTES: u64 = 16;
/// See the module.
pub const CLUSTER: u64 = 0x0600_0000;
/// Bytes of the window of a block of the cluster.
pub const BLOCK_WINDOW: u64 = 0x0020_0000;
/// See the module.
pub const MODULE: u64 = 0x0800_0000;
/// See the module.
pub const HEAP: u64 = 0x1000_0000;

/// The generic address of the first byte of `space`; 0 where addresses are generic ones themselves.
pub fn base(space: Space) -> u64 {
    match space {
        Space::Shared | Space::Cluster => SHARED,
        Space::Local => LOCAL,
        Space::Parameter => PARAMETERS,
        Space::Constant => CONSTANTS,
        Space::Global | Space::Texture | Space::Register => 0,
    }
}

/// The space of a generic address.
pub fn space_of(address: u64) -> Space {
    match address & !(WINDOW - 1) {
        SHARED => Space::Shared,
        LOCAL => Space::Local,
        PARAMETERS => Space::Parameter,
        CONSTANTS => Space::Constant,
        CLUSTER..MODULE => Space::Cluster,
        _ => Space::Global,
    }
}

/// Where an address in `.shared::cluster` is: the rank of the block, unless it is in the window
/// that each block has for its own shared memory, and the address there. `None`: in no window.
pub fn in_cluster(address: u64) -> Option<(Option<u32>, u64)> {
    if address < WINDOW {
        return Some((None, address));
    }
    let offset =
        address.checked_sub(CLUSTER - SHARED).filter(|offset| *offset < MODULE - CLUSTER)?;
    Some((Some((offset / BLOCK_WINDOW) as u32), offset % BLOCK_WINDOW))
}

/// The address in `.shared::cluster` of what is at `offset` in shared memory of the block of that
/// rank.
pub fn of_rank(rank: u32, offset: u64) -> u64 {
    CLUSTER - SHARED + u64::from(rank) * BLOCK_WINDOW + offset
}

/// The address of the function with this number.
pub fn of_function(number: u32) -> u64 {
    FUNCTIONS + FUNCTION_BYTES * u64::from(number)
}

/// The number of the function with this address.
pub fn function(address: u64) -> Option<u32> {
    let offset = address.checked_sub(FUNCTIONS).filter(|offset| *offset < WINDOW)?;
    (offset % FUNCTION_BYTES == 0).then_some((offset / FUNCTION_BYTES) as u32)
}
