//! What the papers evaluate, and their figures beside ours.

pub mod laperm;
pub mod srtf;
