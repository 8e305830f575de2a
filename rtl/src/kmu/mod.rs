//! The Kernel Management Unit: DTBL section 2.2, LaPerm section II.
//!
//! ```text
//!   host: launch, queue --> [work_queues] --inspect-->+
//!   SMXs: device_launch --> [pending_pool] --fetch--> memory --record--> [management_unit] --offer--> Kernel Distributor
//! ```

mod admission;
mod management_unit;
mod pending_pool;
mod ports;
mod scheduler;
mod work_queues;

pub use admission::KernelAdmission;
pub use management_unit::ManagementUnit;
pub use pending_pool::PendingPool;
pub use ports::ManagementPorts;
pub(crate) use scheduler::kmu_scheduler;
pub use work_queues::WorkQueues;
