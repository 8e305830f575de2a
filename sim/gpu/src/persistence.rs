//! Blocks that ask for other blocks of their kernel (`docs/launch-control.md`): those of stated duration when their own
//! work is done, to run them; those that execute instructions when an instruction says so.

use super::host::Body;
use super::Gpu;
use crate::port::{Dim3, KernelEntry};

impl Gpu {
    /// The block that asks in this cycle, by its SMX and its slot: the one that waits longest, then that of the lowest
    /// SMX.
    fn asker(&self) -> Option<(usize, u8)> {
        let each = self.smxs.iter().enumerate();
        let asking = each.filter_map(|(smx, this)| Some((this.asks_first()?, smx)));
        // Where the cycles are equal, the SMX decides.
        let first = asking.min_by_key(|&((since, _), smx)| (since, smx));
        first.map(|((_, slot), smx)| (smx, slot))
    }

    /// The kernel of which a block asks for another one in this cycle.
    pub(super) fn question(&mut self) -> Option<KernelEntry> {
        if !self.device.ports().takes_cancels() {
            return None;
        }
        let (smx, slot) = self.asker()?;
        Some(self.smxs[smx].block_mut(slot).entry)
    }

    /// The block that asks in `cycle` gets `cancelled`. One of stated duration does the work of that one, or ends in the
    /// next cycle; to an instruction the answer comes `launch.cancel` cycles later, in the next cycle at the earliest.
    pub(super) fn answer(&mut self, cycle: u64, cancelled: Option<Dim3>) {
        let (smx, slot) = self.asker().expect("it asks");
        let Self { smxs, kernels, calendar, config, .. } = self;
        let this = &mut smxs[smx];
        let reply = this.take_question();
        let kernel = &mut kernels[this.block_mut(slot).kernel];
        kernel.asked = true;
        kernel.cancelled += u64::from(cancelled.is_some());
        if let Some(reply) = reply {
            this.answer_in(cycle, (slot, cancelled, reply), calendar);
            return;
        }
        let Some(block) = cancelled else {
            this.ends_in(slot, cycle + 1, calendar);
            return;
        };
        let Some(Body::Durations(durations)) = &kernel.body else {
            unreachable!("the others have someone who takes the answer")
        };
        let stated = durations.of(block.linear(kernel.launch.grid));
        let work = stated.saturating_sub(kernel.persistence.setup).max(1);
        let begin = cycle + u64::from(config.launch.cancel);
        this.works_until(slot, begin + config.slowed(smx, work), calendar);
    }
}
