//! The command line: exit statuses, diagnostics, and files that are whole or absent.
//!
//! Rationale. Every way to use the tool wrongly that a user is likely to meet stands here with the
//! status and the words that it must give; none may panic, and none may touch the files that are
//! already there.

mod bad_dram;
mod bad_graphs;
mod bad_scenarios;
mod bad_traces;
mod bad_use;
mod budget;
mod budget_area;
mod budget_goldens;
mod budget_sweep;
mod budget_target;
mod check_shared;
mod command;
mod coverage;
mod device;
mod first_commands;
mod first_kernel;
mod generated;
mod interrupt;
mod intervals;
mod keys;
mod launch;
mod list;
mod mutate;
mod outputs;
mod preset;
mod prove;
mod provenance;
mod record;
mod regress;
mod reproduce;
mod reproduce_srtf;
mod soak;
mod standard_streams;
mod trace;
mod traffic;
mod verilog;
mod wave;
