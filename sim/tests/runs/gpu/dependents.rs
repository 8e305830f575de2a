//! Kernels that execute instructions under a scheduler that knows dependents (`docs/dependent.md`).

use super::*;
use crate::overlaps::run_gpu;
use blockyard_sim::gpu::host::Overlap;

/// Launches both at once.
struct Both(Vec<HostLaunch>);

impl HostProgram for Both {
    fn start(&mut self) -> Vec<HostLaunch> {
        std::mem::take(&mut self.0)
    }

    fn kernel_finished(&mut self, _: &str, _: u32, _: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn blocks_that_execute_instructions_trigger_at_their_ends_and_none_follows_another_kernel() {
    let code = Rc::new(Scripts(vec![vec![add(Unit::Integer, Some(1), Some(1)); 5]]));
    let overlap = Overlap { dependent: true, trigger: Some(1), prologue: Some(0) };
    let kernel = HostLaunch { overlap, ..launch(code, 2, 1) };
    for skip in [true, false] {
        let both = Both(vec![kernel.clone(), kernel.clone()]);
        let seen = run_gpu("dependent", Gpu::new(config(&[]), Box::new(both)).unwrap(), skip);
        assert_eq!((seen.ports.triggers.len(), &seen.ports.triggers), (4, &seen.ports.ends));
        let [(_, finish), (accepted, _)] = seen.kernels()[..] else { panic!("two kernels") };
        assert_eq!(accepted, finish + 1);
    }
}
