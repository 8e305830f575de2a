//! Barriers that are objects in shared memory: a lane after the other arrives or asks.

use super::addresses::each;
use super::mbarrier_state::{State, MOST};
use super::{Fault, Warp};
use crate::address_space;
use crate::ast::Space;
use crate::machine::{put, value_of};
use crate::program::{Lookup, Mbarrier, Phased};
use blockyard_gpu::program::{Instruction, WARP_LANES};

pub(super) const BYTES: u64 = 8;

impl Warp {
    /// `mbarrier`
    pub(super) fn mbarrier(
        &mut self,
        of: &Mbarrier,
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(&of.at);
        let operand = of.operand.map(|source| self.lanes_of(source));
        let (mut before, mut over) = ([0; WARP_LANES], 0);
        for lane in each(lanes) {
            let address = addresses[lane];
            self.check_mbarrier_place(&of.at, lane, address)?;
            let operand = operand.map_or(0, |values| values[lane]);
            if of.phased == Phased::Initialize {
                self.initialize(of, lane, address, operand)?;
                continue;
            }
            let space = of.at.space;
            let bits =
                self.place(space, lane, address, BYTES, "access", |place| value_of(place))?;
            let state = State::of(bits).ok_or_else(|| no_mbarrier(lane, address))?;
            let wrong =
                |(message, expected): (String, String)| Fault::of_lane(lane, message, expected);
            let after = match of.phased {
                Phased::Initialize | Phased::Invalidate => 0,
                Phased::Arrive { drops, more_come } => {
                    before[lane] = bits;
                    state.arrive(operand, drops, more_come).map_err(wrong)?.bits()
                }
                Phased::ArriveExpecting { drops } => {
                    before[lane] = bits;
                    let expecting = state.expect(operand).map_err(wrong)?;
                    expecting.arrive(1, drops, false).map_err(wrong)?.bits()
                }
                Phased::Expect => state.expect(operand).map_err(wrong)?.bits(),
                Phased::Complete => state.complete(operand).map_err(wrong)?.bits(),
                Phased::Test | Phased::TestParity => {
                    let found = state.is_over(of.phased, operand).map_err(wrong)?;
                    over |= u32::from(found) << lane;
                    continue;
                }
            };
            self.place(space, lane, address, BYTES, "access", |place| put(place, after))?;
        }
        if let Some(to) = of.to {
            match of.phased {
                Phased::Test | Phased::TestParity => self.registers.write_flag(to, lanes, over),
                _ => self.registers.write(to, lanes, &before),
            }
        }
        self.show_each(lanes, &of.at, &addresses, shown);
        Ok(())
    }

    /// Refuses what cannot be the address `address`, which stands as `at` says, of an object.
    pub(super) fn check_mbarrier_place(
        &self,
        at: &Lookup,
        lane: usize,
        address: u64,
    ) -> Result<(), Fault> {
        if at.space.is_none() && address_space::space_of(address) != Space::Shared {
            let message = format!("an mbarrier at {address:#x} is not in shared memory");
            return Err(Fault::of_lane(lane, message, "an address in shared memory"));
        }
        if !address.is_multiple_of(BYTES) {
            let message = format!("an mbarrier at {address:#x} is misaligned");
            return Err(Fault::of_lane(lane, message, format!("a multiple of {BYTES}")));
        }
        Ok(())
    }

    fn initialize(
        &mut self,
        of: &Mbarrier,
        lane: usize,
        address: u64,
        count: u64,
    ) -> Result<(), Fault> {
        if !(1..=MOST).contains(&count) {
            let message = format!("an mbarrier for {count} arrivals");
            return Err(Fault::of_lane(lane, message, format!("1 to {MOST}")));
        }
        if let Some(checks) = &self.block.checks {
            checks.is_ordered_otherwise();
        }
        let bits = State::new(count).bits();
        self.place(of.at.space, lane, address, BYTES, "store", |place| put(place, bits))
    }
}

/// The complaint that nobody has made an object at `address`.
pub(super) fn no_mbarrier(lane: usize, address: u64) -> Fault {
    let message = format!("no mbarrier is at {address:#x}");
    Fault::of_lane(lane, message, "one that `mbarrier.init` has made")
}
