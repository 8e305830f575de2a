//! Blockyard: drives thread-block scheduler hardware in lockstep with its behavioural twins.

pub mod budget;
pub mod cli;
pub mod cluster;
pub mod coverage;
pub mod engine;
pub mod family;
pub mod kit;
pub mod line_file;
pub mod mismatch;
pub mod mutate;
pub mod page;
mod palette;
pub mod prove;
pub mod provenance;
pub mod random_lockstep;
pub mod regress;
pub mod replay;
pub mod reproduce;
pub mod scenarios;
pub mod session;
mod standard_output;
pub mod story;
pub mod study;
pub mod traffic;
pub mod traffic_run;
pub mod waves;

pub use blockyard_export as export;
