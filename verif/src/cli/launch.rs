//! `--launch`.

use blockyard_sim::port::LaunchMode;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How launches from the device reach the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Launch {
    /// No launches from the device
    Flat,
    /// Device kernels (CUDA dynamic parallelism)
    Cdp,
    /// Aggregated thread-block groups
    Dtbl,
}

impl Launch {
    /// As it is written after `--launch`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Cdp => "cdp",
            Self::Dtbl => "dtbl",
        }
    }
}

impl From<Launch> for LaunchMode {
    fn from(launch: Launch) -> Self {
        match launch {
            Launch::Flat => Self::Flat,
            Launch::Cdp => Self::Cdp,
            Launch::Dtbl => Self::Dtbl,
        }
    }
}

impl From<LaunchMode> for Launch {
    fn from(launch: LaunchMode) -> Self {
        match launch {
            LaunchMode::Flat => Self::Flat,
            LaunchMode::Cdp => Self::Cdp,
            LaunchMode::Dtbl => Self::Dtbl,
        }
    }
}
