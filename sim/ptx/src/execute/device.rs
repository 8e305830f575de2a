//! What the device's runtime says of the device.

use blockyard_contract::port::{BlockNeeds, Dim3};
use blockyard_gpu::config::GpuConfig;
use blockyard_gpu::program::WARP_LANES;

use super::{Fault, Warp};
use crate::program::Kernel;

/// What CUDA says of a device, by the number of `cudaDeviceAttr`. Of SMXs only where the GPU is
/// known.
pub(super) fn attribute(number: u32, gpu: Option<&GpuConfig>) -> Option<u64> {
    Some(match number {
        // Threads of a block, extents of blocks and grids.
        1..=3 => 1024,
        4 => 64,
        5 => 0x7fff_ffff,
        6 | 7 => 0xffff,
        // Bytes of constant memory; lanes.
        9 => 1 << 16,
        10 => WARP_LANES as u64,
        // SMXs; threads, bytes of shared memory, registers and blocks of one.
        16 => gpu?.smx.count.into(),
        39 => gpu?.smx.threads.into(),
        81 => gpu?.smx.shared_memory.into(),
        82 => gpu?.smx.registers.into(),
        106 => gpu?.smx.thread_block_slots.into(),
        _ => return None,
    })
}

/// How many blocks of `kernel` an SMX of the GPU holds, of so many threads and with so many bytes
/// of shared memory beyond those of the kernel.
fn occupancy(gpu: &GpuConfig, kernel: &Kernel, threads: u32, dynamic: u64) -> u32 {
    let shared = u32::try_from(kernel.shared_memory.saturating_add(dynamic)).unwrap_or(u32::MAX);
    let needs = BlockNeeds::of(Dim3::new(threads, 1, 1), kernel.registers, shared);
    gpu.resident_blocks(gpu.counted(needs))
}

impl Warp {
    /// `cudaOccupancyMaxActiveBlocksPerMultiprocessor`
    pub(super) fn resident_blocks(
        &self,
        kernel: &Kernel,
        (threads, dynamic): (u32, u64),
        lane: usize,
    ) -> Result<u32, Fault> {
        let machine = &self.grid.machine;
        let found = machine.of_gpu(|gpu| occupancy(gpu, kernel, threads, dynamic));
        found.ok_or_else(|| {
            let message =
                "how many blocks an SMX holds is asked for, and there is no GPU".to_owned();
            Fault::of_lane(lane, message, "a run for a GPU")
        })
    }
}
