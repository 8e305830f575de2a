//! What happens to launches between their calls and the ports.

use std::collections::VecDeque;
use std::rc::Rc;

use super::calls::{self, Call};
use super::commands::{Command, PendingGroup, AHEAD};
use super::{Device, Group, Launcher, Member, Step, SuspendedBlock, Waiter};
use crate::block::ResidentBlock;
use crate::diagnostic::InputError;
use crate::host::{DeviceLaunch, StatedLaunches};
use crate::launch::New;
use crate::port::{
    BlockNeeds, DevicePorts, Dim3, GroupReference, KernelEntry, KernelLaunch, LaunchMode, Parent,
};
use crate::Gpu;

impl Device {
    /// A warp of `launcher` begins the first of `calls` in `cycle`.
    pub fn call(&mut self, cycle: u64, launcher: Launcher, calls: VecDeque<Call>) {
        let Some(first) = calls.front() else { return };
        let thread = first.first();
        let launches = calls.iter().map(Call::threads).sum();
        self.pending += launches;
        self.families.expect(launcher.member, launches);
        self.timeline.add(cycle, (launcher.place.smx, thread), Step::Call(launcher, calls));
    }

    /// A block with linear id `block`, whose warps are in the slots of the set `warps`, starts in
    /// `cycle` at its place and runs for `duration` cycles.
    pub fn block_started(
        &mut self,
        cycle: u64,
        (launcher, warps): (Launcher, u64),
        duration: u64,
        (of, block): (&Rc<dyn StatedLaunches>, u64),
    ) {
        let launches = of.of_block(block);
        for (at, calls) in calls::of_block(warps, of, &launches) {
            self.call(cycle + at.min(duration - 1), launcher, calls);
        }
    }

    /// The number of the group that the scheduler calls `reference`.
    pub fn group_number(&self, reference: GroupReference) -> Option<usize> {
        self.groups.number(reference)
    }

    /// The group that the scheduler calls `reference`.
    pub fn group(&self, reference: GroupReference) -> Option<&Group> {
        self.groups.find(reference)
    }

    /// A block of the group with this number is dispatched to `smx` in `cycle`.
    pub fn start_group(&mut self, number: usize, smx: u8, cycle: u64) -> &Group {
        let group = self.groups.group_mut(number);
        self.counts.dispatch(smx, group.parent.smx, self.cluster);
        if !std::mem::replace(&mut group.started, true) {
            self.counts.start(group.called, cycle, self.group_bytes);
        }
        group
    }

    /// The number of the block that launched the group with this number, or else the kernel with
    /// this place.
    pub fn launched_by(&mut self, group: Option<usize>, kernel: Option<Member>) -> Option<u32> {
        let member = group.map(|number| self.groups.group_mut(number).member);
        self.families.launched_by(member.or(kernel)?)
    }

    /// The SMXs ask in the next cycle for the context of a block of this group, or of a native one.
    pub fn look_up(&mut self, group: Option<GroupReference>) {
        self.lookup_group = group;
    }

    /// The first block of a device kernel that was called in `called` is dispatched in `cycle`.
    pub fn kernel_started(&mut self, called: u64, cycle: u64) {
        self.counts.start(called, cycle, self.record_bytes);
    }

    /// A native block of a kernel that a block at `parent` launched is dispatched to `smx`.
    pub fn native_dispatched(&mut self, smx: u8, parent: Parent) {
        self.counts.dispatch(smx, parent.smx, self.cluster);
    }

    /// `block`, with the place of its group among those of its kernel, is off its SMX, and waits
    /// until all below `member` is over.
    pub fn suspend(&mut self, (block, group): (ResidentBlock, u32), member: Member) {
        self.counts.suspensions += 1;
        let number = self.suspended.put(SuspendedBlock { block, group });
        if self.families.has_launches(member) {
            self.families.wait(member, Waiter::Suspended(number));
        } else {
            self.comes_back(number);
        }
    }

    /// The suspended block with this number may go on.
    pub fn comes_back(&mut self, number: usize) {
        self.pools.suspend(number);
    }

    /// The place of the group with this number among those of its kernel, from 1.
    pub fn group_ordinal(&mut self, number: usize) -> u32 {
        self.groups.group_mut(number).ordinal
    }

    /// A device kernel has finished.
    pub fn kernel_finished(&mut self) {
        self.unfinished -= 1;
    }

