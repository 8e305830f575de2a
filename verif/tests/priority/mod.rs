//! Modules of `priority`.

mod level_control;
