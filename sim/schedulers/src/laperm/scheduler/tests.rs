//! The whole of LaPerm on a machine with a memory for records and overflow queues.

mod bench;
mod figure;
mod machine;
mod memory;
mod plan;
mod ports;
mod properties;
mod queues;
