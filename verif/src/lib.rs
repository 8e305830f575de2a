//! Blockyard: drives thread-block scheduler hardware in lockstep with its behavioural twins.

pub mod engine;
pub mod export;
pub mod random_lockstep;
pub mod traffic;
