//! How a warp comes to a barrier, waits there and goes on.

use super::addresses::each;
use super::registers::First;
use super::{Fault, Warp};
use crate::program::{Barrier, Reduction, Reg};
use blockyard_gpu::barriers::BARRIERS;
use blockyard_gpu::program::{Instruction, NamedBarrier, Operation, WARP_LANES};

/// Where lanes wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Block(NamedBarrier),
    Cluster,
}

/// What lanes find out when a barrier has opened.
pub(super) struct Awaited {
    reduction: Reduction,
    to: Reg,
    /// Where its registers begin: it may wait in a function.
    first: First,
    lanes: u32,
    barrier: u32,
    turn: u32,
}

impl Warp {
    /// The lanes that wait at a barrier.
    pub(super) fn waiting(&self) -> u32 {
        let here = self.frame.paths.waiting();
        self.callers.iter().fold(here, |lanes, frame| lanes | frame.paths.waiting())
    }

    /// All lanes that are left wait at a barrier: the warp has come to it.
    pub(super) fn come_to_barrier(&mut self, shown: &mut Instruction) {
        shown.operation = match self.came_to.0 {
            Meeting::Block(NamedBarrier::ALL) => Operation::Barrier,
            Meeting::Block(other) => Operation::NamedBarrier(other),
            Meeting::Cluster => Operation::ClusterWait,
        };
        if let Meeting::Block(named) = self.came_to.0 {
            self.turns[usize::from(named.id)] += 1;
        }
        self.at_barrier = true;
    }

    /// No lane can go on by itself: all wait at a barrier, to which the warp comes now, or some are
    /// stuck.
    #[cold]
    pub(super) fn nobody_goes_on(&mut self, shown: &mut Instruction) -> Result<(), Fault> {
        if self.waiting() != self.alive {
            return Err(self.stuck());
        }
        shown.active = self.alive;
        (shown.destination, shown.sources) = Default::default();
        self.come_to_barrier(shown);
        Ok(())
    }

    /// `lanes` of a path wait for others.
    pub(super) fn wait_for(
        &mut self,
        (meeting, path): (Meeting, usize),
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let others = self.waiting() != 0 && self.is_other(meeting);
        if others || self.paths().get(path).ahead {
            // Those that wait are at another barrier, or in another round.
            return Err(self.stuck());
        }
        self.paths().wait(path, lanes);
        self.came_to = (meeting, self.at);
        if self.waiting() == self.alive {
            self.come_to_barrier(shown);
        } else {
            // The other lanes of the warp must come first.
            shown.operation = super::warp_wide::INTEGER;
        }
        Ok(())
    }

    /// Whether lanes came last to a barrier of a block, and one of a cluster is meant, or the other
    /// way round.
    fn is_other(&self, meeting: Meeting) -> bool {
        (self.came_to.0 == Meeting::Cluster) != (meeting == Meeting::Cluster)
    }

    /// `lanes` come to a barrier.
    pub(super) fn arrive(
        &mut self,
        barrier: &Barrier,
        (path, lanes): (usize, u32),
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let named = self.named(barrier, lanes)?;
        if self.paths().get(path).ahead {
            // Those that wait are at another barrier, or in another round.
            return Err(self.stuck());
        }
        let id = usize::from(named.id);
        let turn = self.turns[id];
        if let Some((reduction, flag, to)) = barrier.reduction {
            let holds = self.registers.flag(flag);
            let barrier = u32::from(named.id);
            self.block.bring(barrier, turn, lanes, holds);
            let first = self.registers.first;
            self.awaited.push(Awaited { reduction, to, first, lanes, barrier, turn });
        }
        if !named.waits {
            shown.operation = Operation::NamedBarrier(named);
            self.turns[id] += 1;
            self.paths().get(path).at += 1;
            return Ok(());
        }
        self.wait_for((Meeting::Block(named), path), lanes, shown)
    }

    /// Which barrier `lanes` come to, and for whom it waits: the lowest lane's numbers hold for
    /// all.
    fn named(&self, barrier: &Barrier, lanes: u32) -> Result<NamedBarrier, Fault> {
        let lane = lanes.trailing_zeros() as usize;
        let of = |source| {
            let mut scratch = [0; WARP_LANES];
            self.value(source, &mut scratch)[lane]
        };
        let id = of(barrier.id);
        if id >= u64::from(BARRIERS) {
            let message = format!("barrier {id} does not exist");
            return Err(Fault::of_lane(lane, message, format!("0 to {}", BARRIERS - 1)));
        }
        let warps = match barrier.threads.map(of) {
            None => None,
            Some(threads) if threads % WARP_LANES as u64 == 0 && (32..=1024).contains(&threads) => {
                Some((threads / WARP_LANES as u64) as u8)
            }
            Some(threads) => {
                let message = format!("barrier {id} waits for {threads} threads");
                return Err(Fault::of_lane(lane, message, "a multiple of 32 up to 1024"));
            }
        };
        Ok(NamedBarrier { id: id as u8, warps, waits: barrier.waits })
    }

    /// How many barriers it has passed, or waits at.
    pub(super) fn barriers_passed(&self) -> u32 {
        self.turns.iter().sum()
    }

    /// All warps have come to the barrier.
    pub(super) fn open_barrier(&mut self) {
        self.at_barrier = false;
        if self.came_to.0 == Meeting::Cluster {
            (self.arrived, self.has_arrived) = (0, false);
        }
        self.all_frames().for_each(|frame| frame.paths.resume());
        for awaited in std::mem::take(&mut self.awaited) {
            let Awaited { reduction, to, first, lanes, barrier, turn } = awaited;
            let found = self.block.find_out(barrier, turn, lanes, reduction);
            let now = std::mem::replace(&mut self.registers.first, first);
            match reduction {
                Reduction::Count => {
                    self.registers.write(to, lanes, &[u64::from(found); WARP_LANES]);
                }
                _ => self.registers.write_flag(to, lanes, if found == 0 { 0 } else { u32::MAX }),
            }
            self.registers.first = now;
        }
    }

    /// The last lanes have exited, or some: then those that are left may all wait at a barrier.
    pub(super) fn after_exit(&mut self, shown: &mut Instruction) {
        if self.alive == 0 {
            shown.operation = Operation::Exit;
            self.leave_block();
        } else if self.comes_to_cluster(shown) {
            // Those that are left may all wait: that is the next instruction.
        } else if self.waiting() == self.alive {
            self.come_to_barrier(shown);
        }
    }

    /// No lane can go on: some wait at a barrier that others of the warp never reach.
    pub(super) fn stuck(&mut self) -> Fault {
        let waiting = self.waiting();
        (_, self.at) = self.came_to;
        let first = self.own.warp * WARP_LANES as u32;
        let list = |lanes: u32| {
            let numbers = each(lanes).map(|lane| (first + lane as u32).to_string());
            numbers.collect::<Vec<_>>().join(", ")
        };
        let message = format!(
            "threads {} of the block wait at a barrier that threads {} never reach",
            list(waiting),
            list(self.alive & !waiting)
        );
        Fault::of_lanes(waiting, message, "all threads of a warp that have not exited to reach it")
    }
}
