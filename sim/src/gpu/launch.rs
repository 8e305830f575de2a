//! What the host launches: checked, numbered, and queued in its stream.

use super::host::{Body, Durations, HostLaunch};
use super::kernel::Kernel;
use super::{Gpu, MAX_BLOCK_THREADS};
use crate::diagnostic::InputError;
use crate::port::KernelLaunch;

impl Gpu {
    /// Queues `launches`, none of which arrives before `earliest`.
    pub(super) fn submit(
        &mut self,
        launches: Vec<HostLaunch>,
        earliest: u64,
    ) -> Result<(), InputError> {
        for launch in launches {
            let blocks = self.check(&launch)?;
            let numbers = self.names.len() as u32;
            let (number, launched) = self.names.entry(launch.name.clone()).or_insert((numbers, 0));
            let (number, instance) = (*number, *launched);
            *launched += 1;
            let arrive = launch.arrive.max(earliest);
            self.streams.launch(self.kernels.len(), launch.stream, arrive);
            let launch_port = KernelLaunch {
                // Code and parameters are not in the modelled memory; the addresses only have to
                // tell kernels and launches apart.
                entry_pc: 0x1000_u32.wrapping_mul(number + 1),
                parameter_address: 0x4000_0000_u32
                    .wrapping_add((self.kernels.len() as u32).wrapping_mul(0x100)),
                grid: launch.grid,
                block: launch.block,
                blocks,
                needs: launch.needs(),
            };
            self.kernels.push(Kernel {
                name: launch.name,
                instance,
                stream: launch.stream,
                arrive,
                distributed: None,
                first_dispatch: None,
                finish: None,
                entry: None,
                launch: launch_port,
                code: number,
                copies: launch.copies,
                body: Some(launch.body),
                dispatched: 0,
                ended: 0,
            });
        }
        Ok(())
    }

    /// Whether `launch` can run at all; returns its number of blocks.
    fn check(&self, launch: &HostLaunch) -> Result<u32, InputError> {
        let name = &launch.name;
        let Some(blocks) = launch.blocks() else {
            let message = format!("kernel `{name}` has {} blocks", launch.grid.volume());
            return Err(InputError::new(message)
                .help(format!("expected at most {}", crate::port::MAX_BLOCKS)));
        };
        if !(1..=MAX_BLOCK_THREADS).contains(&launch.block.volume()) {
            let threads = launch.block.volume();
            return Err(InputError::new(format!("kernel `{name}` has {threads} threads a block"))
                .help(format!("expected 1 to {MAX_BLOCK_THREADS}")));
        }
        if let Some(lack) = self.config.lack(launch.needs()) {
            let message = format!("a block of kernel `{name}` fits no SMX: {lack}");
            return Err(InputError::new(message));
        }
        match &launch.body {
            Body::Durations(Durations::Each(list)) if list.len() != blocks as usize => {
                let entries = list.len();
                let message = format!("kernel `{name}` has {entries} durations, {blocks} blocks");
                Err(InputError::new(message))
            }
            Body::Durations(durations) if !durations.all_positive() => {
                let message = format!("a block of kernel `{name}` has a duration of 0 cycles");
                Err(InputError::new(message).help("expected at least 1"))
            }
            _ => Ok(blocks),
        }
    }
}
