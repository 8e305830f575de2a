//! The shortest kernel first, by prediction: SRTF, sections 3 to 5.
//!
//! ```text
//!  launch --> [kernel_set] --> [ unit of each SMX: block_starts, residents, predictor with divider, ] --asks--> [round_robin]
//!                 |            [ shortest_first, resources                                          ]                |
//!                 +-> [sampler] --sampling, copying--^     |                                                         v
//!                                                    +-----+--> [fairness] --> sharing                 [kernel_table] --> dispatch
//! ```

mod adaptive_scheduler;
mod block_starts;
mod choice_room;
mod concurrent_kernels;
mod dispatcher;
mod divide_stage;
mod divider;
mod fairness;
mod kernel_set;
mod least;
mod mpmax_scheduler;
mod mpmax_unit;
mod oldest;
mod oldest_below;
mod ports;
mod prediction;
mod predictor;
mod reserve;
mod residency;
mod residents;
mod sampler;
mod scheduler;
mod shortest_first;
mod sooner;
mod unit;

pub use adaptive_scheduler::AdaptiveScheduler;
pub use block_starts::BlockStarts;
pub use dispatcher::ShortestDispatcher;
pub(crate) use divide_stage::DivideStage;
pub use divider::Divider;
pub use fairness::Fairness;
pub use kernel_set::KernelSet;
pub use mpmax_scheduler::MpmaxScheduler;
pub use oldest_below::OldestBelow;
pub use ports::{Choice, Shortest};
pub(crate) use prediction::Prediction;
pub use predictor::Predictor;
pub use reserve::Reserve;
pub use residents::Residents;
pub use sampler::Sampler;
pub use scheduler::ShortestScheduler;
pub use shortest_first::ShortestFirst;
pub(crate) use sooner::Sooner;

use ports::{Facts, Operands, Partial, Product, Sum, Times};
