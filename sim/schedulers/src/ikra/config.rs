//! Which of IKRA's schedulers, and the parameters of the one that steals.

use super::super::laperm::{Binding, LapermConfig};
use crate::port::{Parent, QueuePlace};
use std::fmt;

/// One of the four schedulers of the paper, sections 4.1 to 4.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IkraConfig {
    /// `ikra/chunk`: chunks begin at the SMX after the one that finished last.
    Chunk,
    /// `ikra/reset`: chunks begin at SMX 0.
    Reset,
    /// `ikra/flip`: the same, in alternating direction.
    Flip,
    /// `ikra/steal`: the same, and an SMX without work of its own steals.
    Steal(StealConfig),
}

/// The parameters of `ikra/steal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StealConfig {
    /// Entries of a steal queue: 2, 4, 8, 16 or 32.
    pub queue: u8,
    /// Cycles that a message takes beside the one of every register, 0 to [`Self::MOST_LATENCY`].
    pub latency: u8,
    /// What a full queue leads to.
    pub full: WhenFull,
    /// Whether relations between kernels are followed (section 8).
    pub relations: bool,
    /// When an SMX's own work is done, so that it may steal. With levels of kernels it is
    /// [`OwnWork::Dispatched`].
    pub thief: OwnWork,
    /// Levels of kernels, if blocks may launch kernels (section 8). With levels the other
    /// parameters but `queue` have one value: see [`Self::excluded_by_nesting`].
    pub nesting: Option<Nesting>,
}

/// Levels of kernels when blocks launch kernels (`docs/ikra.md`, rules 20 to 28): that of the
/// host's kernels and those of their children, grandchildren and so on, of which the last one takes
/// all that are deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nesting {
    /// The host's kernels and one level of children.
    Two,
    /// The host's kernels and three levels of children.
    Four,
}

impl Nesting {
    /// L: levels in all, 2 or 4.
    pub const fn levels(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// Rule 20: home and level of what a block of `parent` launches, which are the pool of its
    /// record.
    pub fn place(self, parent: Parent) -> QueuePlace {
        let level = parent.level.saturating_add(1).min(self.levels() - 1);
        QueuePlace { queue: parent.smx, level }
    }

    /// The pools of device kernels: LaPerm's with a queue for each SMX.
    pub const fn pools(self) -> LapermConfig {
        LapermConfig { levels: self.levels() - 1, ..LapermConfig::new(Binding::Bound) }
    }
}

/// What a full steal queue leads to (section 4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WhenFull {
    /// The next kernel assigns chunks anew.
    #[default]
    Reinitialise,
    /// Its SMX steals no more.
    Stop,
}

/// When an SMX's own work is done, so that it may steal (section 4.4; rule 10a of `docs/ikra.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OwnWork {
    /// Once the blocks of its chunk and of its queue have been executed.
    #[default]
    Executed,
    /// Once they have been dispatched.
    Dispatched,
}

impl Default for StealConfig {
    fn default() -> Self {
        Self {
            queue: 32,
            latency: 0,
            full: WhenFull::Reinitialise,
            relations: false,
            thief: OwnWork::Executed,
            nesting: None,
        }
    }
}

impl StealConfig {
    /// The longest message.
    pub const MOST_LATENCY: u8 = 31;

    /// Sets the parameter `key`.
    ///
    /// # Errors
    /// What was expected of the value; `None` when there is no such key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Option<&'static str>> {
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.parse::<u8>().ok() } else { None };
        match key {
            "queue" => {
                let queue = number.filter(|queue| [2, 4, 8, 16, 32].contains(queue));
                self.queue = queue.ok_or(Some("2, 4, 8, 16 or 32"))?;
            }
            "latency" => {
                let latency = number.filter(|&latency| latency <= Self::MOST_LATENCY);
                self.latency = latency.ok_or(Some("0 to 31"))?;
            }
            "full" => {
                self.full = match value {
                    "reinitialise" => WhenFull::Reinitialise,
                    "stop" => WhenFull::Stop,
                    _ => return Err(Some("reinitialise or stop")),
                }
            }
            "relations" => {
                self.relations = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(Some("on or off")),
                }
            }
            "thief" => {
                self.thief = match value {
                    "executed" => OwnWork::Executed,
                    "dispatched" => OwnWork::Dispatched,
                    _ => return Err(Some("executed or dispatched")),
                }
            }
            "nesting" => {
                self.nesting = match value {
                    "2" => Some(Nesting::Two),
                    "4" => Some(Nesting::Four),
                    _ => return Err(Some("2 or 4")),
                }
            }
            _ => return Err(None),
        }
        Ok(())
    }

    /// A key whose value cannot be together with levels of kernels, if there are levels.
    pub fn excluded_by_nesting(&self) -> Option<&'static str> {
        let excluded = [
            ("latency", self.latency > 0),
            ("full", self.full != WhenFull::Reinitialise),
            ("relations", self.relations),
            ("thief", self.thief != OwnWork::Dispatched),
        ];
        let excluded = excluded.into_iter().find(|(_, excluded)| *excluded);
        self.nesting.and(excluded).map(|(key, _)| key)
    }
}

impl IkraConfig {
    /// The scheduler of this name behind the slash, with the defaults.
    pub fn named(variant: &str) -> Option<Self> {
        Some(match variant {
            "chunk" => Self::Chunk,
            "reset" => Self::Reset,
            "flip" => Self::Flip,
            "steal" => Self::Steal(StealConfig::default()),
            _ => return None,
        })
    }

