//! Which of LaPerm's schedulers, and its parameters.

use crate::port::{MAX_LEVELS, MAX_SMX};
use blockyard_contract::key::Key;
use std::fmt;

/// Which SMXs take what a block launches (LaPerm, sections IV-A to IV-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// `tb-pri`: any.
    Shared,
    /// `smx-bind`: those of the launching block's cluster.
    Bound,
    /// `adaptive-bind`: the same first; others when they have nothing else.
    Adaptive,
}

/// How a unit finds its place in a priority queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// What is behind it moves by one place, an entry a cycle (LaPerm, section IV-E).
    Shifting,
    /// It is linked to the last one of its level, in one cycle.
    #[default]
    Linked,
}

/// The parameters of LaPerm; `docs/laperm.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LapermConfig {
    /// Which SMXs take what a block launches.
    pub binding: Binding,
    /// How units are kept.
    pub queue: QueueKind,
    /// L: levels of child blocks, 1 to [`MAX_LEVELS`].
    pub levels: u8,
    /// On-chip entries for each SMX, a power of two from 1 to [`Self::MOST_ENTRIES`].
    pub entries: u16,
    /// SMXs that share a queue, at least 1; the one queue of [`Binding::Shared`] is that of all.
    pub cluster: u8,
}

impl Binding {
    /// Its name behind the slash.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "tb-pri",
            Self::Bound => "smx-bind",
            Self::Adaptive => "adaptive-bind",
        }
    }
}

impl fmt::Display for LapermConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { binding, queue, levels, entries, cluster } = self;
        let queue = match queue {
            QueueKind::Shifting => "shifting",
            QueueKind::Linked => "linked",
        };
        write!(f, "laperm/{}(queue={queue},levels={levels},", binding.name())?;
        write!(f, "entries={entries},cluster={cluster})")
    }
}

impl LapermConfig {
    /// The most entries of one queue.
    pub const MOST_ENTRIES: u16 = 2048;
    /// Every key that `--set laperm.` and the scheduler's name take.
    pub const KEYS: [Key; 4] = [
        Key { name: "queue", unit: "kind of queue", default: "linked" },
        Key { name: "levels", unit: "levels of child blocks", default: "4" },
        Key { name: "entries", unit: "entries for each SMX", default: "128" },
        Key { name: "cluster", unit: "SMXs that share a queue", default: "1" },
    ];

    /// The defaults, for a way of binding.
    pub const fn new(binding: Binding) -> Self {
        Self { binding, queue: QueueKind::Linked, levels: 4, entries: 128, cluster: 1 }
    }

    /// SMXs of a cluster on a GPU with `smx` of them.
    pub fn cluster_size(&self, smx: usize) -> usize {
        match self.binding {
            Binding::Shared => smx,
            Binding::Bound | Binding::Adaptive => usize::from(self.cluster).min(smx),
        }
    }

    /// Priority queues on a GPU with `smx` SMXs.
    pub fn queues(&self, smx: usize) -> usize {
        smx.div_ceil(self.cluster_size(smx))
    }

    /// On-chip entries of each queue; `groups` when aggregated groups are launched, so that there
    /// can be more units than kernels.
    pub fn queue_entries(&self, smx: usize, groups: bool) -> usize {
        let most = if groups { usize::from(Self::MOST_ENTRIES) } else { 32 };
        (usize::from(self.entries) * self.cluster_size(smx)).next_power_of_two().min(most)
    }

    /// Sets the parameter `key`.
    ///
    /// # Errors
    /// What was expected of the value; `None` when there is no such key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Option<&'static str>> {
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.parse::<u16>().ok() } else { None };
        match key {
            "queue" => {
                self.queue = match value {
                    "shifting" => QueueKind::Shifting,
                    "linked" => QueueKind::Linked,
                    _ => return Err(Some("shifting or linked")),
                }
            }
            "levels" => {
                let levels = number.filter(|levels| (1..=MAX_LEVELS.into()).contains(levels));
                self.levels = levels.ok_or(Some("1 to 8"))? as u8;
            }
            "entries" => {
                let fits = |n: &u16| n.is_power_of_two() && *n <= Self::MOST_ENTRIES;
                let entries = number.filter(fits);
                self.entries = entries.ok_or(Some("a power of two from 1 to 2048"))?;
            }
            "cluster" => {
                let cluster = number.filter(|cluster| (1..=MAX_SMX as u16).contains(cluster));
                self.cluster = cluster.ok_or(Some("1 to 144"))? as u8;
            }
            _ => return Err(None),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_s_queue_has_the_entries_of_its_smxs_rounded_up_to_a_power_of_two() {
        let mut config = LapermConfig::new(Binding::Bound);
        assert_eq!((config.queues(13), config.queue_entries(13, true)), (13, 128));
        config.cluster = 3;
        assert_eq!((config.queues(13), config.queue_entries(13, true)), (5, 512));
        config.binding = Binding::Shared;
        assert_eq!((config.queues(13), config.queue_entries(13, true)), (1, 2048));
        assert_eq!(config.queue_entries(13, false), 32);
        assert_eq!((config.queues(1), config.queue_entries(1, true)), (1, 128));
    }

    #[test]
    fn every_key_can_be_set_to_its_default_which_changes_nothing() {
        for key in LapermConfig::KEYS {
            let mut config = LapermConfig::new(Binding::Bound);
            assert_eq!(config.set(key.name, key.default), Ok(()), "{}", key.name);
            assert_eq!(config, LapermConfig::new(Binding::Bound), "{}", key.name);
        }
    }

    #[test]
    fn parameters_are_taken_up_to_their_limits_and_not_beyond() {
        let mut config = LapermConfig::new(Binding::Adaptive);
        for (key, good, bad) in [
            ("levels", ["1", "8"], ["0", "9"]),
            ("entries", ["1", "2048"], ["3", "4096"]),
            ("cluster", ["1", "144"], ["0", "145"]),
            ("queue", ["shifting", "linked"], ["", "Linked"]),
        ] {
            for value in good {
                assert_eq!(config.set(key, value), Ok(()), "{key}={value}");
            }
            for value in bad {
                assert!(matches!(config.set(key, value), Err(Some(_))), "{key}={value}");
            }
        }
        assert_eq!(config.set("levels", "+4"), Err(Some("1 to 8")));
        assert_eq!(config.set("size", "4"), Err(None));
    }
}
