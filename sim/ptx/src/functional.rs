//! Running kernels without a GPU's timing: block after block, each warp up to its next barrier.
//!
//! What blocks launch runs when the grid is done, in order of launch, or when a thread waits for it
//! (`cudaDeviceSynchronize`).

use std::collections::VecDeque;
use std::ops::ControlFlow;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::Dim3;
use blockyard_gpu::barriers::Barriers;
use blockyard_gpu::host::{Body, DeviceLaunch, HostLaunch, HostProgram};
use blockyard_gpu::program::{
    Instruction, KernelCode, NamedBarrier, Operation, WarpProgram, WARP_LANES,
};

/// What was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels, of the host and of the device.
    pub kernels: u64,
    /// Thread blocks.
    pub blocks: u64,
    /// Instructions, one a warp.
    pub warp_instructions: u64,
    /// Instructions times the lanes that take part.
    pub thread_instructions: u64,
}

/// How far a program was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// To its end.
    Whole(Counts),
    /// Until whoever was shown an instruction had seen enough.
    Stopped(Counts),
}

/// Runs `program` to its end.
///
/// # Errors
/// When a thread cannot go on, or warps of a block wait for one another for ever.
pub fn run(program: &mut dyn HostProgram) -> Result<Counts, InputError> {
    let ended = run_while(program, &mut |_| ControlFlow::Continue(()))?;
    let (Ended::Whole(counts) | Ended::Stopped(counts)) = ended;
    Ok(counts)
}

/// As [`run`]; `see` is shown every instruction, and may stop.
///
/// # Errors
/// As there.
pub fn run_while(
    program: &mut dyn HostProgram,
    see: &mut dyn FnMut(&Instruction) -> ControlFlow<()>,
) -> Result<Ended, InputError> {
    let mut counts = Counts::default();
    match run_counting(program, see, &mut counts) {
        Ok(()) => Ok(Ended::Whole(counts)),
        Err(Why::Seen) => Ok(Ended::Stopped(counts)),
        Err(Why::Fault(error)) => Err(error),
    }
}

/// Why not all was executed.
enum Why {
    /// Whoever watches has seen enough.
    Seen,
    Fault(InputError),
}

impl From<InputError> for Why {
    fn from(error: InputError) -> Self {
        Self::Fault(error)
    }
}

fn run_counting(
    program: &mut dyn HostProgram,
    see: &mut dyn FnMut(&Instruction) -> ControlFlow<()>,
    counts: &mut Counts,
) -> Result<(), Why> {
    let mut instances = rustc_hash::FxHashMap::default();
    let mut waiting: VecDeque<HostLaunch> = program.start().into();
    let mut time = 0;
    loop {
        while let Some(launch) = waiting.pop_front() {
            time += 1;
            if let Body::Code(code) = &launch.body {
                let mut runner = Runner { counts, see, children: VecDeque::new() };
                runner.grid(&**code, launch.grid, launch.block)?;
                runner.drain()?;
            }
            let instance = instances.entry(launch.name.to_string()).or_insert(0);
            waiting.extend(program.kernel_finished(&launch.name, *instance, time));
            *instance += 1;
        }
        waiting.extend(program.all_finished(time));
        if waiting.is_empty() {
            return Ok(());
        }
    }
}

struct Runner<'a> {
    counts: &'a mut Counts,
    see: &'a mut dyn FnMut(&Instruction) -> ControlFlow<()>,
    /// What was launched and has not run.
    children: VecDeque<DeviceLaunch>,
}

/// Why a warp does not go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Barrier(NamedBarrier),
    Exit,
}

impl Runner<'_> {
    /// Runs everything that was launched.
    fn drain(&mut self) -> Result<(), Why> {
        while let Some(child) = self.children.pop_front() {
            if let Body::Code(code) = &child.body {
                self.grid(&**code, child.grid, child.block)?;
            }
        }
        Ok(())
    }

    fn grid(&mut self, code: &dyn KernelCode, grid: Dim3, block: Dim3) -> Result<(), Why> {
        self.counts.kernels += 1;
        let warps = (block.volume() as u64).div_ceil(WARP_LANES as u64) as u32;
        let mut programs = Vec::new();
        for z in 0..grid.z {
            for y in 0..grid.y {
                for x in 0..grid.x {
                    self.counts.blocks += 1;
                    code.block(Dim3::new(x, y, z), warps, &mut programs)?;
                    self.block(&mut programs)?;
                    programs.clear();
                }
            }
        }
        Ok(())
    }

    /// Runs the warps of a block in turns from barrier to barrier.
    fn block(&mut self, programs: &mut [Box<dyn WarpProgram>]) -> Result<(), Why> {
        let all = u64::MAX.checked_shr(64 - programs.len() as u32).unwrap_or(0);
        let mut barriers = Barriers::new(all);
        let mut running = all;
        let mut instruction = Instruction::default();
        while running != 0 {
            let mut opened = 0;
            for warp in (0..programs.len()).filter(|warp| running >> warp & 1 == 1) {
                let program = &mut *programs[warp];
                loop {
                    match self.warp(program, &mut instruction)? {
                        Stop::Barrier(barrier) => barriers.arrive(warp, barrier),
                        Stop::Exit => barriers.exited(warp),
                    }
                    opened |= barriers.open();
                    let goes_on = matches!(
                        instruction.operation,
                        Operation::NamedBarrier(NamedBarrier { waits: false, .. })
                    );
                    if !goes_on {
                        break;
                    }
                }
            }
            if opened == 0 && barriers.stuck() {
                let message =
                    format!("a block waits for ever: {}", barriers.report(|warp| warp as u32));
                let help = "expected all threads to come that a barrier waits for";
                return Err(InputError::new(message).help(help).into());
            }
            running = opened;
        }
        Ok(())
    }

    fn warp(
        &mut self,
        program: &mut dyn WarpProgram,
        instruction: &mut Instruction,
    ) -> Result<Stop, Why> {
        loop {
            program.next(instruction);
            self.counts.warp_instructions += 1;
            self.counts.thread_instructions += u64::from(instruction.active.count_ones());
            if (self.see)(instruction).is_break() {
                return Err(Why::Seen);
            }
            match instruction.operation {
                Operation::Exit => return Ok(Stop::Exit),
                Operation::Barrier => return Ok(Stop::Barrier(NamedBarrier::ALL)),
                Operation::NamedBarrier(barrier) => return Ok(Stop::Barrier(barrier)),
                Operation::Launch => self.children.extend(program.launches()),
                Operation::Synchronize => self.drain()?,
                Operation::Fault => {
                    let unknown = || InputError::new("a warp cannot go on");
                    return Err(program.fault().unwrap_or_else(unknown).into());
                }
                _ => {}
            }
        }
    }
}
