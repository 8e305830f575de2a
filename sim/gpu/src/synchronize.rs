//! Blocks that wait for what they have launched: when they may go on, and on their way off the SMXs
//! and back. The rules are on `docs/gpu.md`.

use super::block::ResidentBlock;
use super::device::{Device, Launcher, Returning, Waiter};
use super::event::Calendar;
use super::memory::Memory;
use super::smx::{Request, Smx};
use super::Gpu;
use crate::port::{Cluster, Dim3, Dispatch, KernelEntry, KernelLaunch, Parent};
use crate::program::WARP_LANES;

/// What answers the requests of warps.
pub(super) struct Runtime<'a> {
    pub(super) device: &'a mut Device,
    pub(super) memory: &'a mut Memory,
    pub(super) coherent: bool,
}

impl Runtime<'_> {
    /// A warp of `smx` asks in this cycle.
    pub(super) fn answer(&mut self, smx: &mut Smx, request: Request, calendar: &mut Calendar) {
        match request {
            Request::Launch(slot, calls) => {
                let launcher = self.launcher(smx.block_mut(slot));
                self.device.call(calendar.now(), launcher, calls);
            }
            Request::Synchronize(warp) => {
                let member = smx.block_of(warp).member;
                let waits = member.filter(|member| self.device.families.has_launches(*member));
                if let Some(member) = waits {
                    let place = smx.place_of(warp);
                    self.device.families.wait(member, place);
                    smx.wait_for_launches(warp, calendar);
                } else {
                    if self.coherent && member.is_some() {
                        smx.acquire(self.memory, calendar);
                    }
                    smx.go_on(warp, calendar);
                }
            }
            // Warps of other SMXs, which are not at hand here.
            Request::GoOn(_) => {}
        }
    }

    fn launcher(&mut self, block: &mut ResidentBlock) -> Launcher {
        let families = &mut self.device.families;
        let member =
            block.member.unwrap_or_else(|| families.block(block.family, block.identity.number));
        block.member = Some(member);
        Launcher { place: block.place, kernel: block.kernel, member }
    }
}

impl Gpu {
    /// `block` has been reported: it has ended, or is suspended from now on.
    pub(super) fn block_left(&mut self, block: ResidentBlock) {
        let Self { kernels, device, .. } = self;
        let kernel = &mut kernels[block.kernel];
        let ordinal = block.group.map_or(0, |group| device.group_ordinal(group));
        if let Some(group) = block.group {
            device.block_ended(group);
        }
        let Some(member) = block.member.filter(|_| block.saved.is_some()) else {
            kernel.ended += 1;
            if let Some(member) = block.member {
                device.families.ended(member);
            }
            return;
        };
        kernel.suspended += 1;
        device.suspend((block, ordinal), member);
    }

    /// Lets those blocks go on of which everything has finished that they launched.
    pub(super) fn wake(&mut self) {
        let Self { device, smxs, memory, calendar, coherent, .. } = self;
        while let Some(waiter) = device.families.take_clear() {
            match waiter {
                Waiter::Resident { smx, slot } => {
                    let smx = &mut smxs[usize::from(smx)];
                    if *coherent {
                        smx.acquire(memory, calendar);
                    }
                    smx.launches_finished(slot, calendar);
                }
                Waiter::Suspended(number) => device.comes_back(number),
            }
        }
    }

    /// The record of a suspended block: a kernel of that block alone.
    pub(super) fn record_of(&self, number: usize) -> KernelLaunch {
        let launch = self.kernels[self.device.suspended.kernel(number)].launch;
        let (grid, cluster) = (Dim3::new(1, 1, 1), Cluster::default());
        KernelLaunch { grid, blocks: 1, cluster, follows: None, ..launch }
    }

    /// The block that `entry` of the Kernel Distributor has brought back, or will bring back.
    pub fn returning(&self, entry: KernelEntry) -> Option<Returning> {
        self.device.suspended.returning(entry)
    }

    /// The suspended block that `dispatch` brings back goes on at `place`.
    pub(super) fn bring_back(&mut self, place: Parent, dispatch: &Dispatch, returning: Returning) {
        let Self { kernels, device, smxs, memory, calendar, coherent, .. } = self;
        let block = device.suspended.take(returning);
        let kernel = &mut kernels[block.kernel];
        kernel.suspended -= 1;
        let warps = kernel.launch.needs.threads / WARP_LANES as u32;
        let smx = &mut smxs[usize::from(place.smx)];
        if *coherent {
            smx.changes_kernel(block.kernel);
            smx.acquire(memory, calendar);
        }
        // To the scheduler it is another kernel's block, which triggers once.
        let (entry, triggered) = (dispatch.kernel, false);
        let block = ResidentBlock { entry, triggered, group: None, place, ..block };
        let wait = smx.context_wait(block.entry, calendar.now());
        smx.start_saved((block, wait), warps, calendar);
    }
}
