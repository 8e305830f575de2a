//! The whole is one module.

mod scheduler;