    /// Its name behind the slash.
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Reset => "reset",
            Self::Flip => "flip",
            Self::Steal(_) => "steal",
        }
    }

    /// Sets the parameter `key`.
    ///
    /// # Errors
    /// What was expected of the value; `None` when the scheduler has no such key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Option<&'static str>> {
        match self {
            Self::Steal(config) => config.set(key, value),
            Self::Chunk | Self::Reset | Self::Flip => Err(None),
        }
    }

    /// Whether relations to earlier kernels are followed (section 8).
    pub const fn follows_relations(&self) -> bool {
        matches!(self, Self::Steal(StealConfig { relations: true, .. }))
    }

    /// Levels of kernels, where blocks may launch kernels (section 8).
    pub const fn nesting(&self) -> Option<Nesting> {
        match self {
            Self::Steal(config) => config.nesting,
            Self::Chunk | Self::Reset | Self::Flip => None,
        }
    }

    /// Whether the direction alternates from kernel to kernel.
    pub const fn flips(&self) -> bool {
        matches!(self, Self::Flip | Self::Steal(_))
    }
}

impl fmt::Display for IkraConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ikra/{}", self.variant())?;
        let Self::Steal(StealConfig { queue, latency, full, relations, thief, nesting }) = self
        else {
            return Ok(());
        };
        let full = match full {
            WhenFull::Reinitialise => "reinitialise",
            WhenFull::Stop => "stop",
        };
        // Left out where it is off, so that names from before there were these keys stay as they
        // are.
        let relations = if *relations { ",relations=on" } else { "" };
        // Left out where it is the default; with levels of kernels that is the only value.
        let thief = match (thief, nesting) {
            (OwnWork::Dispatched, None) => ",thief=dispatched",
            (OwnWork::Executed, _) | (_, Some(_)) => "",
        };
        write!(f, "(queue={queue},latency={latency},full={full}{relations}{thief}")?;
        match nesting {
            Some(nesting) => write!(f, ",nesting={})", nesting.levels()),
            None => write!(f, ")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_taken_up_to_their_limits_and_not_beyond() {
        let mut config = StealConfig::default();
        for (key, good, bad) in [
            ("queue", &["2", "4", "8", "16", "32"][..], &["0", "1", "3", "64", "+8", ""][..]),
            ("latency", &["0", "31"], &["32", "256", "-1", ""]),
            ("full", &["stop", "reinitialise"], &["", "Stop", "reinitialize"]),
            ("relations", &["on", "off"], &["", "On", "true", "1"]),
            ("thief", &["executed", "dispatched"], &["", "Executed", "done", "1"]),
            ("nesting", &["2", "4"], &["", "0", "1", "3", "5", "8", "+2", "off"]),
        ] {
            for value in good {
                assert_eq!(config.set(key, value), Ok(()), "{key}={value}");
            }
            for value in bad {
                assert!(matches!(config.set(key, value), Err(Some(_))), "{key}={value}");
            }
        }
        let nesting = Some(Nesting::Four);
        let thief = OwnWork::Dispatched;
        let last = StealConfig { latency: 31, thief, nesting, ..StealConfig::default() };
        assert_eq!(config, last);
        assert_eq!(config.set("entries", "4"), Err(None));
    }

    #[test]
    fn levels_of_kernels_exclude_what_rules_20_to_28_do_not_know() {
        let plain = StealConfig { thief: OwnWork::Dispatched, ..StealConfig::default() };
        let nested = StealConfig { nesting: Some(Nesting::Two), queue: 2, ..plain };
        assert_eq!(nested.excluded_by_nesting(), None);
        for (config, key) in [
            (StealConfig { latency: 1, ..nested }, "latency"),
            (StealConfig { full: WhenFull::Stop, ..nested }, "full"),
            (StealConfig { relations: true, ..nested }, "relations"),
            (StealConfig { thief: OwnWork::Executed, ..nested }, "thief"),
        ] {
            assert_eq!(config.excluded_by_nesting(), Some(key));
            assert_eq!(StealConfig { nesting: None, ..config }.excluded_by_nesting(), None);
        }
    }

    #[test]
    fn a_child_has_the_level_after_its_parents_up_to_the_last_and_the_smx_as_its_home() {
        let level = |nesting: Nesting, level| {
            let place = nesting.place(Parent { smx: 3, level });
            assert_eq!(place.queue, 3);
            place.level
        };
        assert_eq!([0, 1, 2, 3].map(|of| level(Nesting::Two, of)), [1, 1, 1, 1]);
        assert_eq!([0, 1, 2, 3].map(|of| level(Nesting::Four, of)), [1, 2, 3, 3]);
        assert_eq!((Nesting::Four.pools().levels, Nesting::Four.pools().queues(13)), (3, 13));
    }

    #[test]
    fn only_flip_and_steal_alternate_and_every_name_is_its_own() {
        for (variant, flips) in
            [("chunk", false), ("reset", false), ("flip", true), ("steal", true)]
        {
            let config = IkraConfig::named(variant).unwrap();
            assert_eq!((config.variant(), config.flips()), (variant, flips));
        }
        assert_eq!(IkraConfig::named("Steal"), None);
    }
}
