//! The three engines behind [`Scheduler`](blockyard_sim::port::Scheduler): the behavioural twin,
//! the rust-hdl modules, and both in lockstep.

mod difference;
mod group_ports;
mod hardware;
mod list_integrity;
mod lockstep;
mod module_ports;
mod ports;
mod priority_ports;
mod rtl;
mod running;
mod simulated;
mod tap;

pub(crate) use difference::each_port;
pub use difference::{compare, Difference};
pub use hardware::{rtl_module, Built, HardwareBuild, RtlError, MAX_SLOTS};
pub use lockstep::{Lockstep, Mismatch};
pub use rtl::{RtlScheduler, RESET_CYCLES};
pub use running::Running;
pub use simulated::SimulatedScheduler;
pub use tap::{Comparison, CycleCounter, Failure, Tap, Witness};
