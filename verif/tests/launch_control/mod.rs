//! The whole is one module, and another one where clusters ask.

mod clusters;
mod scheduler;

use blockyard::engine::RtlScheduler;
use blockyard_sim::port::{
    Activity, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler, SmxLimits,
};

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 3 };

/// One cycle in which a kernel may be launched, a block may ask, and one may end on an SMX.
fn cycle(
    hardware: &mut RtlScheduler,
    launch: Option<KernelLaunch>,
    cancel: Option<u8>,
    end: Option<(usize, u8)>,
) -> Outputs {
    let mut inputs = Inputs::idle(hardware.smx());
    inputs.launch = launch;
    inputs.cancel = cancel.map(KernelEntry);
    if let Some((smx, entry)) = end {
        inputs.finished[smx] = Some(KernelEntry(entry));
    }
    let mut outputs = Outputs::idle(hardware.smx());
    let _: Activity = hardware.cycle(&inputs, &mut outputs);
    outputs
}
