//! The report of the watchdog: enough to see whether the scheduler or the workload is to blame.

use std::fmt::Write;

use super::error::RunError;
use crate::gpu::clusters::PlaceInCluster;
use crate::gpu::kernel::Kernel;
use crate::gpu::smx::Smx;
use crate::gpu::Gpu;
use crate::port::{BlockNeeds, SmxLimits};

/// The error of a run that is stuck in `cycle` because of `why`; `said` is what the scheduler has
/// to say of it.
pub fn report(gpu: &Gpu, cycle: u64, why: &str, said: &str) -> RunError {
    let mut message = why.to_owned();
    for kernel in gpu.kernels().iter().filter(|kernel| kernel.finish.is_none()) {
        message += &format!("\n  {}", kernel_line(kernel));
    }
    let pending = gpu.device().pending();
    if pending > 0 {
        let _ = write!(message, "\n  {pending} launches of blocks have reached no kernel");
    }
    let waiting = gpu.kernels().iter().find(|kernel| {
        kernel.finish.is_none() && kernel.entry.is_some() && kernel.undistributed() > 0
    });
    for (id, smx) in gpu.smxs().iter().enumerate() {
        let held = in_use(gpu, smx);
        let limits = gpu.config().limits();
        let _ = write!(
            message,
            "\n  SMX {id}: {} blocks, {} threads, {} registers, {} B shared memory",
            held.thread_block_slots,
            held.threads,
            held.registers,
            held.shared_memory * gpu.config().smx.shared_memory_unit
        );
        if let Some(kernel) = waiting {
            let lack = lacking(kernel.launch.needs, held, limits);
            let lack = lack.map_or("has room".to_owned(), |what| format!("lacks {what}"));
            let _ = write!(message, "; {lack} for the next block of {}", kernel.name);
        }
    }
    for block in gpu.smxs().iter().flat_map(Smx::blocks) {
        if let Some(awaited) = block.cluster.as_ref().and_then(PlaceInCluster::report) {
            let name = &gpu.kernels()[block.kernel].name;
            let _ = write!(message, "\n  kernel {name}, block {}: {awaited}", block.block);
        }
    }
    if !said.is_empty() {
        let _ = write!(message, "\n  {}", said.replace('\n', "\n  "));
    }
    RunError::Stuck { cycle, message }
}

fn kernel_line(kernel: &Kernel) -> String {
    let mut line = format!("kernel {} instance {}", kernel.name, kernel.instance);
    let _ = match kernel.entry {
        Some(entry) => write!(line, " in entry {}", entry.0),
        None => write!(line, " (arrives in {}) in no entry", kernel.arrive),
    };
    let (left, running) = (kernel.undistributed(), kernel.in_execution());
    let _ = write!(
        line,
        ": {left} of {} blocks not distributed, {running} in execution",
        kernel.launch.blocks
    );
    if kernel.suspended > 0 {
        let _ = write!(line, ", {} suspended", kernel.suspended);
    }
    line
}

/// What the resident blocks hold, in the shape of the limits.
fn in_use(gpu: &Gpu, smx: &Smx) -> SmxLimits {
    let nothing = SmxLimits { threads: 0, registers: 0, shared_memory: 0, thread_block_slots: 0 };
    smx.blocks().fold(nothing, |sum, block| {
        let needs = gpu.kernels()[block.kernel].launch.needs;
        SmxLimits {
            threads: sum.threads + needs.threads,
            registers: sum.registers + needs.registers,
            shared_memory: sum.shared_memory + needs.shared_memory,
            thread_block_slots: sum.thread_block_slots + 1,
        }
    })
}

fn lacking(needs: BlockNeeds, held: SmxLimits, limits: SmxLimits) -> Option<&'static str> {
    [
        ("thread-block slots", 1, held.thread_block_slots, limits.thread_block_slots),
        ("threads", needs.threads, held.threads, limits.threads),
        ("registers", needs.registers, held.registers, limits.registers),
        ("shared memory", needs.shared_memory, held.shared_memory, limits.shared_memory),
    ]
    .into_iter()
    .find(|(_, need, held, limit)| held + need > *limit)
    .map(|(what, ..)| what)
}
