//! What LaPerm's queues never hold.

use super::Field;
use blockyard_sim::port::{LaunchMode, KERNEL_ENTRIES};
use blockyard_sim::sched::laperm::LapermConfig;

/// Bits of the count of a kernel's units.
const UNIT_BITS: usize = 24;

/// What bounds the parts that only LaPerm has.
#[derive(Clone, Copy, Debug)]
pub struct Queues {
    /// Levels of child blocks.
    levels: usize,
    /// On-chip entries of a queue.
    entries: u64,
    /// Whether groups are launched. If not there are as many units as kernels.
    groups: bool,
}

impl Queues {
    /// Of these parameters, on so many SMXs.
    pub fn new(config: &LapermConfig, smxs: usize, launch: LaunchMode) -> Self {
        let groups = launch == LaunchMode::Dtbl;
        let entries = config.queue_entries(smxs, groups) as u64;
        Self { levels: config.levels.into(), entries, groups }
    }

    /// Of a register of so many bits, if it is one of these parts; `is_in` says whether it is part
    /// of a module.
    pub fn fields(
        self,
        register: &str,
        bits: usize,
        is_in: impl Fn(&str) -> bool,
    ) -> Option<Vec<Field>> {
        let Self { levels, entries, groups } = self;
        let last = register.rsplit('.').next().unwrap_or(register);
        let at_most = |most| Some(vec![Field { bits, most }]);
        if is_in("search") && !groups {
            return at_most(0);
        }
        if is_in("units") && !groups {
            // Nothing but the kernel itself.
            return Some((0..KERNEL_ENTRIES).map(|_| Field { bits: UNIT_BITS, most: 1 }).collect());
        }
        if is_in("overflow") && !groups && entries >= KERNEL_ENTRIES as u64 {
            // There is room for all kernels.
            return at_most(0);
        }
        let by_rank = ["request", "waiting", "q"].iter().any(|end| {
            last.rsplit_once('$').is_some_and(|(name, name_end)| {
                name_end == *end && ["highest", "begun"].iter().any(|part| name.contains(part))
            })
        }) || last.ends_with("$waiting") && is_in("pools");
        if bits == 8 && by_rank {
            // Ranks begin with those of the levels that are not there.
            let free = Field { bits: levels, most: u64::MAX };
            return Some(vec![Field { bits: 8 - levels, most: 0 }, free]);
        }
        if ["queue$count", "fresh_place", "overflow$promised"].contains(&last)
            || last.starts_with("on_way")
        {
            return at_most(entries);
        }
        let is_place = ["firsts", "lasts", "links", "ring"].into_iter().any(&is_in);
        if is_in("queue") && (is_place || last == "first") {
            // The place that is next when all are taken is on its way, though nobody writes it.
            return at_most(if last.starts_with("written") { entries } else { entries - 1 });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::sched::laperm::Binding;

    const CONFIG: LapermConfig =
        LapermConfig { levels: 3, entries: 4, ..LapermConfig::new(Binding::Bound) };

    /// Which bits of the register are never set.
    fn never(config: &LapermConfig, launch: LaunchMode, register: &str, bits: usize) -> Vec<usize> {
        let is_in =
            |module: &str| register.split('.').any(|part| part.split('$').next() == Some(module));
        let fields = Queues::new(config, 2, launch).fields(register, bits, is_in);
        (0..bits).filter(|&bit| Field::never(fields.iter().flatten(), bit)).collect()
    }

    #[test]
    fn levels_that_are_not_there_have_the_lowest_ranks() {
        for register in [
            "queues.slice$1.queue.highest$request",
            "queues.slice$0.overflow.highest$request",
            "queues.slice$0.overflow.rings.begun$q",
            "queues.slice$0.queue.progress.begun$q",
            "management.pools.rings$0$waiting",
        ] {
            assert_eq!(
                never(&CONFIG, LaunchMode::Dtbl, register, 8),
                [0, 1, 2, 3, 4],
                "{register}"
            );
        }
    }

    #[test]
    fn a_queue_holds_what_it_has_entries_for_and_its_places_are_below() {
        let never = |register| never(&CONFIG, LaunchMode::Dtbl, register, 5);
        assert_eq!(never("queues.slice$1.queue$count"), [3, 4]);
        assert_eq!(never("queues.slice$1.overflow.on_way$7$q"), [3, 4]);
        assert_eq!(never("queues.slice$1.queue.links.file.memory[3]"), [2, 3, 4]);
        assert_eq!(never("queues.slice$1.queue.links.written$q"), [3, 4]);
    }

    #[test]
    fn without_groups_units_are_kernels_for_which_there_may_be_room() {
        let cdp = |config, register, bits| never(config, LaunchMode::Cdp, register, bits);
        let units = cdp(&CONFIG, "dispatcher.units.counts", 48);
        assert_eq!(units, (0..48).filter(|bit| bit % 24 > 0).collect::<Vec<_>>());
        assert_eq!(cdp(&CONFIG, "dispatcher.search.at$q", 2), [0, 1]);
        let total = "queues.slice$0.overflow$promised";
        assert_eq!(cdp(&CONFIG, total, 4), [3]);
        let many = LapermConfig { entries: 32, ..CONFIG };
        assert_eq!(cdp(&many, total, 4), [0, 1, 2, 3]);
        assert_eq!(never(&many, LaunchMode::Dtbl, total, 4), [] as [usize; 0]);
    }
}
