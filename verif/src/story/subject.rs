//! What a dump is of, as its version says it.

use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use std::fmt;
use std::str::FromStr;

/// A scheduler and how launches reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The scheduler.
    pub scheduler: Composition,
    /// How what blocks launch reaches it.
    pub launch: LaunchMode,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let launch = match self.launch {
            LaunchMode::Flat => "flat",
            LaunchMode::Cdp => "cdp",
            LaunchMode::Dtbl => "dtbl",
        };
        // FST holds 127 characters.
        write!(f, "Blockyard {} --launch {launch}", self.scheduler.brief())
    }
}

impl FromStr for Subject {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (scheduler, launch) = text
            .strip_prefix("Blockyard ")
            .and_then(|rest| rest.split_once(" --launch "))
            .ok_or(())?;
        let launch = match launch {
            "flat" => LaunchMode::Flat,
            "cdp" => LaunchMode::Cdp,
            "dtbl" => LaunchMode::Dtbl,
            _ => return Err(()),
        };
        Ok(Self { scheduler: scheduler.parse().map_err(|_| ())?, launch })
    }
}
