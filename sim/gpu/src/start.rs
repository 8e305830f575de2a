//! What a thread block does once it is dispatched.

use super::barriers::Barriers;
use super::block::ResidentBlock;
use super::clusters;
use super::dependence::Dependence;
use super::device::Launcher;
use super::host::Body;
use super::overlap::{Course, HeldBlock};
use super::sharing::BlockIdentity;
use super::Gpu;
use crate::diagnostic::InputError;
use crate::port::{DevicePorts, Dispatch, Outputs, Parent};
use crate::program::WARP_LANES;

impl Gpu {
    /// The level of a block that is dispatched. Where several blocks may be dispatched in a cycle
    /// the scheduler does not tell it, and it is that of the kernel.
    pub(super) fn level(&self, dispatch: &Dispatch, outputs: &Outputs) -> u8 {
        match self.device.ports().device {
            DevicePorts::Nested if self.returning(dispatch.kernel).is_some() => 0,
            DevicePorts::Nested => self.kernel_in(dispatch.kernel).map_or(0, |kernel| kernel.level),
            _ => outputs.device.queues.level,
        }
    }

    /// The block that `dispatch` names starts in `cycle` at `place`: on that SMX, with that level.
    pub(super) fn start(
        &mut self,
        cycle: u64,
        place: Parent,
        dispatch: &Dispatch,
    ) -> Result<(), InputError> {
        // What is native to the record of a suspended block is that block.
        if let (None, Some(returning)) = (dispatch.group, self.returning(dispatch.kernel)) {
            self.bring_back(place, dispatch, returning);
            return Ok(());
        }
        let index = self.entries[dispatch.kernel.index()].expect("an occupied entry");
        let Self { kernels, device, smxs, memory, calendar, config, sharing, .. } = self;
        let (placed, open) = (self.places_clusters, &mut self.open_clusters);
        let sees_triggers = device.ports().sees_triggers();
        let takes_cancels = device.ports().takes_cancels();
        let predecessor = kernels[index].predecessor.filter(|&of| kernels[of].finish.is_none());
        let kernel = &mut kernels[index];
        kernel.dispatched += 1;
        let group = dispatch.group.and_then(|reference| device.group_number(reference));
        let parent = sharing.as_ref().and_then(|_| device.launched_by(group, kernel.member));
        let (body, grid, code, launch, family) = if let Some(number) = group {
            let group = device.start_group(number, place.smx, cycle);
            // What is coherent from kernel to kernel is so from group to group.
            (&group.body, group.grid, group.code, usize::MAX - group.serial, Some(group.member))
        } else {
            if kernel.first_dispatch.is_none() {
                kernel.first_dispatch = Some(cycle);
                if kernel.parent.is_some() {
                    device.kernel_started(kernel.arrive, cycle);
                }
            }
            if let Some(parent) = kernel.parent {
                device.native_dispatched(place.smx, parent);
            }
            let body = kernel.body.as_ref().expect("a kernel that dispatches has not finished");
            (body, kernel.launch.grid, kernel.code, index, kernel.member)
        };
        let identity = match sharing {
            Some(sharing) => sharing.started(parent, launch),
            None => BlockIdentity::default(),
        };
        let block = dispatch.block;
        let mut resident = ResidentBlock {
            kernel: index,
            group,
            entry: dispatch.kernel,
            place,
            triggered: false,
            block,
            reserved: 0,
            barriers: Barriers::default(),
            for_launches: 0,
            cluster: None,
            dependence: Dependence::default(),
            draining: 0,
            saved: None,
            family,
            member: None,
            code,
            identity,
        };
        let warps = kernel.launch.needs.threads / WARP_LANES as u32;
        let smx = usize::from(place.smx);
        let this = &mut smxs[smx];
        if self.coherent && this.changes_kernel(launch) {
            this.acquire(memory, calendar);
        }
        if let Some(bytes) = config.carveout(kernel.launch.needs).filter(|_| this.is_empty()) {
            this.resize_l1(config.l1.size - bytes, memory, calendar);
        }
        let block = block.linear(grid);
        let wait = this.context_wait(dispatch.kernel, cycle);
        match body {
            Body::Durations(durations) => {
                let duration = wait + config.slowed(smx, durations.of(block));
                if takes_cancels && kernel.persistence.cancels {
                    let slot = this.start_open(resident, warps, cycle);
                    self.asks_behind_work((smx, slot), cycle + duration);
                    return Ok(());
                }
                if !sees_triggers {
                    this.start_timed(resident, warps, duration, calendar);
                    return Ok(());
                }
                let course = Course::new(&kernel.overlap, (wait, duration), (config, smx));
                let slot = this.start_open(resident, warps, cycle);
                let held = HeldBlock { slot, smx: place.smx, dispatched: cycle, course };
                held.begin(this, calendar);
                match predecessor {
                    Some(predecessor) => kernels[predecessor].held.push(held),
                    None => held.go_on(cycle, this, calendar),
                }
            }
            Body::Contended(durations, contention) => {
                let duration = wait + config.slowed(smx, durations.of(block));
                this.start_shared(resident, warps, duration, *contention, calendar);
            }
            Body::Launching(durations, launches) => {
                let duration = wait + config.slowed(smx, durations.of(block));
                let launches = launches.clone();
                let member = device.families.block(family, resident.identity.number);
                resident.member = Some(member);
                let slots = this.start_timed(resident, warps, duration, calendar);
                let launcher = Launcher { place, kernel: index, member };
                device.block_started(cycle, (launcher, slots), duration, (&launches, block));
            }
            Body::Code(code) => {
                resident.dependence = Dependence {
                    may_trigger: sees_triggers,
                    follows: predecessor.is_some(),
                    is_answered: takes_cancels,
                    ..Dependence::default()
                };
                if code.works_in_cluster() {
                    let (block, alone) = (resident.block, group.is_some());
                    let of = (index, &*kernel, placed);
                    resident.cluster = Some(clusters::join(open, of, (block, warps, alone))?);
                }
                let slot = this.start_code((resident, wait), warps, code.as_ref(), calendar)?;
                if let Some(predecessor) = predecessor {
                    kernels[predecessor].followers.push((place.smx, slot));
                }
            }
        }
        Ok(())
    }
}
