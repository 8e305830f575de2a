//! Modules of `most-room`.

mod fits;
mod most;
mod room;

use blockyard_rtl::port::{InUse, Needs};
use blockyard_rtl::word::U;
use blockyard_sim::port::{BlockNeeds, SmxLimits};

/// What is free, on the hardware's port.
fn words_of_free(free: SmxLimits) -> InUse {
    InUse {
        threads: U::new(free.threads.into()),
        registers: U::new(free.registers.into()),
        shared_memory: U::new(free.shared_memory.into()),
        slots: U::new(free.thread_block_slots.into()),
    }
}

/// What a block needs, on the hardware's port.
fn words_of_needs(needs: BlockNeeds) -> Needs {
    Needs {
        threads: U::new(needs.threads.into()),
        registers: U::new(needs.registers.into()),
        shared_memory: U::new(needs.shared_memory.into()),
    }
}
