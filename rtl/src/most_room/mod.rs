//! `most-room`: a block goes where most of its kind still fit, `docs/most-room.md`.

mod fits;
mod most;
mod scheduler;

pub use fits::Fits;
pub use most::Most;
pub use scheduler::MostRoomScheduler;
