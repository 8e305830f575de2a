//! Instructions that need neither unit nor memory: launches, barriers, synchronization, what
//! concerns dependents and blocks that have not started, faults, exits.

use super::{Request, Smx};
use crate::barriers::NamedBarrier;
use crate::block::ResidentBlock;
use crate::device::calls_of_warp;
use crate::diagnostic::InputError;
use crate::event::{Calendar, Event};
use crate::failure::{Failure, Reason};
use crate::program::Operation;

impl Smx {
    /// Executes such an instruction. Returns the cycle from which its result can be used, unless
    /// the warp stops.
    pub(super) fn execute_control(&mut self, slot: usize, calendar: &mut Calendar) -> Option<u64> {
        match self.warps.next[slot].operation {
            Operation::Launch => {
                let returned = calendar.now() + self.launch(slot);
                self.warps.boards[slot].hold(returned);
                return Some(returned);
            }
            Operation::Barrier => self.arrive(slot, NamedBarrier::ALL, calendar),
            Operation::NamedBarrier(barrier) => {
                self.arrive(slot, barrier, calendar);
                return (!barrier.waits).then(|| calendar.now() + 1);
            }
            Operation::ClusterArrive => {
                self.arrive_in_cluster(slot);
                return Some(calendar.now() + 1);
            }
            Operation::ClusterWait => self.wait_in_cluster(slot, calendar),
            Operation::Synchronize => self.synchronize(slot),
            Operation::Trigger => {
                self.come_to_trigger(slot, calendar);
                return Some(calendar.now() + 1);
            }
            Operation::AwaitPredecessor => self.await_predecessor(slot, calendar),
            Operation::Cancel => {
                self.ask(slot, calendar);
                return Some(calendar.now() + 1);
            }
            Operation::Fault => self.fault(slot),
            _ => self.exit(slot, calendar),
        }
        None
    }

    /// The warp launches; returns how long its calls take, at least a cycle.
    fn launch(&mut self, slot: usize) -> u64 {
        let calls = calls_of_warp(slot, self.warps.launches(slot));
        let cycles = self.call_latency.cycles_of(&calls);
        if !calls.is_empty() {
            self.requests.push_back(Request::Launch(self.warps.block_slot[slot], calls));
        }
        cycles.max(1)
    }

    /// The warp cannot go on: it stays where it is, and the run ends.
    #[cold]
    fn fault(&mut self, slot: usize) {
        let error = self.warps.fault(slot);
        self.fail(self.warps.block_slot[slot], Reason::Fault(error));
    }

    /// The block in `slot` cannot go on, for the reason `error`.
    #[cold]
    pub(super) fn cannot_go_on(&mut self, slot: u8, error: InputError) {
        self.fail(slot, Reason::Fault(Some(error)));
    }

    /// The block in `block_slot` cannot go on.
    fn fail(&mut self, block_slot: u8, why: Reason) {
        let ResidentBlock { kernel, block, .. } = *self.block_mut(block_slot);
        self.failure.get_or_insert_with(|| Box::new(Failure { kernel, block, why }));
    }

    #[inline]
    fn arrive(&mut self, slot: usize, barrier: NamedBarrier, calendar: &mut Calendar) {
        let block_slot = self.warps.block_slot[slot];
        self.block_mut(block_slot).barriers.arrive(slot, barrier);
        self.at_barrier |= u64::from(barrier.waits) << slot;
        self.open_barriers(block_slot, calendar);
    }

    fn exit(&mut self, slot: usize, calendar: &mut Calendar) {
        let block_slot = self.warps.block_slot[slot];
        self.alive &= !(1 << slot);
        self.alive_warps -= 1;
        self.buffered &= !(1 << slot);
        self.block_mut(block_slot).barriers.exited(slot);
        self.trigger_if_all_have(block_slot, calendar);
        self.exit_in_cluster(slot);
        self.leave_or_drain(slot, calendar);
        self.open_barriers(block_slot, calendar);
    }

    /// The warp leaves, with `warp.exit_waits_for_stores` when its stores are acknowledged.
    pub(super) fn leave_or_drain(&mut self, slot: usize, calendar: &mut Calendar) {
        if self.exit_waits_for_stores
            && (self.warps.stores[slot] > 0 || self.load_store.queued(slot) > 0)
        {
            self.draining |= 1 << slot;
            self.block_of(slot).draining |= 1 << slot;
        } else {
            self.leave(slot, calendar);
        }
    }

    /// The warp has exited, or its block is suspended, and nothing of it is on its way: its slot is
    /// free.
    pub(super) fn leave(&mut self, slot: usize, calendar: &mut Calendar) {
        let block_slot = self.warps.block_slot[slot];
        self.warps.end(slot);
        self.block_mut(block_slot).draining &= !(1 << slot);
        self.end_if_over(block_slot, calendar);
    }

    /// The block in `block_slot` ends if all its warps have left, and nothing else keeps it.
    pub(super) fn end_if_over(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let (smx, latency) = (self.id, self.pipeline_latency);
        let block = self.block_mut(block_slot);
        let left = block.barriers.alive() == 0 && block.draining == 0;
        if left && block.dependence.is_over() {
            let event = Event::BlockEnd { smx, slot: block_slot };
            calendar.schedule(calendar.now() + 1 + latency, event);
        }
    }

    #[inline]
    fn open_barriers(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let barriers = &mut self.block_mut(block_slot).barriers;
        let warps = barriers.open();
        if warps != 0 {
            self.at_barrier &= !warps;
            self.resume(warps, calendar);
        } else {
            self.check_waiting(block_slot, calendar);
        }
    }

    /// Every warp of the block waits for another one.
    #[cold]
    pub(super) fn deadlock(&mut self, block_slot: u8) {
        let numbers = self.warps.numbers;
        let report = self.block_mut(block_slot).barriers.report(|slot| numbers[slot].into());
        self.fail(block_slot, Reason::Deadlock(report));
    }
}
