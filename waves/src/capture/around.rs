//! Only the cycles around events: what came before is held back until one happens.

use super::track::{Tracks, Value};
use crate::error::WaveError;
use crate::outbox::{Outbox, Target};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// Holds back the last cycles and passes on those around events. Between two stretches everything
/// is unknown, and no text is said.
pub(crate) struct Around {
    margin: u64,
    /// Last cycle of the stretch that is being written.
    until: Option<u64>,
    /// First cycle after the last stretch.
    since: u64,
    opened: bool,
    /// The cycle after the first stretch.
    first_end: Option<u64>,
    first: Option<u64>,
    /// The changes of the last cycles, oldest first.
    held: VecDeque<(u64, Vec<(usize, Value)>)>,
    /// All values before those.
    base: Vec<Value>,
}

impl Around {
    pub(crate) fn new(margin: u64, tracks: &Tracks) -> Self {
        let base = tracks.values();
        let (until, since, opened, first) = (None, 0, false, None);
        let (first_end, held) = (None, VecDeque::new());
        Self { margin, until, since, opened, first_end, first, held, base }
    }

    /// Whether no event has happened.
    pub(crate) fn is_empty(&self) -> bool {
        !self.opened
    }

    /// What happened in the cycle before holds for all cycles before `cycle`.
    pub(crate) fn prolong(&mut self, cycle: u64) {
        if let Some(until) = &mut self.until {
            *until = (*until).max((cycle - 1).saturating_add(self.margin));
        }
    }

    /// A cycle with its changes, and whether an event happens in it.
    pub(crate) fn frame<W: Target>(
        &mut self,
        body: &mut Outbox<W>,
        tracks: &Tracks,
        window: &RangeInclusive<u64>,
        cycle: u64,
        event: bool,
    ) -> Result<(), WaveError> {
        let first = *self.first.get_or_insert(cycle);
        self.held.push_back((cycle, tracks.changes()));
        if self.until.is_some_and(|until| cycle > until) {
            self.close();
        }
        if event && window.contains(&cycle) {
            if self.until.is_none() {
                let from = cycle.saturating_sub(self.margin).max(first).max(*window.start());
                self.open(body, tracks, from.max(self.since))?;
            }
            let until = cycle.saturating_add(self.margin);
            self.until = Some(self.until.unwrap_or(0).max(until));
        }
        if self.until.is_some() {
            self.write(body, tracks, *window.end())?;
        } else {
            self.forget(cycle.saturating_sub(self.margin));
        }
        Ok(())
    }

    /// The time after the last cycle that is written, of a run that ends in `last`; `None` when
    /// nothing is.
    pub(crate) fn end(&self, last: u64) -> Option<u64> {
        let after = self.until.map_or(self.since, |until| until.min(last).saturating_add(1));
        self.opened.then_some(after)
    }

    /// The cycle after the first stretch; `None` while that is the only one.
    pub(crate) fn first_end(&self) -> Option<u64> {
        self.first_end
    }

    fn close(&mut self) {
        self.since = self.until.take().map_or(self.since, |until| until.saturating_add(1));
    }

    /// Begins a stretch in `from` with all values.
    fn open<W: Target>(
        &mut self,
        body: &mut Outbox<W>,
        tracks: &Tracks,
        from: u64,
    ) -> Result<(), WaveError> {
        if self.opened && self.since < from {
            self.first_end.get_or_insert(self.since);
            body.time(self.since)?;
            tracks.write_unknown(body);
        }
        self.forget(from);
        body.time(from)?;
        for (place, value) in self.base.iter().enumerate() {
            tracks.write(body, place, value);
        }
        self.opened = true;
        Ok(())
    }

    fn write<W: Target>(
        &mut self,
        body: &mut Outbox<W>,
        tracks: &Tracks,
        end: u64,
    ) -> Result<(), WaveError> {
        for (cycle, changes) in self.held.drain(..) {
            let shown = cycle <= end && !changes.is_empty();
            if shown {
                body.time(cycle)?;
            }
            for (place, value) in changes {
                if shown {
                    tracks.write(body, place, &value);
                }
                self.base[place] = value;
            }
        }
        Ok(())
    }

    /// What changed up to `cycle` is history.
    fn forget(&mut self, cycle: u64) {
        while self.held.front().is_some_and(|(at, _)| *at <= cycle) {
            for (place, value) in self.held.pop_front().into_iter().flat_map(|(_, all)| all) {
                self.base[place] = value;
            }
        }
    }
}
