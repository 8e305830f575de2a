//! When a kernel instance did what.

use serde::Serialize;

use crate::gpu::kernel::Kernel;
use crate::gpu::Gpu;

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
    /// Only of a kernel that followed one which had not finished (`docs/dependent.md`): cycles from
    /// its first dispatch to that one's finish, 0 where that came first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<u64>,
    /// Only of a kernel whose blocks ask for other ones (`docs/launch-control.md`): blocks that
    /// were cancelled, and so run by others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<u64>,
}

impl KernelStats {
    /// Of `kernel`, one of those of `gpu`.
    pub(super) fn new(kernel: &Kernel, gpu: &Gpu) -> Self {
        let overlap = kernel.predecessor.and_then(|predecessor| {
            Some(gpu.kernels()[predecessor].finish?.saturating_sub(kernel.first_dispatch?))
        });
        let asks = kernel.persistence.cancels || kernel.asked;
        let asks = asks && gpu.device().ports().takes_cancels();
        Self {
            name: kernel.name.to_string(),
            instance: kernel.instance,
            arrive: kernel.arrive,
            distributed: kernel.distributed,
            first_dispatch: kernel.first_dispatch,
            finish: kernel.finish,
            overlap,
            cancelled: asks.then_some(kernel.cancelled),
        }
    }

    /// Cycles from its first dispatch to its end, or to that of a run of `cycles` cycles.
    pub(super) fn executes(&self, cycles: u64) -> u64 {
        self.first_dispatch.map_or(0, |first| self.finish.unwrap_or(cycles) - first)
    }
}
