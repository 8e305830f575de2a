//! What lanes do together: votes, shuffles, reductions; and what is rare.

use super::addresses::each;
use super::atomic::combined;
use super::{Fault, Warp};
use crate::address_space;
use crate::ast::Space;
use crate::program::{Action, Shuffle, Source, Vote, VoteOf};
use crate::semantics::{Apply, Lanes};
use blockyard_gpu::program::{Operation, Unit, WARP_LANES};

/// What the timing sees of an instruction that needs nothing else.
pub(super) const INTEGER: Operation = Operation::Compute(Unit::Integer);

impl Warp {
    /// Executes an action of this module in `lanes`.
    pub(super) fn together(&mut self, action: &Action, lanes: u32) -> Result<(), Fault> {
        match action {
            Action::IsInSpace { space, address, to } => {
                let mut scratch = [0; WARP_LANES];
                let addresses = self.value(*address, &mut scratch);
                let holds = each(lanes)
                    .filter(|lane| match *space {
                        Space::Shared | Space::Cluster => {
                            self.is_in_shared(*space, addresses[*lane])
                        }
                        space => address_space::space_of(addresses[*lane]) == space,
                    })
                    .fold(0, |holds, lane| holds | 1 << lane);
                self.registers.write_flag(*to, lanes, holds);
            }
            Action::Table { apply, sources, to, combine, holds } => {
                if let Apply::Value(value) = &**apply {
                    let mut result = [0; WARP_LANES];
                    self.with_sources(sources, |values| (value.wide)(values, &mut result));
                    let (combine, flag) = *combine;
                    let found = combine.of(nonzero(&result), self.registers.flag(flag));
                    if let Some(to) = *to {
                        self.registers.write(to, lanes, &result);
                    }
                    if let Some(holds) = *holds {
                        self.registers.write_flag(holds, lanes, found);
                    }
                }
            }
            Action::Vote { vote, members, of, to, holds } => {
                let lanes_here = lanes & self.members(*members, lanes);
                let (flags, values) = match of {
                    VoteOf::Nothing => (0, [0; WARP_LANES]),
                    VoteOf::Flag(flag) => (self.registers.flag(*flag), [0; WARP_LANES]),
                    VoteOf::Value(source) => {
                        let values = self.lanes_of(*source);
                        (same(lanes_here, &values, 1), values)
                    }
                };
                let (result, truth) = voted(*vote, lanes_here, flags, &values);
                if let Some(to) = *to {
                    self.registers.write(to, lanes, &result);
                }
                if let Some(holds) = *holds {
                    self.registers.write_flag(holds, lanes, truth);
                }
            }
            Action::Shuffle { shuffle, sources, to, holds, .. } => {
                let (result, inside) = shuffled(*shuffle, &self.lanes_of_all(sources));
                if let Some(to) = *to {
                    self.registers.write(to, lanes, &result);
                }
                if let Some(holds) = *holds {
                    self.registers.write_flag(holds, lanes, inside);
                }
            }
            Action::Reduce { operation, ty, members, source, to } => {
                let here = lanes & self.members(Some(*members), lanes);
                let mut scratch = [0; WARP_LANES];
                let values = self.value(*source, &mut scratch);
                let reduced = each(here).map(|lane| values[lane]);
                let reduced = reduced.reduce(|a, b| combined(*operation, *ty, a, b, 0));
                self.registers.write(*to, lanes, &[reduced.unwrap_or(0); WARP_LANES]);
            }
            Action::Surface(surface) => self.surface(surface, lanes)?,
            // All others are executed where the warp goes on.
            _ => {}
        }
        Ok(())
    }

    /// The lanes that the operand of a `.sync` form names: that of the lowest lane holds for all.
    fn members(&self, source: Option<Source>, lanes: u32) -> u32 {
        let Some(source) = source else { return u32::MAX };
        let mut scratch = [0; WARP_LANES];
        self.value(source, &mut scratch)[lanes.trailing_zeros() as usize % WARP_LANES] as u32
    }
}

/// The lanes whose value is not 0.
fn nonzero(values: &Lanes) -> u32 {
    (0..WARP_LANES).fold(0, |lanes, lane| lanes | u32::from(values[lane] != 0) << lane)
}

/// The lanes of `lanes` whose value is `value`.
fn same(lanes: u32, values: &Lanes, value: u64) -> u32 {
    each(lanes).filter(|lane| values[*lane] == value).fold(0, |same, lane| same | 1 << lane)
}

