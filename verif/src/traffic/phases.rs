//! Phases of launches from the device, which fill and drain every table, and the flood that may
//! come first.

use rand::{Rng, RngExt};

/// Chance in 1,000 of each event in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// That a block launches groups.
    pub command: u32,
    /// That one launches a kernel.
    pub device: u32,
    /// That a kernel is suspended.
    pub suspend: u32,
    /// That what was asked of memory arrives.
    pub reply: u32,
    /// That a kernel begins to be kept.
    pub keep: u32,
    cycles: u32,
}

/// Launches that nothing drains, mostly of one function: more of them wait than a table has
/// entries, 1,024, and as many groups are one kernel's.
const FLOOD: Phase =
    Phase { command: 400, device: 900, suspend: 80, reply: 5, keep: 5, cycles: 5000 };

/// Chance in 1,000 that a flood comes first.
const FLOODED: u32 = 250;

const PHASES: [Phase; 4] = [
    Phase { command: 300, device: 30, suspend: 20, reply: 300, keep: 60, cycles: 200 },
    Phase { command: 10, device: 200, suspend: 60, reply: 30, keep: 200, cycles: 150 },
    Phase { command: 0, device: 2, suspend: 1, reply: 800, keep: 20, cycles: 400 },
    Phase { command: 60, device: 10, suspend: 2, reply: 100, keep: 0, cycles: 250 },
];

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    now: Phase,
    is_flood: bool,
    /// The place of the one that follows.
    next: usize,
    left: u32,
}

impl Phases {
    /// From reset on; `flood` is how long a flood takes that comes first, or zero.
    pub fn draw(flood: u32, random: &mut impl Rng) -> Self {
        let is_flood = random.random_range(0..1000) < FLOODED || flood > 0;
        let cycles = if flood > 0 { flood } else { FLOOD.cycles };
        let (now, next) = if is_flood { (Phase { cycles, ..FLOOD }, 0) } else { (PHASES[0], 1) };
        Self { now, is_flood, next, left: now.cycles }
    }

    /// That of the next cycle; asked once a cycle.
    pub fn next(&mut self) -> Phase {
        if self.left == 0 {
            let now = PHASES[self.next];
            let next = (self.next + 1) % PHASES.len();
            *self = Self { now, is_flood: false, next, left: now.cycles };
        }
        self.left -= 1;
        self.now
    }

    /// Whether this is the flood.
    pub fn is_flood(&self) -> bool {
        self.is_flood
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn a_flood_comes_first_in_a_quarter_of_the_cases_and_all_phases_follow_in_turn() {
        let mut random = Pcg64::seed_from_u64(1);
        let mut floods = 0;
        for _ in 0..1000 {
            let mut phases = Phases::draw(0, &mut random);
            if phases.is_flood() {
                floods += 1;
                assert!((0..FLOOD.cycles).all(|_| phases.next() == FLOOD));
            }
            for phase in PHASES.iter().chain(&PHASES) {
                assert!((0..phase.cycles).all(|_| phases.next() == *phase));
                assert!(!phases.is_flood());
            }
        }
        assert!((200..300).contains(&floods), "{floods} of 1,000");
    }

    #[test]
    fn a_flood_that_is_asked_for_always_comes_and_is_as_long_as_asked() {
        let mut random = Pcg64::seed_from_u64(1);
        for cycles in [1, 6000] {
            let mut phases = Phases::draw(cycles, &mut random);
            let flood = Phase { cycles, ..FLOOD };
            assert!((0..cycles).all(|_| phases.is_flood() && phases.next() == flood));
            assert_eq!(phases.next(), PHASES[0]);
            assert!(!phases.is_flood());
        }
    }
}
