//! What is launched: checked, numbered, and, where the host launches it, queued in its stream.

use std::rc::Rc;

use super::host::{Body, Durations, HostLaunch, Overlap, Persistence};
use super::kernel::Kernel;
use super::{Gpu, MAX_BLOCK_THREADS};
use crate::diagnostic::InputError;
use crate::port::{BlockNeeds, Dim3, KernelLaunch, KERNEL_ENTRIES, MAX_BLOCKS};

/// A kernel or a group before it has a number.
pub(super) struct New {
    pub(super) name: Rc<str>,
    pub(super) grid: Dim3,
    pub(super) block: Dim3,
    pub(super) needs: BlockNeeds,
    pub(super) body: Body,
}

impl Gpu {
    /// Queues `launches`, none of which arrives before `earliest`.
    pub(super) fn submit(
        &mut self,
        launches: Vec<HostLaunch>,
        earliest: u64,
    ) -> Result<(), InputError> {
        for launch in launches {
            if self.leaves_out(&launch) {
                continue;
            }
            let needs = launch.needs();
            let HostLaunch {
                name,
                stream,
                arrive,
                grid,
                block,
                copies,
                relation,
                cluster,
                priority,
                partition,
                overlap,
                persistence,
                resident,
                body,
                ..
            } = launch;
            // Others are not known to wait.
            let waits = matches!(body, Body::Durations(_) | Body::Code(_));
            let mut new = New { name, grid, block, needs, body };
            let blocks = self.check(&mut new, false)?;
            let arrive = arrive.max(earliest);
            let kernel = self.add_kernel(new, blocks, None, arrive);
            self.kernels[kernel].copies = copies;
            self.kernels[kernel].launch.relation = relation;
            self.kernels[kernel].launch.cluster = cluster;
            self.kernels[kernel].launch.priority = priority;
            self.kernels[kernel].launch.partition = partition;
            self.kernels[kernel].overlap = overlap;
            self.kernels[kernel].persistence = persistence;
            self.streams.launch(kernel, stream, arrive, waits && overlap.dependent);
            if resident {
                self.stays(kernel).map_err(|message| {
                    let most = KERNEL_ENTRIES - 1;
                    InputError::new(message).help(format!("expected at most {most} at once"))
                })?;
            }
        }
        Ok(())
    }

    /// The next instance of a kernel that has been checked; returns its number.
    pub(super) fn add_kernel(
        &mut self,
        new: New,
        blocks: u32,
        parameters: Option<u32>,
        arrive: u64,
    ) -> usize {
        let New { name, grid, block, needs, body } = new;
        let code = self.code(&name);
        let launched = &mut self.names.get_mut(&name).expect("it has a number").1;
        let instance = *launched;
        *launched += 1;
        let number = self.kernels.len();
        let launch = KernelLaunch {
            entry_pc: Self::entry_pc(code),
            // Code and parameters are not in the modelled memory; the addresses only have to tell
            // kernels and launches apart.
            parameter_address: parameters
                .unwrap_or(0x4000_0000_u32.wrapping_add((number as u32).wrapping_mul(0x100))),
            grid,
            block,
            blocks,
            needs,
            ..Default::default()
        };
        self.kernels.push(Kernel {
            name,
            instance,
            parent: None,
            level: 0,
            overlap: Overlap::default(),
            persistence: Persistence::default(),
            predecessor: None,
            held: Vec::new(),
            followers: Vec::new(),
            arrive,
            distributed: None,
            first_dispatch: None,
            finish: None,
            entry: None,
            launch,
            code,
            copies: Vec::new(),
            body: Some(body),
            groups: 0,
            blocks: u64::from(blocks),
            dispatched: 0,
            asked: false,
            cancelled: 0,
            ended: 0,
            suspended: 0,
            entries: 0,
            member: None,
        });
        number
    }

    /// The number of the code that kernels of this name share.
    pub(super) fn code(&mut self, name: &Rc<str>) -> u32 {
        let numbers = self.names.len() as u32;
        self.names.entry(name.clone()).or_insert((numbers, 0)).0
    }

    /// The address of its first instruction.
    pub(super) fn entry_pc(code: u32) -> u32 {
        0x1000_u32.wrapping_mul(code + 1)
    }

    /// Whether `new` can run at all; returns its number of blocks. One that a thread launches must
    /// have some. Its needs are then as the scheduler counts them.
    pub(super) fn check(&self, new: &mut New, from_device: bool) -> Result<u32, InputError> {
        let name = match new.body.file() {
            Some(file) => format!("{}: kernel `{}`", file.display(), new.name),
            None => format!("kernel `{}`", new.name),
        };
        let volume = new.grid.volume();
        let least = u32::from(from_device);
        let blocks = u32::try_from(volume).ok();
        let Some(blocks) = blocks.filter(|blocks| (least..=MAX_BLOCKS).contains(blocks)) else {
            let message = format!("{name} has {volume} blocks");
            let range = if from_device { "1 to" } else { "at most" };
            return Err(InputError::new(message).help(format!("expected {range} {MAX_BLOCKS}")));
        };
        if !(1..=MAX_BLOCK_THREADS).contains(&new.block.volume()) {
            let threads = new.block.volume();
            return Err(InputError::new(format!("{name} has {threads} threads a block"))
                .help(format!("expected 1 to {MAX_BLOCK_THREADS}")));
        }
        if let Some(lack) = self.config.lack(new.needs) {
            let message = format!("{name}: a block fits no SMX: {lack}");
            return Err(InputError::new(message));
        }
        new.needs = self.config.counted(new.needs);
        match &new.body {
            Body::Durations(Durations::Each(list))
            | Body::Contended(Durations::Each(list), _)
            | Body::Launching(Durations::Each(list), _)
                if list.len() != blocks as usize =>
            {
                let entries = list.len();
                let message = format!("{name} has {entries} durations, {blocks} blocks");
                Err(InputError::new(message))
            }
            Body::Durations(durations)
            | Body::Contended(durations, _)
            | Body::Launching(durations, _)
                if !durations.all_positive() =>
            {
                let message = format!("{name}: a block has a duration of 0 cycles");
                Err(InputError::new(message).help("expected at least 1"))
            }
            _ => Ok(blocks),
        }
    }
}
