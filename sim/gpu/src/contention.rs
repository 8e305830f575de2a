//! Blocks of stated duration that slow each other down: durations that respond to residency and
//! co-runners (SRTF, sections 3.4.3 and 3.4.4; the model and its limits are on `docs/srtf.md`).

use super::event::{Calendar, Event};

/// Work that is left when a block has ended, in cycles: what rounding leaves.
const NOTHING: f64 = 1e-6;

/// How blocks of a kernel respond to what runs beside them, and weigh on others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contention {
    /// Duration on an SMX without any load, by the stated one; 0 to 1.
    pub floor: f64,
    /// Load of a resident block on blocks of its own kernel. The stated duration is that at a load
    /// of 1.
    pub own: f64,
    /// Load of a resident block on blocks of other kernels.
    pub others: f64,
}

impl Contention {
    /// Duration at `load`, by the stated one.
    fn slowdown(&self, load: f64) -> f64 {
        self.floor + (1.0 - self.floor) * load
    }
}

/// A block under way.
#[derive(Clone, Debug)]
struct Running {
    slot: u8,
    kernel: usize,
    contention: Contention,
    /// Cycles that it would still take at its stated pace.
    left: f64,
}

/// The blocks of one SMX that share it.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    running: Vec<Running>,
    /// The cycle up to which `left` counts.
    since: u64,
    /// Of the event that is expected; older ones are void.
    version: u32,
}

impl Shared {
    /// The block in `slot` of SMX `smx` starts now; at its stated pace it would take `duration`
    /// cycles.
    pub fn start(
        &mut self,
        smx: u8,
        (slot, kernel): (u8, usize),
        duration: u64,
        contention: Contention,
        calendar: &mut Calendar,
    ) {
        self.progress(calendar.now());
        self.running.push(Running { slot, kernel, contention, left: duration as f64 });
        self.expect(smx, calendar);
    }

    /// The event of that version is there: takes the slots of the blocks that end now into `ended`.
    pub fn end(
        &mut self,
        smx: u8,
        version: u32,
        calendar: &mut Calendar,
        mut ended: impl FnMut(u8),
    ) {
        if version != self.version {
            return;
        }
        self.progress(calendar.now());
        self.running.retain(|block| {
            let over = block.left <= NOTHING;
            if over {
                ended(block.slot);
            }
            !over
        });
        self.expect(smx, calendar);
    }

    /// How much longer than stated the blocks of `of` take now.
    fn slowdown(&self, of: &Running) -> f64 {
        let load = |block: &Running| {
            let Contention { own, others, .. } = block.contention;
            if block.kernel == of.kernel {
                own
            } else {
                others
            }
        };
        of.contention.slowdown(self.running.iter().map(load).sum())
    }

    fn progress(&mut self, cycle: u64) {
        let cycles = (cycle - self.since) as f64;
        self.since = cycle;
        if cycles > 0.0 {
            let done: Vec<f64> =
                self.running.iter().map(|block| cycles / self.slowdown(block)).collect();
            for (block, done) in self.running.iter_mut().zip(done) {
                block.left -= done;
            }
        }
    }

    /// Puts the end of the block that ends next into the calendar.
    fn expect(&mut self, smx: u8, calendar: &mut Calendar) {
        self.version = self.version.wrapping_add(1);
        let cycles = |block: &Running| (block.left * self.slowdown(block) - NOTHING).ceil();
        if let Some(cycles) = self.running.iter().map(cycles).reduce(f64::min) {
            let end = self.since + cycles.max(1.0) as u64;
            calendar.schedule(end, Event::SharedEnd { smx, version: self.version });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Contention = Contention { floor: 0.5, own: 0.25, others: 0.5 };

    /// The slots that end, by cycle, when these blocks (start, kernel, duration) go to slots 0, 1,
    /// ...
    fn ends(blocks: &[(u64, usize, u64)], contention: Contention) -> Vec<(u64, u8)> {
        let (mut shared, mut calendar) = (Shared::default(), Calendar::default());
        let (mut ends, mut next) = (Vec::new(), 0);
        loop {
            let start = blocks.get(next).map(|block| block.0);
            let Some(cycle) = start.into_iter().chain(calendar.next()).min() else { return ends };
            calendar.advance(cycle);
            for event in calendar.take_events().unwrap_or_default() {
                let Event::SharedEnd { version, .. } = event else { panic!("{event:?}") };
                shared.end(0, version, &mut calendar, |slot| ends.push((cycle, slot)));
            }
            calendar.happened(Vec::new());
            if start == Some(cycle) {
                let (_, kernel, duration) = blocks[next];
                let place = (next as u8, kernel);
                shared.start(0, place, duration, contention, &mut calendar);
                next += 1;
            }
        }
    }

    #[test]
    fn a_full_smx_runs_at_the_stated_pace_and_an_emptier_one_faster() {
        let block = (0, 0, 1000);
        assert_eq!(ends(&[block; 4], HALF), [0, 1, 2, 3].map(|slot| (1000, slot)));
        assert_eq!(ends(&[block; 2], HALF), [(750, 0), (750, 1)]);
        assert_eq!(ends(&[block], HALF), [(625, 0)]);
    }

    #[test]
    fn blocks_of_other_kernels_weigh_what_is_said_of_them() {
        // Each: 0.5 + 0.5 * (0.25 + 0.5).
        assert_eq!(ends(&[(0, 0, 1000), (0, 1, 1000)], HALF), [(875, 0), (875, 1)]);
    }

    #[test]
    fn the_pace_changes_when_a_block_comes_or_goes() {
        // Alone for 500 cycles it does 800 of its 1000; the rest takes 200 * 0.75.
        let blocks = [(0, 0, 1000), (500, 0, 1000)];
        // The other one has done 200 by then, and does 800 alone.
        assert_eq!(ends(&blocks, HALF), [(650, 0), (650 + 500, 1)]);
    }

    #[test]
    fn a_block_takes_at_least_a_cycle_and_ends_are_rounded_up() {
        let free = Contention { floor: 0.1, own: 0.0, others: 0.0 };
        assert_eq!(ends(&[(0, 0, 1)], free), [(1, 0)]);
        assert_eq!(ends(&[(0, 0, 15)], free), [(2, 0)]);
        assert_eq!(ends(&[(0, 0, 20)], free), [(2, 0)]);
    }
}
