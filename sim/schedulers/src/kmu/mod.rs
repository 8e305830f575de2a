//! The Kernel Management Unit, `docs/dtbl.md`: where host kernels, kernels launched by blocks and
//! suspended kernels wait for an entry of the Kernel Distributor (DTBL, sections 2.2 and 2.4).

pub mod admission;
pub(crate) mod cover;
pub mod management_unit;
pub mod pending_pool;
pub mod scheduler;
pub mod work_queues;

pub use admission::{KernelAdmission, KernelAdmissionInputs, KernelAdmissionOutputs};
pub use management_unit::{ManagementUnit, ManagementUnitInputs, ManagementUnitOutputs};
pub use pending_pool::{PendingPool, PendingPoolInputs, PendingPoolOutputs};
pub use scheduler::KmuScheduler;
pub use work_queues::{WorkQueues, WorkQueuesInputs, WorkQueuesOutputs};
