//! Parameters of launches from the device, in buffers that are used again.

use rustc_hash::FxHashMap;

use super::Memory;
use blockyard_contract::port::Dim3;

/// Bytes of the smallest buffer.
const LEAST: u64 = 64;

/// Bytes of the largest buffer: CUDA has kernels of 32,764 bytes of parameters, and none of more.
const MOST: u64 = 1 << 15;

/// What a buffer was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The function, with the extents of grid and block and bytes of shared memory; `None`: said
    /// later.
    pub launch: Option<(u32, Dim3, Dim3, u32)>,
    pub bytes: u64,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Free ones of each size.
    free: FxHashMap<u64, Vec<u64>>,
    used: FxHashMap<u64, Wanted>,
}

impl Buffers {
    /// A buffer for `wanted`; its address. `None`: there is no memory, or none has so many.
    pub fn take(&mut self, memory: &mut Memory, wanted: Wanted) -> Option<u64> {
        if wanted.bytes > MOST {
            return None;
        }
        let size = wanted.bytes.next_power_of_two().max(LEAST);
        let free = self.free.get_mut(&size).and_then(Vec::pop);
        let address = match free {
            Some(address) => address,
            None => memory.allocate(size)?,
        };
        self.used.insert(address, wanted);
        Some(address)
    }

    /// The parameters in the buffer at `address`, which is free from now on, and what it was asked
    /// for.
    pub fn launch(&mut self, memory: &mut Memory, address: u64) -> Option<(Wanted, Vec<u8>)> {
        let wanted = self.used.remove(&address)?;
        let size = wanted.bytes.next_power_of_two().max(LEAST);
        self.free.entry(size).or_default().push(address);
        let bytes = memory.get(address, wanted.bytes)?.to_vec();
        Some((wanted, bytes))
    }
}
