//! Whether pulls wait until other SMXs have issued, nobody sees.

use std::cell::RefCell;
use std::rc::Rc;

use super::{launch, run_to_end};
use crate::config::GpuConfig;
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::program::*;
use crate::Gpu;

/// Blocks and warps for which was pulled, in order.
type Pulled = Rc<RefCell<Vec<(u32, u32)>>>;

/// Warps of which each does something else, and all of a block meet now and then.
struct Mixed(Pulled);

struct MixedWarp {
    block: u32,
    warp: u32,
    done: u32,
    pulled: Pulled,
}

const INSTRUCTIONS: u32 = 60;

impl KernelCode for Mixed {
    fn block(
        &self,
        Dim3 { x: block, .. }: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let pulled = Rc::clone(&self.0);
            programs.push(Box::new(MixedWarp { block, warp, done: 0, pulled }));
        }
        Ok(())
    }
}

impl WarpProgram for MixedWarp {
    fn next(&mut self, to: &mut Instruction) {
        let Self { block, warp, done, .. } = *self;
        self.pulled.borrow_mut().push((block, warp));
        self.done += 1;
        let drawn = (block * 31 + warp * 17 + done).wrapping_mul(0x9e37_79b9) >> 28;
        let memory = |space, access| Operation::Memory { space, access, bytes: 4 };
        to.pc = 8 * done;
        to.destination = Some((done % 8) as u8);
        to.sources = two_sources([Some((drawn % 8) as u8), None]);
        to.addresses.set_stride(u64::from(128 * (block * 8 + drawn)), 4 * u64::from(drawn % 3));
        to.operation = match (done, drawn) {
            (INSTRUCTIONS.., _) => Operation::Exit,
            (20 | 40, _) => Operation::Barrier,
            (_, 0..=2) => memory(Space::Global, Access::Load),
            (_, 3) => memory(Space::Global, Access::Store),
            (_, 4 | 5) => memory(Space::Shared, Access::Load),
            (_, 6) => Operation::Compute(Unit::Special),
            _ => Operation::Compute(Unit::Integer),
        };
    }
}

#[test]
fn pulls_that_wait_keep_their_order_and_change_nothing() {
    for policy in ["gto", "lrr"] {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let changes = [("smx", "70"), ("warp.issue_width", "1"), ("warp.policy", policy)];
        for (key, value) in changes {
            config.set(key, value).unwrap();
        }
        let run = |waits: bool| {
            let pulled = Pulled::default();
            let kernel = launch(70, 8, Rc::new(Mixed(Rc::clone(&pulled))));
            let mut gpu = Gpu::new(config.clone(), Box::new(vec![kernel])).unwrap();
            let can_wait = gpu.smxs.iter_mut().all(|smx| smx.pulls_can_wait(waits));
            assert!(can_wait, "as on every large GPU whose warps issue one instruction a cycle");
            let cycles = run_to_end(&mut gpu, |_| {});
            let counts: Vec<_> = gpu.smxs().iter().map(|smx| smx.counts(cycles)).collect();
            (cycles, counts, pulled.take())
        };
        let (waiting, at_once) = (run(true), run(false));
        assert_eq!(waiting.2.len(), 70 * 8 * (INSTRUCTIONS as usize + 1), "{policy}");
        assert_eq!(waiting, at_once, "{policy}");
    }
}
