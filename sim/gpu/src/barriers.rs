//! The barriers of one thread block: how many warps have arrived at each, which of them wait, and
//! which may go on. Nothing here knows of cycles.
//!
//! Sets of warps have one bit a warp; who uses them says which number a warp has, below 64.

mod report;

use crate::warp_set::slots;

/// Barriers of a block.
pub const BARRIERS: u8 = 16;

/// What a warp says when it comes to a barrier (PTX `bar.sync` and `bar.arrive`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedBarrier {
    /// Which one, below [`BARRIERS`]; more counts modulo that.
    pub id: u8,
    /// How many warps have to arrive; `None`: all warps of the block that have not exited.
    pub warps: Option<u8>,
    /// Whether the warp waits until they have; otherwise it counts, and goes on.
    pub waits: bool,
}

impl NamedBarrier {
    /// That of [`crate::program::Operation::Barrier`]: number 0, at which all warps wait.
    pub const ALL: Self = Self { id: 0, warps: None, waits: true };
}

/// The warps that have come to one barrier since it opened last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Arrivals {
    /// How many have to; what the first one said.
    needed: Option<u8>,
    /// How often one did.
    count: u32,
    /// Which ones.
    arrived: u64,
    /// Those of them that wait.
    waiting: u64,
}

impl Arrivals {
    #[inline]
    fn add(&mut self, warp: usize, barrier: NamedBarrier) {
        if self.count == 0 {
            self.needed = barrier.warps;
        }
        self.count += 1;
        self.arrived |= 1 << warp;
        self.waiting |= u64::from(barrier.waits) << warp;
    }

    /// Lets those that wait go if enough have arrived, where the warps `alive` have not exited.
    #[inline]
    fn open(&mut self, alive: u64) -> u64 {
        let complete = match self.needed {
            None => alive & !self.arrived == 0,
            Some(needed) => self.count >= u32::from(needed),
        };
        if complete {
            std::mem::take(self).waiting
        } else {
            0
        }
    }
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barriers {
    /// Warps that have not exited.
    alive: u64,
    /// Those that wait, wherever that is.
    waiting: u64,
    /// Barrier 0, the only one of most kernels.
    zero: Arrivals,
    /// The others that warps have come to, in order of the first time, with their numbers.
    others: Vec<(u8, Arrivals)>,
}

impl Barriers {
    /// Those of a block with the warps `warps`.
    pub fn new(warps: u64) -> Self {
        Self { alive: warps, ..Self::default() }
    }

    /// The warps that have not exited.
    #[inline]
    pub fn alive(&self) -> u64 {
        self.alive
    }

    /// Those of them that wait at a barrier.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// `warp` comes to `barrier`. Of warps that say different things the first one counts that came
    /// since the barrier opened last.
    #[inline]
    pub fn arrive(&mut self, warp: usize, barrier: NamedBarrier) {
        self.waiting |= u64::from(barrier.waits) << warp;
        match barrier.id % BARRIERS {
            0 => self.zero.add(warp, barrier),
            id => self.other(id).add(warp, barrier),
        }
    }

    /// `warp` has exited: no barrier waits for it any more that waits for all.
    #[inline]
    pub fn exited(&mut self, warp: usize) {
        self.alive &= !(1 << warp);
    }

    /// Opens every barrier at which enough warps have arrived, and begins it anew; returns the
    /// warps that waited there, which go on. To be called after each arrival, and each exit.
    #[inline]
    pub fn open(&mut self) -> u64 {
        let mut going_on = 0;
        // A barrier that nobody has come to may open unseen.
        going_on |= self.zero.open(self.alive);
        for (_, arrivals) in &mut self.others {
            going_on |= arrivals.open(self.alive);
        }
        self.waiting &= !going_on;
        going_on
    }

    /// Whether every warp that has not exited waits, and there is one: after [`Barriers::open`],
    /// none of them will ever go on.
    #[inline]
    pub fn stuck(&self) -> bool {
        self.alive != 0 && self.waiting == self.alive
    }

    /// From now on each warp that has not exited has the number `of` its number so far.
    pub fn renumber(&mut self, of: impl Fn(usize) -> usize) {
        let alive = self.alive;
        let moved = |set: u64| slots(set & alive).fold(0, |set, warp| set | 1 << of(warp));
        let others = self.others.iter_mut().map(|(_, arrivals)| arrivals);
        for arrivals in others.chain([&mut self.zero]) {
            arrivals.arrived = moved(arrivals.arrived);
            arrivals.waiting = moved(arrivals.waiting);
        }
        self.waiting = moved(self.waiting);
        self.alive = moved(alive);
    }

    fn other(&mut self, id: u8) -> &mut Arrivals {
        let at = self.others.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.others.push((id, Arrivals::default()));
            self.others.len() - 1
        });
        &mut self.others[at].1
    }
}

#[cfg(test)]
mod tests;