/// The value and the predicate that `vote` gives among `lanes`, for which `flags` may hold.
fn voted(vote: Vote, lanes: u32, flags: u32, values: &Lanes) -> (Lanes, u32) {
    let holds = flags & lanes;
    let all = |is: bool| ([0; WARP_LANES], if is { u32::MAX } else { 0 });
    match vote {
        Vote::All => all(holds == lanes),
        Vote::Any => all(holds != 0),
        Vote::Uniform => all(holds == lanes || holds == 0),
        Vote::Ballot => ([u64::from(holds); WARP_LANES], 0),
        Vote::Active => ([u64::from(lanes); WARP_LANES], 0),
        Vote::MatchAny => {
            let mut result = [0; WARP_LANES];
            for lane in each(lanes) {
                result[lane] = u64::from(same(lanes, values, values[lane]));
            }
            (result, 0)
        }
        Vote::MatchAll => {
            let first = values[lanes.trailing_zeros() as usize % WARP_LANES];
            let (_, truth) = all(same(lanes, values, first) == lanes);
            ([u64::from(lanes & truth); WARP_LANES], truth)
        }
    }
}

/// PTX ISA, `shfl`: value, distance or lane, and what bounds it, of each lane; the results, and the
/// lanes whose source was inside the bound.
fn shuffled(shuffle: Shuffle, [values, by, bounds]: &[Lanes; 3]) -> (Lanes, u32) {
    let mut inside = 0;
    let mut result = [0; WARP_LANES];
    for lane in 0..WARP_LANES {
        let by = by[lane] as i32 & 31;
        let (clamp, segment) = (bounds[lane] as i32 & 31, bounds[lane] as i32 >> 8 & 31);
        let own = lane as i32;
        let (first, last) = (own & segment, own & segment | clamp & !segment);
        let (from, fits) = match shuffle {
            Shuffle::Up => (own - by, own - by >= last),
            Shuffle::Down => (own + by, own + by <= last),
            Shuffle::Butterfly => (own ^ by, own ^ by <= last),
            Shuffle::Index => (first | by & !segment, (first | by & !segment) <= last),
        };
        inside |= u32::from(fits) << lane;
        let from = if fits { from as usize % WARP_LANES } else { lane };
        result[lane] = values[from];
    }
    (result, inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffle(kind: Shuffle, by: u64, bounds: u64) -> (Vec<u64>, u32) {
        let own = std::array::from_fn(|lane| lane as u64);
        let (result, inside) = shuffled(kind, &[own, [by; WARP_LANES], [bounds; WARP_LANES]]);
        (result.to_vec(), inside)
    }

    #[test]
    fn lanes_beyond_the_end_keep_their_own_value() {
        let (down, inside) = shuffle(Shuffle::Down, 1, 31);
        assert_eq!((down[0], down[30], down[31], inside), (1, 31, 31, u32::MAX >> 1));
        let (up, inside) = shuffle(Shuffle::Up, 2, 0);
        assert_eq!((up[0], up[1], up[2], inside), (0, 1, 0, u32::MAX << 2));
    }

    #[test]
    fn segments_bound_a_shuffle() {
        // Width 8: CUDA passes ((32 - 8) << 8) | 31.
        let (down, inside) = shuffle(Shuffle::Down, 1, 24 << 8 | 31);
        assert_eq!((down[6], down[7], down[8]), (7, 7, 9));
        assert_eq!(inside, 0x7f7f_7f7f);
        let (index, _) = shuffle(Shuffle::Index, 3, 24 << 8 | 31);
        assert_eq!((index[0], index[9], index[31]), (3, 11, 27));
        let (butterfly, inside) = shuffle(Shuffle::Butterfly, 1, 31);
        assert_eq!((butterfly[0], butterfly[31], inside), (1, 30, u32::MAX));
    }

    #[test]
    fn votes_are_among_the_lanes_that_take_part() {
        let none = [0; WARP_LANES];
        assert_eq!(voted(Vote::All, 0b0110, 0b1110, &none).1, u32::MAX);
        assert_eq!(voted(Vote::All, 0b0110, 0b0100, &none).1, 0);
        assert_eq!(voted(Vote::Any, 0b0110, 0b1001, &none).1, 0);
        assert_eq!(voted(Vote::Uniform, 0b0110, 0b1001, &none).1, u32::MAX);
        assert_eq!(voted(Vote::Ballot, 0b0110, 0b1101, &none).0[0], 0b0100);
    }

    #[test]
    fn matches_are_the_lanes_of_equal_values() {
        let values = std::array::from_fn(|lane| lane as u64 % 2);
        let (any, _) = voted(Vote::MatchAny, 0b1111, 0, &values);
        assert_eq!((any[0], any[1], any[4]), (0b0101, 0b1010, 0));
        assert_eq!(voted(Vote::MatchAll, 0b0101, 0, &values).0[0], 0b0101);
        assert_eq!(voted(Vote::MatchAll, 0b0011, 0, &values), ([0; WARP_LANES], 0));
    }
}
