//! The whole is one module, and another one where clusters ask.

mod clusters;
mod scheduler;
