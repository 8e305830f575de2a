//! When a kernel instance did what.

use serde::Serialize;

use crate::gpu::kernel::Kernel;

/// Figures of one kernel instance; cycles are `null` for what did not happen (an empty grid has no
/// dispatch).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KernelStats {
    /// The kernel's name.
    pub name: String,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
    /// The cycle of the host's launch, or of the API call of the thread that launched it.
    pub arrive: u64,
    /// The cycle in which the Kernel Distributor accepted it.
    pub distributed: Option<u64>,
    /// The cycle of its first dispatch.
    pub first_dispatch: Option<u64>,
    /// The cycle in which its bit of `finished_kernels` was high.
    pub finish: Option<u64>,
}

impl KernelStats {
    pub(super) fn new(kernel: &Kernel) -> Self {
        Self {
            name: kernel.name.to_string(),
            instance: kernel.instance,
            arrive: kernel.arrive,
            distributed: kernel.distributed,
            first_dispatch: kernel.first_dispatch,
            finish: kernel.finish,
        }
    }
}
