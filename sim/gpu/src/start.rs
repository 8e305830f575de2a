//! What a thread block does once it is dispatched.

use super::barriers::Barriers;
use super::block::ResidentBlock;
use super::host::Body;
use super::Gpu;
use crate::diagnostic::InputError;
use crate::port::{DevicePorts, Dispatch, Outputs, Parent};
use crate::program::WARP_LANES;

impl Gpu {
    /// The level of a block that is dispatched. Where several blocks may be dispatched in a cycle the
    /// scheduler does not tell it, and it is that of the kernel.
    pub(super) fn level(&self, dispatch: &Dispatch, outputs: &Outputs) -> u8 {
        match self.device.ports() {
            DevicePorts::Nested => self.kernel_in(dispatch.kernel).map_or(0, |kernel| kernel.level),
            _ => outputs.device.queues.level,
        }
    }

    /// The block that `dispatch` names starts in `cycle` at `place`: on that SMX, with that level.
    pub(super) fn start(
        &mut self,
        cycle: u64,
        place: Parent,
        dispatch: &Dispatch,
    ) -> Result<(), InputError> {
        let index = self.entries[dispatch.kernel.index()].expect("an occupied entry");
        let Self { kernels, device, smxs, memory, calendar, config, .. } = self;
        let kernel = &mut kernels[index];
        kernel.dispatched += 1;
        let group = dispatch.group.and_then(|reference| device.group_number(reference));
        let (body, grid, code, launch) = if let Some(number) = group {
            let group = device.start_group(number, cycle);
            // What is coherent from kernel to kernel is so from group to group.
            (&group.body, group.grid, group.code, usize::MAX - group.serial)
        } else {
            if kernel.first_dispatch.is_none() {
                kernel.first_dispatch = Some(cycle);
                if kernel.parent.is_some() {
                    device.kernel_started(kernel.arrive, cycle);
                }
            }
            let body = kernel.body.as_ref().expect("a kernel that dispatches has not finished");
            (body, kernel.launch.grid, kernel.code, index)
        };
        let block = dispatch.block;
        let resident = ResidentBlock {
            kernel: index,
            group,
            entry: dispatch.kernel,
            place,
            block,
            reserved: 0,
            barriers: Barriers::default(),
            draining: 0,
            code,
        };
        let warps = kernel.launch.needs.threads / WARP_LANES as u32;
        let smx = usize::from(place.smx);
        let this = &mut smxs[smx];
        if self.coherent && this.changes_kernel(launch) {
            this.acquire(memory, calendar);
        }
        let block = block.linear(grid);
        match body {
            Body::Durations(durations) => {
                let duration = config.slowed(smx, durations.of(block));
                this.start_timed(resident, warps, duration, calendar);
            }
            Body::Contended(durations, contention) => {
                let duration = config.slowed(smx, durations.of(block));
                this.start_shared(resident, warps, duration, *contention, calendar);
            }
            Body::Launching(durations, launches) => {
                let duration = config.slowed(smx, durations.of(block));
                let slots = this.start_timed(resident, warps, duration, calendar);
                let launches = launches.clone();
                device.block_started(cycle, (place, slots), duration, (&launches, block));
            }
            Body::Code(code) => this.start_code(resident, warps, code.as_ref(), calendar)?,
        }
        Ok(())
    }
}
