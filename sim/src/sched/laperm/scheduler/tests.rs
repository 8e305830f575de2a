//! The whole of LaPerm on a machine with a memory for records and overflow queues.

mod figure;
mod machine;
mod plan;
mod ports;
mod properties;
mod queues;
