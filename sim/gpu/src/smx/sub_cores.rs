//! The execution units of an SMX: one lot that all schedulers share, or one for each scheduler,
//! which then is a sub-core with its warps.

use super::units::{IssueClass, Units, ISSUE_CLASSES, UNITS};
use crate::config::GpuConfig;
use crate::program::Register;
use crate::warp_set::WarpSet;

/// Units, and the warps that issue to them.
#[derive(Debug)]
struct Lot {
    warps: WarpSet,
    units: Units,
}

/// See the module.
#[derive(Debug)]
pub struct SubCores {
    /// A cycle from which on every kind of every lot has a unit that is free.
    all_free: u64,
    lots: Box<[Lot]>,
}

impl SubCores {
    /// The idle units of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let count = if config.units.by_scheduler { config.warp.schedulers } else { 1 };
        let warps = |first: u32| {
            (first..WarpSet::BITS).step_by(count as usize).fold(0, |set, warp| set | 1 << warp)
        };
        let lot = |first| Lot { warps: warps(first), units: Units::new(config, count) };
        let lots: Box<[Lot]> = (0..count).map(lot).collect();
        let all_free = lots.iter().map(|lot| lot.units.all_free()).max().unwrap_or(0);
        Self { all_free, lots }
    }

    /// The warps, by what they need in `needs`, for which no unit takes an instruction in cycle
    /// `now`.
    #[inline]
    pub fn without_unit(&self, needs: &[WarpSet; ISSUE_CLASSES], now: u64) -> WarpSet {
        let mut without = 0;
        if self.all_free <= now {
            return without;
        }
        for Lot { warps, units } in &self.lots {
            if !units.all_available(now) {
                for class in IssueClass::COMPUTE {
                    if !units.available(class, now) {
                        without |= needs[class.index()] & warps;
                    }
                }
            }
        }
        without
    }

    /// The first cycle after `now` in which one of `left`, which need what `needs` says and nothing
    /// else, may have its unit.
    #[inline]
    pub fn next(&self, mut left: WarpSet, needs: &[WarpSet; ISSUE_CLASSES], now: u64) -> u64 {
        if self.all_free <= now + 1 {
            return now + 1;
        }
        let mut first = u64::MAX;
        for Lot { warps, units } in &self.lots {
            for class in IssueClass::COMPUTE {
                let these = left & needs[class.index()] & warps;
                if these != 0 {
                    first = first.min(units.next_free(class));
                    left &= !these;
                }
            }
        }
        if left == 0 {
            first.max(now + 1)
        } else {
            now + 1
        }
    }

    /// As [`Units::issue`], from the warp in `slot`.
    #[inline]
    pub fn issue(
        &mut self,
        class: IssueClass,
        sources: &[Option<Register>],
        slot: usize,
        now: u64,
    ) -> u64 {
        let lot = if self.lots.len() == 1 { 0 } else { slot % self.lots.len() };
        let units = &mut self.lots[lot].units;
        let result = units.issue(class, sources, now);
        self.all_free = self.all_free.max(units.all_free());
        result
    }

    /// Whether another memory instruction of the SMX may issue in cycle `now`.
    #[inline]
    pub fn memory_available(&self, now: u64) -> bool {
        self.lots[0].units.memory_available(now)
    }

    /// Issues a memory instruction in cycle `now`.
    #[inline]
    pub fn issue_memory(&mut self, now: u64) {
        self.lots[0].units.issue_memory(now);
    }

    /// Instructions issued, by kind.
    pub fn issued(&self) -> [u64; UNITS] {
        std::array::from_fn(|kind| self.lots.iter().map(|lot| lot.units.issued[kind]).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: IssueClass = IssueClass::COMPUTE[1];

    /// Four schedulers with four units of single precision, each of which is kept for two cycles.
    fn units(by_scheduler: bool) -> SubCores {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.warp.schedulers = 4;
        config.units.single = 4;
        config.initiation.single = 2;
        config.units.by_scheduler = by_scheduler;
        SubCores::new(&config)
    }

    #[test]
    fn a_sub_core_has_units_of_its_own_and_a_share_of_those_of_all() {
        let mut needs = [0; ISSUE_CLASSES];
        needs[SINGLE.index()] = 0xff;
        let mut own = units(true);
        own.issue(SINGLE, &[], 5, 10);
        assert_eq!(own.without_unit(&needs, 11), 1 << 1 | 1 << 5, "those of scheduler 1");
        assert_eq!(own.next(1 << 1, &needs, 10), 12);
        assert_eq!(own.next(1 << 1 | 1 << 2, &needs, 11), 12);
        assert_eq!(own.without_unit(&needs, 12), 0);
        let mut shared = units(false);
        shared.issue(SINGLE, &[], 5, 10);
        assert_eq!(shared.without_unit(&needs, 11), 0, "three are left for whoever comes");
        assert_eq!((own.issued()[1], shared.issued()[1]), (1, 1));
    }

    #[test]
    fn memory_instructions_have_one_way_into_the_load_store_unit_for_all() {
        let mut own = units(true);
        own.issue_memory(3);
        assert!(!own.memory_available(3) && own.memory_available(4));
    }
}
