//! One thread block: its warps in turns, each up to its next barrier or to the end of its turn.

use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::barriers::Barriers;
use blockyard_gpu::program::{Instruction, NamedBarrier, Operation, WarpProgram};

use super::{Runner, Why};

/// Instructions of a warp's turn: what it waits for in memory, another warp may have to write.
const TURN: u64 = 4096;

/// See the module.
pub(super) struct Block {
    warps: Vec<Box<dyn WarpProgram>>,
    barriers: Barriers,
    /// Warps that have not exited and wait at no barrier.
    running: u64,
}

/// Why a warp does not go on.
enum Stop {
    Barrier(NamedBarrier),
    Exit,
    TurnIsOver,
}

impl Block {
    /// Up to 64 warps.
    pub fn new(warps: Vec<Box<dyn WarpProgram>>) -> Self {
        let all = u64::MAX.checked_shr(64 - warps.len() as u32).unwrap_or(0);
        Self { warps, barriers: Barriers::new(all), running: all }
    }

    /// Runs until all warps have exited, or for about `patience` instructions; says whether they have.
    pub fn run(&mut self, runner: &mut Runner, patience: u64) -> Result<bool, Why> {
        let end = runner.counts.warp_instructions.saturating_add(patience);
        while self.running != 0 {
            if runner.counts.warp_instructions >= end {
                return Ok(false);
            }
            for warp in 0..self.warps.len() {
                if self.running >> warp & 1 == 1 {
                    self.turn(warp, runner)?;
                }
            }
            if self.barriers.stuck() {
                let waiting = self.barriers.report(|warp| warp as u32);
                let help = "expected all threads to come that a barrier waits for";
                let message = format!("a block waits for ever: {waiting}");
                return Err(InputError::new(message).help(help).into());
            }
        }
        Ok(true)
    }

    /// Lets `warp` run until it waits, exits, or has had its turn.
    fn turn(&mut self, warp: usize, runner: &mut Runner) -> Result<(), Why> {
        let end = runner.counts.warp_instructions + TURN;
        while self.running >> warp & 1 == 1 {
            match run(&mut *self.warps[warp], end, runner)? {
                Stop::TurnIsOver => return Ok(()),
                Stop::Barrier(barrier) => {
                    self.barriers.arrive(warp, barrier);
                    self.running &= !(u64::from(barrier.waits) << warp);
                }
                Stop::Exit => {
                    self.barriers.exited(warp);
                    self.running &= !(1 << warp);
                }
            }
            let opened = self.barriers.open();
            self.running |= opened;
            if opened >> warp & 1 == 1 {
                // Others have waited for longer.
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Runs a warp until it stops, or `end` instructions were executed in all.
fn run(program: &mut dyn WarpProgram, end: u64, runner: &mut Runner) -> Result<Stop, Why> {
    let mut instruction = Instruction::default();
    while runner.counts.warp_instructions < end {
        program.next(&mut instruction);
        runner.counts.warp_instructions += 1;
        runner.counts.thread_instructions += u64::from(instruction.active.count_ones());
        if (runner.see)(&instruction).is_break() {
            return Err(Why::Seen);
        }
        match instruction.operation {
            Operation::Exit => return Ok(Stop::Exit),
            Operation::Barrier => return Ok(Stop::Barrier(NamedBarrier::ALL)),
            Operation::NamedBarrier(barrier) => return Ok(Stop::Barrier(barrier)),
            Operation::Launch => runner.children.extend(program.launches()),
            Operation::Synchronize => runner.drain()?,
            Operation::Cancel => {
                for reply in program.questions() {
                    let taken = runner.blocks.next();
                    runner.counts.blocks += u64::from(taken.is_some());
                    reply(taken)?;
                }
            }
            Operation::Fault => {
                let unknown = || InputError::new("a warp cannot go on");
                return Err(program.fault().unwrap_or_else(unknown).into());
            }
            _ => {}
        }
    }
    Ok(Stop::TurnIsOver)
}
