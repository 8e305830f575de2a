//! What a user reads of barriers that never open.

use super::{Arrivals, Barriers};
use crate::warp_set::slots;

/// Threads of a warp.
const LANES: u32 = crate::program::WARP_LANES as u32;

impl Barriers {
    /// Who waits where, and for how many, in one line; `number` gives a warp's place in its block.
    pub fn report(&self, number: impl Fn(usize) -> u32) -> String {
        let others = self.others.iter().map(|(id, arrivals)| (*id, arrivals));
        let mut all: Vec<(u8, &Arrivals)> = others.chain([(0, &self.zero)]).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        let reached = all.into_iter().filter(|(_, arrivals)| arrivals.count > 0);
        let lines = reached.map(|(id, arrivals)| {
            let (count, needed) = self.of(arrivals);
            let who = match threads(arrivals.waiting, &number) {
                none if none.is_empty() => "no threads wait".to_owned(),
                threads => format!("threads {threads} wait"),
            };
            format!("{who} at barrier {id}, where {count} of {needed} warps have arrived")
        });
        lines.collect::<Vec<_>>().join("; ")
    }

    /// How many of the warps for which a barrier waits have arrived, and how many these are.
    fn of(&self, arrivals: &Arrivals) -> (u32, u32) {
        match arrivals.needed {
            Some(needed) => (arrivals.count, needed.into()),
            None => ((arrivals.arrived & self.alive).count_ones(), self.alive.count_ones()),
        }
    }
}

/// The numbers of the threads of `warps`, those in a row as one.
fn threads(warps: u64, number: &impl Fn(usize) -> u32) -> String {
    let mut numbers: Vec<u32> = slots(warps).map(number).collect();
    numbers.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for warp in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == warp => *last = warp,
            _ => ranges.push((warp, warp)),
        }
    }
    let text =
        |(first, last): (u32, u32)| format!("{}-{}", first * LANES, last * LANES + LANES - 1);
    ranges.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
