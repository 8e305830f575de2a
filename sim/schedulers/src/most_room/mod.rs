//! `most-room`: a block goes where most of its kind still fit, `docs/most-room.md`.

mod family;
pub mod fits;
pub mod most;
pub mod room;
pub mod scheduler;

pub use family::{MostRoomConfig, FAMILY};
pub use fits::{Fits, FitsInputs, FitsOutputs, MOST_COUNT};
pub use most::{Most, MostInputs, MostOutputs};
pub(crate) use room::room_in_blocks;
pub use room::{Room, RoomInputs, RoomOutputs};
