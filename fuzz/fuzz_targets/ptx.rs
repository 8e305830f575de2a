//! PTX: what is refused is shown as the tool shows it; of what loads each kernel runs for a while,
//! with pointers to an array in its parameters, and with the checks of shared memory.

#![no_main]

use std::ops::ControlFlow;

use blockyard_fuzz::render;
use blockyard_ptx::functional::run_while;
use blockyard_ptx::{load, Arguments, Launch, Machine};
use blockyard_sim::gpu::host::{HostLaunch, HostProgram};
use blockyard_sim::port::Dim3;
use libfuzzer_sys::fuzz_target;

/// Warp instructions of a kernel.
const MOST: u32 = 2000;
/// Bytes of parameters that are worth a run.
const MOST_PARAMETERS: u64 = 4096;

struct Once(Vec<HostLaunch>);

impl HostProgram for Once {
    fn start(&mut self) -> Vec<HostLaunch> {
        std::mem::take(&mut self.0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let program = match load("fuzz.ptx", text) {
        Ok(program) => program,
        Err(error) => return drop(render(&error)),
    };
    for kernel in program.kernels() {
        let machine = Machine::new(program.clone());
        machine.check_shared();
        let array = machine.array(&[3; 256]).expect("a kilobyte");
        let bytes = kernel.parameter_bytes;
        if bytes > MOST_PARAMETERS {
            continue;
        }
        let pointers = array.to_le_bytes().into_iter().cycle().take(bytes as usize);
        let launch = Launch {
            grid: Dim3::new(2, 1, 1),
            block: Dim3::new(40, 1, 1),
            shared_memory: 64,
            parameters: Arguments::new().bytes(&pointers.collect::<Vec<_>>()).into_bytes(),
        };
        let launch = machine.launch(&kernel.name, launch, 0).expect("as many bytes as it takes");
        let mut left = MOST;
        let ran = run_while(&mut Once(vec![launch]), &mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Err(error) = ran {
            drop(render(&error));
        }
    }
});
