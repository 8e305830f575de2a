//! Runs with the simplest scheduler there is.

mod coherence;
mod pulls;

use std::rc::Rc;

use crate::host::{Body, HostLaunch};
use crate::port::{Dim3, Dispatch, Inputs, KernelEntry, Outputs};
use crate::program::KernelCode;
use crate::Gpu;

/// A kernel of `blocks` blocks of `warps` warps.
fn launch(blocks: u32, warps: u32, code: Rc<dyn KernelCode>) -> HostLaunch {
    HostLaunch::new("K", (Dim3::new(blocks, 1, 1), Dim3::new(32 * warps, 1, 1)), Body::Code(code))
}

/// Runs `gpu`, cycle by cycle, until nothing is on its way, and returns after how many cycles it
/// was done; `each` looks at it after every one of these.
fn run_to_end(gpu: &mut Gpu, mut each: impl FnMut(&Gpu)) -> u64 {
    let smxs = gpu.config().smx.count as usize;
    let mut scheduler = InOrder::default();
    let (mut inputs, mut outputs) = (Inputs::idle(smxs), Outputs::idle(smxs));
    let mut cycle = 0;
    while !gpu.done() {
        assert!(cycle < 1_000_000, "the run does not end");
        gpu.advance(cycle);
        gpu.inputs(cycle, &mut inputs);
        scheduler.cycle(&inputs, &mut outputs);
        gpu.apply(cycle, &inputs, &outputs).unwrap();
        each(gpu);
        cycle += 1;
    }
    let cycles = cycle;
    while let Some(cycle) = gpu.next_own_event() {
        gpu.advance(cycle);
    }
    cycles
}

/// Gives block `i` of the kernel that is there to SMX `i`, one block a cycle.
#[derive(Default)]
struct InOrder {
    kernel: Option<u32>,
    dispatched: u32,
    ended: u32,
}

impl InOrder {
    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) {
        *outputs = Outputs::idle(inputs.finished.len());
        outputs.launch_ready = Some(KernelEntry(0));
        let Some(blocks) = self.kernel else {
            self.kernel = inputs.launch.map(|launch| launch.blocks);
            return;
        };
        if self.ended == blocks {
            outputs.finished_kernels = 1;
            *self = Self::default();
            return;
        }
        self.ended += inputs.finished.iter().flatten().count() as u32;
        if self.dispatched < blocks {
            let block = Dim3::new(self.dispatched, 0, 0);
            let dispatch = Dispatch { kernel: KernelEntry(0), block, ..Default::default() };
            outputs.dispatch[self.dispatched as usize] = Some(dispatch);
            self.dispatched += 1;
        }
    }
}
