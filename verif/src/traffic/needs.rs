//! What the blocks of random kernels take of their SMX.

use blockyard_sim::port::{BlockNeeds, SmxLimits};
use rand::{Rng, RngExt};

/// From next to nothing to all that an SMX has, so that blocks of different kernels fit or not for
/// different reasons; often just what fits a whole number of times, or one more; sometimes as many
/// bits as are drawn for each resource, or one resource alone; sometimes those of the kernel before
/// but for one bit.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    limits: SmxLimits,
    before: BlockNeeds,
}

impl Needs {
    /// For SMXs with these limits.
    pub fn new(limits: SmxLimits) -> Self {
        Self { limits, before: BlockNeeds::default() }
    }

    /// Those of the next kernel; if it is `brief`, little in most cases.
    pub fn next(&mut self, brief: bool, random: &mut impl Rng) -> BlockNeeds {
        self.before = match random.random_range(0..8) {
            0 => self.near_miss(random),
            // So little that all slots fill.
            drawn if drawn <= 2 || brief && drawn <= 5 => {
                self.each(|most| random.random_range(0..=most / 64))
            }
            3 => self.each(|most| bits(random, most)),
            6 => self.alone(random),
            _ => self.each(|most| part(random, most)),
        };
        self.before
    }

    fn each(&self, mut part: impl FnMut(u32) -> u32) -> BlockNeeds {
        let SmxLimits { threads, registers, shared_memory, .. } = self.limits;
        BlockNeeds {
            threads: part(threads),
            registers: part(registers),
            shared_memory: part(shared_memory),
        }
    }

    /// One resource, and nothing of the others.
    fn alone(&self, random: &mut impl Rng) -> BlockNeeds {
        let needed = random.random_range(0..3);
        let mut resource = 0..;
        self.each(|most| match resource.next() == Some(needed) {
            true => part(random, most),
            false => 0,
        })
    }

    /// One bit of one resource is another one, as far as an SMX has that much.
    fn near_miss(&self, random: &mut impl Rng) -> BlockNeeds {
        let mut needs = self.before;
        let (need, most) = match random.random_range(0..3) {
            0 => (&mut needs.threads, self.limits.threads),
            1 => (&mut needs.registers, self.limits.registers),
            _ => (&mut needs.shared_memory, self.limits.shared_memory),
        };
        let bits = (u32::BITS - most.leading_zeros()).max(1);
        *need = (*need ^ 1 << random.random_range(0..bits)).min(most);
        needs
    }
}

/// As many bits as are drawn, any of them set.
fn bits(random: &mut impl Rng, most: u32) -> u32 {
    let bits = u32::BITS - most.leading_zeros();
    let drawn = random.random_range(0..=bits);
    random.random_range(0..=most) & ((1_u64 << drawn) - 1) as u32
}

fn part(random: &mut impl Rng, most: u32) -> u32 {
    let times = random.random_range(2..=8);
    match random.random_range(0..12) {
        0 => 0,
        1 => most,
        2 => most / 2 + 1,
        3 | 4 => most / times,
        5 => most / times + 1,
        _ => random.random_range(0..=most / 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    const LIMITS: SmxLimits =
        SmxLimits { threads: 1536, registers: 65_536, shared_memory: 1, thread_block_slots: 8 };

    #[test]
    fn every_block_fits_an_empty_smx_and_some_take_all_of_a_resource() {
        let (mut needs, mut random) = (Needs::new(LIMITS), Pcg64::seed_from_u64(1));
        let drawn: Vec<BlockNeeds> = (0..2000).map(|_| needs.next(false, &mut random)).collect();
        let fits = |needs: &BlockNeeds| {
            needs.threads <= LIMITS.threads
                && needs.registers <= LIMITS.registers
                && needs.shared_memory <= LIMITS.shared_memory
        };
        assert!(drawn.iter().all(fits));
        assert!(drawn.iter().any(|needs| needs.registers == LIMITS.registers));
        let near = drawn.windows(2).filter(|pair| {
            let [a, b] = pair else { return false };
            a.registers == b.registers && (a.threads ^ b.threads).count_ones() == 1
        });
        assert!(near.count() > 10, "some differ from those before in one bit");
    }

    #[test]
    fn a_resource_that_is_needed_alone_may_be_any() {
        let (needs, mut random) = (Needs::new(LIMITS), Pcg64::seed_from_u64(1));
        let mut needed = [false; 3];
        for _ in 0..1000 {
            let BlockNeeds { threads, registers, shared_memory } = needs.alone(&mut random);
            let now = [threads, registers, shared_memory].map(|need| need > 0);
            assert!(now.iter().filter(|is_needed| **is_needed).count() <= 1, "{now:?}");
            needed.iter_mut().zip(now).for_each(|(ever, now)| *ever |= now);
        }
        assert_eq!(needed, [true; 3]);
    }
}
