//! Which candidates may be tried: those whose hardware is small enough.

use super::candidates::{Candidate, Storage};
use super::choose::{Racer, Tried};
use super::Search;
use crate::study::plan::Plan;
use miette::{miette, Result};
use std::collections::VecDeque;

/// Candidates of which a model is asked at once. They were drawn: the others are like them.
const LOOKED_AT: usize = 5_000;

/// Candidates that wait to be tried. What their hardware stores is looked at when it is their turn.
pub(super) struct Admission<'a> {
    most_bits: Option<u64>,
    plan: &'a Plan,
    storage: Storage,
    waiting: VecDeque<Candidate>,
}

impl<'a> Admission<'a> {
    /// Those that were `drawn`, in this order.
    pub fn new(search: &Search, plan: &'a Plan, drawn: Vec<Candidate>) -> Self {
        let most_bits = search.max_storage_bits;
        Self { most_bits, plan, storage: Storage::default(), waiting: drawn.into() }
    }

    /// The next one, if there is one.
    pub fn next(&mut self) -> Option<Racer> {
        loop {
            let candidate = self.waiting.pop_front()?;
            let mut storage_bits = None;
            if let Some(most) = self.most_bits {
                storage_bits = self.storage.of(&candidate, &self.plan.runs);
                if storage_bits.is_none_or(|bits| bits > most) {
                    continue;
                }
            }
            let axes = candidate.axes.clone();
            let tried = Tried { axes, cases: 0, score: None, storage_bits };
            return Some(Racer { candidate, tried });
        }
    }

    /// The first ones, `count` if there are so many.
    ///
    /// # Errors
    /// There is none.
    pub fn first(&mut self, count: u64) -> Result<Vec<Racer>> {
        let admitted: Vec<Racer> = (0..count).map_while(|_| self.next()).collect();
        match (admitted.is_empty(), self.most_bits) {
            (true, Some(most)) => Err(miette!(
                help = "set a larger max_storage_bits; `blockyard budget` has what is stored",
                "the hardware of no candidate stores {most} bits or less"
            )),
            (true, None) => Err(miette!(
                help = "the axes of a search are some of those of the study",
                "no point of the study lies on the axes of the search"
            )),
            (false, _) => Ok(admitted),
        }
    }

    /// Puts the one first of which most is promised, of some thousands that wait: of equal ones,
    /// that which was drawn first.
    pub fn prefer(&mut self, promise: &dyn Fn(&Candidate) -> f64) {
        let promises = self.waiting.iter().take(LOOKED_AT).map(promise);
        let best = promises.enumerate().reduce(|best, other| match other.1 > best.1 {
            true => other,
            false => best,
        });
        if let Some(best) = best.and_then(|(place, _)| self.waiting.remove(place)) {
            self.waiting.push_front(best);
        }
    }
}
