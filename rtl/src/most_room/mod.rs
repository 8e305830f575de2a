//! `most-room`: a block goes where most of its kind still fit, `docs/most-room.md`.

mod fits;
mod most;
mod room;
mod scheduler;

pub use fits::Fits;
pub use most::Most;
pub use room::Room;
pub use scheduler::{MostRoomCdpScheduler, MostRoomScheduler};
