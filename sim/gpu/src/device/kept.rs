//! Kernels that are kept in the Kernel Distributor for groups to find (DTBL, section 4.1; rule 14b
//! of `docs/dtbl.md`).

use crate::port::{LaunchMode, KERNEL_ENTRIES};
use crate::Gpu;

impl Gpu {
    /// One bit an entry: its kernel is resident, and something else is left that may launch groups.
    pub(super) fn kept(&self) -> u32 {
        if self.residents.is_empty() || !self.something_is_left() {
            return 0;
        }
        let entries = self.residents.iter().filter_map(|&kernel| self.kernels[kernel].entry);
        entries.fold(0, |bits, entry| bits | 1 << entry.index())
    }

    /// Whether anything but resident kernels is in a stream, a pool, the Kernel Distributor or on
    /// its way: a kernel, a launch, a group or a suspended block.
    fn something_is_left(&self) -> bool {
        let kernels = self.streams.unfinished() + self.device.unfinished - self.residents.len();
        kernels > 0
            || self.device.pending > 0
            || self.device.groups.any()
            || self.residents.iter().any(|&kernel| {
                let kernel = &self.kernels[kernel];
                kernel.suspended > 0 || kernel.entries > 1
            })
    }

    /// Whether a kernel without blocks is left out, since no group can be coalesced to it.
    pub(crate) fn leaves_out(&self, launch: &crate::host::HostLaunch) -> bool {
        launch.resident && launch.grid.volume() == 0 && self.device.mode != LaunchMode::Dtbl
    }

    /// The host's kernel with this number is resident.
    ///
    /// # Errors
    /// When too many are: no other kernel could enter the Kernel Distributor.
    pub(crate) fn stays(&mut self, kernel: usize) -> Result<(), String> {
        if self.device.mode != LaunchMode::Dtbl {
            return Ok(());
        }
        self.residents.push(kernel);
        if self.residents.len() < KERNEL_ENTRIES {
            return Ok(());
        }
        Err(format!("{} resident kernels leave no room for others", self.residents.len()))
    }
}
