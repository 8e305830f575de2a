//! Barriers that are objects in shared memory: a lane after the other arrives or asks.
//!
//! The object and the state that an arrival gives are the same 64 bits, of which a thread may know nothing
//! else: from bit 0 on those that have not arrived in this phase, those that are awaited in each, the number of
//! the phase, and a one. The 20 bits of the counts are those of the manual's largest count.

use super::addresses::{each, stride};
use super::{Fault, Warp};
use crate::address_space;
use crate::ast::Space;
use crate::lower::COUNT_BITS;
use crate::machine::{put, value_of};
use crate::program::{Mbarrier, Phased};
use blockyard_gpu::program::{Instruction, WARP_LANES};

/// The largest count.
const MOST: u64 = (1 << COUNT_BITS) - 1;
const PHASE_BITS: u32 = 23;
const BYTES: u64 = 8;

/// An object, or a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    pending: u64,
    awaited: u64,
    phase: u64,
}

impl State {
    /// `None`: nobody has made one there.
    fn of(bits: u64) -> Option<Self> {
        let phase = bits >> (2 * COUNT_BITS) & ((1 << PHASE_BITS) - 1);
        let valid = bits >> 63 == 1;
        valid.then_some(Self { pending: bits & MOST, awaited: bits >> COUNT_BITS & MOST, phase })
    }

    fn bits(self) -> u64 {
        let phase = self.phase & ((1 << PHASE_BITS) - 1);
        1 << 63 | phase << (2 * COUNT_BITS) | self.awaited << COUNT_BITS | self.pending
    }

    /// `count` arrive. Errors are what is wrong with that, and what was expected.
    fn arrive(
        mut self,
        count: u64,
        drops: bool,
        more_come: bool,
    ) -> Result<Self, (String, String)> {
        let most = if more_come { self.pending.saturating_sub(1) } else { self.pending };
        if count > most {
            let message = match more_come {
                false => format!("{count} arrive at an mbarrier that waits for {}", self.pending),
                true => format!("{count} of {} arrive, and complete the phase", self.pending),
            };
            return Err((message, format!("at most {most}")));
        }
        self.pending -= count;
        if drops {
            self.awaited -= count.min(self.awaited);
        }
        if self.pending == 0 && count > 0 {
            self.phase += 1;
            self.pending = self.awaited;
        }
        Ok(self)
    }
}

impl Warp {
    /// `mbarrier`
    pub(super) fn mbarrier(
        &mut self,
        of: &Mbarrier,
        lanes: u32,
        shown: &mut Instruction,
    ) -> Result<(), Fault> {
        let addresses = self.addresses(&of.at);
        let operand = of.operand.map(|source| {
            let mut scratch = [0; WARP_LANES];
            *self.value(source, &mut scratch)
        });
        let (mut before, mut over) = ([0; WARP_LANES], 0);
        for lane in each(lanes) {
            let address = addresses[lane];
            self.check_place(of, lane, address)?;
            let operand = operand.map_or(0, |values| values[lane]);
            if of.phased == Phased::Initialize {
                self.initialize(of, lane, address, operand)?;
                continue;
            }
            let space = of.at.space;
            let bits =
                self.place(space, lane, address, BYTES, "access", |place| value_of(place))?;
            let Some(state) = State::of(bits) else {
                let message = format!("no mbarrier is at {address:#x}");
                return Err(Fault::of_lane(lane, message, "one that `mbarrier.init` has made"));
            };
            let wrong =
                |(message, expected): (String, String)| Fault::of_lane(lane, message, expected);
            let after = match of.phased {
                Phased::Initialize | Phased::Invalidate => 0,
                Phased::Arrive { drops, more_come } => {
                    before[lane] = bits;
                    state.arrive(operand, drops, more_come).map_err(wrong)?.bits()
                }
                Phased::Test | Phased::TestParity => {
                    let found = is_over(state, of.phased, operand).map_err(wrong)?;
                    over |= u32::from(found) << lane;
                    continue;
                }
            };
            self.place(space, lane, address, BYTES, "access", |place| put(place, after))?;
        }
        if let Some(to) = of.to {
            match of.phased {
                Phased::Test | Phased::TestParity => self.values.write_flag(to, lanes, over),
                _ => self.values.write(to, lanes, &before),
            }
        }
        self.show(lanes, &of.at, (&addresses, stride(lanes, &addresses)), shown);
        Ok(())
    }

    fn check_place(&self, of: &Mbarrier, lane: usize, address: u64) -> Result<(), Fault> {
        if of.at.space.is_none() && address_space::space_of(address) != Space::Shared {
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
            checks.has_mbarrier();
        }
        let bits = State { pending: count, awaited: count, phase: 0 }.bits();
        self.place(of.at.space, lane, address, BYTES, "store", |place| put(place, bits))
    }
}

/// Whether the phase that `operand` names, which is that of `now` or the one before, is over.
fn is_over(now: State, phased: Phased, operand: u64) -> Result<bool, (String, String)> {
    if phased == Phased::TestParity {
        return match operand {
            0 | 1 => Ok(now.phase & 1 != operand),
            other => Err((format!("a phase has no parity of {other}"), "0 or 1".to_owned())),
        };
    }
    match State::of(operand) {
        Some(then) => Ok(then.phase != now.phase),
        None => Err((
            format!("{operand:#x} is no state of an mbarrier"),
            "what `mbarrier.arrive` has given".to_owned(),
        )),
    }
}
