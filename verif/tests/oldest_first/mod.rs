//! Modules of the example.

mod order;
