//! Modules of `most-room`.

mod fits;
mod most;