    /// A block of the coalesced group with this number has ended, or has been suspended.
    pub fn block_ended(&mut self, group: usize) {
        if let Some(group) = self.groups.block_ended(group) {
            self.memory.release(group.pointer);
            self.families.ended(group.member);
        }
    }
}

impl Gpu {
    /// Everything up to `cycle` that happens between calls and ports.
    pub(crate) fn device_steps(&mut self, cycle: u64) {
        while let Some((at, thread, step)) = self.device.timeline.take(cycle) {
            let done = match step {
                Step::Call(launcher, calls) => self.begin(at, launcher, thread.1, calls),
                Step::Kernels(kernels) => {
                    kernels.into_iter().for_each(|kernel| self.device.pools.arrive(kernel));
                    Ok(())
                }
                Step::Command(command) => {
                    self.device.commands.offer(command);
                    Ok(())
                }
            };
            if let Err(error) = done {
                self.device.fail(error);
            }
        }
    }

    /// Why the run cannot go on, if a launch from the device cannot be, or a block cannot go on.
    pub fn take_failure(&mut self) -> Option<InputError> {
        self.device.failure.take()
    }

    /// Whether [`Gpu::take_failure`] has something to say.
    pub fn has_failed(&self) -> bool {
        self.device.failure.is_some()
    }

    /// The first of `calls` begins in `cycle`.
    fn begin(
        &mut self,
        cycle: u64,
        launcher: Launcher,
        thread: u16,
        mut calls: VecDeque<Call>,
    ) -> Result<(), InputError> {
        let Some(call) = calls.pop_front() else { return Ok(()) };
        let thread = (launcher.place.smx, thread);
        let end = cycle + self.device.latency.cycles(call.threads());
        self.device.pending -= call.threads();
        let launches = call.launches();
        match self.device.mode {
            LaunchMode::Flat => {
                let name = &launches[0].1.name;
                let message = format!("a block launches kernel `{name}` under --launch flat");
                return Err(InputError::new(message).help("use --launch cdp or --launch dtbl"));
            }
            LaunchMode::Cdp => {
                let mut kernels = Vec::new();
                for (_, launch) in launches {
                    kernels.push(self.device_kernel(launch, launcher, cycle)?);
                }
                self.device.timeline.add(end, thread, Step::Kernels(kernels));
            }
            LaunchMode::Dtbl => {
                let mut groups = VecDeque::new();
                for (hardware_thread, launch) in launches {
                    groups.push_back(self.group(hardware_thread, launch, launcher, cycle)?);
                }
                let command = Command { smx: thread.0, due: end, groups, back: Vec::new() };
                let offer = end.saturating_sub(AHEAD).max(cycle + 1);
                self.device.timeline.add(offer, thread, Step::Command(command));
            }
        }
        if let Some(next) = calls.front() {
            let thread = (thread.0, next.first());
            self.device.timeline.add(end, thread, Step::Call(launcher, calls));
        }
        Ok(())
    }

    /// A thread of `launcher` launches a kernel in `called`; returns its number.
    fn device_kernel(
        &mut self,
        launch: DeviceLaunch,
        launcher: Launcher,
        called: u64,
    ) -> Result<usize, InputError> {
        let needs = needs(&launch);
        let DeviceLaunch { name, grid, block, cluster, body, .. } = launch;
        let mut new = New { name, grid, block, needs, body };
        let blocks = self.check(&mut new, true)?;
        let threads = threads(blocks, block);
        let kernel = self.add_kernel(new, blocks, None, called);
        // A child is as urgent as its parent, and for the same partition.
        let KernelLaunch { priority, partition, .. } = self.kernels[launcher.kernel].launch;
        let launch = &mut self.kernels[kernel].launch;
        *launch = KernelLaunch { cluster, priority, partition, ..*launch };
        self.kernels[kernel].parent = Some(launcher.place);
        self.kernels[kernel].member = Some(self.device.families.launched(launcher.member));
        self.device.counts.kernels += 1;
        self.device.counts.threads += threads;
        self.device.counts.pending.reserve(called, self.device.record_bytes);
        self.device.unfinished += 1;
        Ok(kernel)
    }

