//! One thread block: its warps in turns, each up to its next barrier or to the end of its turn.

use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::barriers::Barriers;
use blockyard_gpu::program::{Instruction, NamedBarrier, Operation, WarpProgram};

use super::cluster::Place;
use super::{Runner, Why};

/// Instructions of a warp's turn: what it waits for in memory, another warp may have to write.
const TURN: u64 = 4096;

/// See the module.
pub(super) struct Block {
    warps: Vec<Box<dyn WarpProgram>>,
    barriers: Barriers,
    /// Its place in its cluster, if it has something to do with the other blocks there, and warps
    /// that wait for them.
    place: Option<Place>,
    for_cluster: u64,
    /// Warps that have not exited and wait at no barrier.
    running: u64,
}

/// Why a warp does not go on.
enum Stop {
    Barrier(NamedBarrier),
    /// At the barrier of the cluster: whether the warp waits there, or arrives.
    Cluster(bool),
    Exit,
    TurnIsOver,
}

impl Block {
    /// Up to 64 warps.
    pub fn new(warps: Vec<Box<dyn WarpProgram>>, place: Option<Place>) -> Self {
        let all = u64::MAX.checked_shr(64 - warps.len() as u32).unwrap_or(0);
        Self { warps, barriers: Barriers::new(all), place, for_cluster: 0, running: all }
    }

    /// Runs until all warps have exited, or wait for other blocks, or for about `patience`
    /// instructions; says whether they have exited.
    pub fn run(&mut self, runner: &mut Runner, patience: u64) -> Result<bool, Why> {
        let end = runner.counts.warp_instructions.saturating_add(patience);
        self.see_cluster();
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
                return Err(stuck(self.barriers.report(|warp| warp as u32)).into());
            }
            self.see_cluster();
        }
        Ok(self.barriers.alive() == 0)
    }

    /// Lets those warps go on for which all of their cluster have arrived.
    fn see_cluster(&mut self) {
        let Some(place) = self.place.as_ref().filter(|_| self.for_cluster != 0) else { return };
        let opened = self.for_cluster & !place.waiting();
        self.for_cluster &= !opened;
        self.running |= opened;
    }

    /// What keeps its warps from going on, if all of them wait.
    pub fn report(&self) -> Option<String> {
        let place = self.place.as_ref().filter(|_| self.for_cluster != 0)?;
        let inside = self.barriers.report(|warp| warp as u32);
        let parts = [place.report(), inside];
        Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "))
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
                Stop::Cluster(waits) => {
                    let place = self.place.as_ref();
                    if place.is_some_and(|place| place.come(warp, waits)) {
                        self.for_cluster |= 1 << warp;
                        self.running &= !(1 << warp);
                    }
                }
                Stop::Exit => {
                    self.place.iter().for_each(|place| place.exited(warp));
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

/// The complaint about warps that wait for ever.
pub(super) fn stuck(waiting: String) -> InputError {
    let help = "expected all threads to come that a barrier waits for";
    InputError::new(format!("a block waits for ever: {waiting}")).help(help)
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
            Operation::ClusterArrive => return Ok(Stop::Cluster(false)),
            Operation::ClusterWait => return Ok(Stop::Cluster(true)),
            Operation::Launch => runner.children.extend(program.launches()),
            Operation::Synchronize => runner.drain()?,
            Operation::Cancel => {
                for reply in program.questions() {
                    let taken = runner.blocks.take_cluster();
                    runner.counts.blocks += taken.map_or(0, |_| runner.blocks.of_cluster());
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