    /// A thread of `launcher` launches a group in `called`.
    fn group(
        &mut self,
        hardware_thread: u16,
        launch: DeviceLaunch,
        launcher: Launcher,
        called: u64,
    ) -> Result<PendingGroup, InputError> {
        let needs = needs(&launch);
        let DeviceLaunch { name, grid, block, body, .. } = launch;
        let mut new = New { name, grid, block, needs, body };
        let blocks = self.check(&mut new, true)?;
        let code = self.code(&new.name);
        let number = self.device.counts.groups as u32;
        let New { name, body, needs, .. } = new;
        let launch = KernelLaunch {
            entry_pc: Self::entry_pc(code),
            parameter_address: 0x8000_0000_u32.wrapping_add(number.wrapping_mul(0x100)),
            grid,
            block,
            blocks,
            needs,
            ..Default::default()
        };
        self.device.counts.groups += 1;
        self.device.counts.threads += threads(blocks, block);
        self.device.counts.pending.reserve(called, self.device.group_bytes);
        self.device.pending += 1;
        let pointer = self.device.memory.allocate(grid);
        let Launcher { place: parent, member, .. } = launcher;
        let member = self.device.families.launched(member);
        Ok(PendingGroup {
            hardware_thread,
            parent,
            member,
            pointer,
            launch,
            name,
            code,
            body,
            called,
        })
    }

    /// `group` is coalesced to the kernel in `entry`; `on_chip` says where its information is.
    pub(super) fn coalesce(
        &mut self,
        entry: KernelEntry,
        group: PendingGroup,
        reference: GroupReference,
        on_chip: bool,
    ) -> Result<(), InputError> {
        let kernel = self.entries[entry.index()].expect("an occupied entry");
        let kernel = &mut self.kernels[kernel];
        let (own, others) = (group.launch.needs, kernel.launch.needs);
        if own != others {
            let [bytes, other_bytes] =
                [own, others].map(|needs| needs.shared_memory * self.config.smx.shared_memory_unit);
            let message = format!(
                "a group of kernel `{}` needs {} registers and {bytes} bytes of shared memory a block, the kernel to which it is coalesced {} and {other_bytes}",
                group.name, own.registers, others.registers
            );
            return Err(InputError::new(message)
                .help("expected the same in all launches of a kernel with equal blocks"));
        }
        kernel.groups += 1;
        kernel.blocks += u64::from(group.launch.blocks);
        if on_chip {
            self.device.counts.on_chip += 1;
        } else {
            self.device.counts.in_memory += 1;
            if self.device.ports.device == DevicePorts::Groups {
                self.device.memory.leave(entry, group.pointer);
            }
        }
        self.device.pending -= 1;
        self.device.groups.coalesce(group, kernel.groups, reference);
        Ok(())
    }

    /// The groups of `command` that came back become device kernels: the warp launches them in one
    /// more call, which needs no stream; their parameters are in place.
    pub(super) fn fall_back(&mut self, command: Command, cycle: u64) {
        let end = cycle + self.device.fallback.cycles(command.back.len());
        let mut kernels = Vec::new();
        let mut first = None;
        for group in command.back {
            let PendingGroup { hardware_thread, parent, member, pointer, launch, .. } = group;
            let KernelLaunch { grid, block, blocks, needs, parameter_address, .. } = launch;
            let new = New { name: group.name, grid, block, needs, body: group.body };
            let kernel = self.add_kernel(new, blocks, Some(parameter_address), group.called);
            self.kernels[kernel].parent = Some(parent);
            self.kernels[kernel].member = Some(member);
            self.device.memory.release(pointer);
            let pending = &mut self.device.counts.pending;
            pending.release(cycle, self.device.group_bytes);
            pending.reserve(cycle, self.device.record_bytes);
            self.device.counts.kernels += 1;
            self.device.counts.fallbacks += 1;
            self.device.pending -= 1;
            self.device.unfinished += 1;
            kernels.push(kernel);
            first.get_or_insert(hardware_thread);
        }
        let thread = (command.smx, first.unwrap_or(0));
        self.device.timeline.add(end, thread, Step::Kernels(kernels));
    }
}

/// Of `blocks` blocks of that extent.
fn threads(blocks: u32, block: Dim3) -> u64 {
    u64::from(blocks) * block.volume() as u64
}

fn needs(launch: &DeviceLaunch) -> BlockNeeds {
    BlockNeeds::of(launch.block, launch.registers_per_thread, launch.shared_memory)
}
