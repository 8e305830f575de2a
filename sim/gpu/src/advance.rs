//! What happens inside the GPU: the events of each cycle, then its load/store units, then issue.

use super::event::{Calendar, Event};
use super::memory::Memory;
use super::prefetch::{prefetch, FEW_SMXS};
use super::smx::Smx;
use super::Gpu;

/// By how many events what an event needs is asked for ahead of it, in each of two steps.
const AHEAD: usize = 3;

impl Gpu {
    /// Moves on to `cycle` and lets happen inside what happens in it. Calling it again for the same
    /// cycle changes nothing.
    ///
    /// # Panics
    /// When events before `cycle` are waiting; see [`Gpu::next_event`].
    #[inline]
    pub fn advance(&mut self, cycle: u64) {
        let Self { calendar, smxs, memory, ports_may_change, .. } = self;
        calendar.advance(cycle);
        // What happens may have effects in the same cycle.
        while let Some(events) = calendar.take_events() {
            for (place, event) in events.iter().enumerate() {
                Self::announce(&events[place..], smxs, memory);
                Self::happen(event, smxs, memory, calendar, ports_may_change);
            }
            calendar.happened(events);
        }
        let far = smxs.len() > FEW_SMXS;
        if far {
            let next = calendar.events(cycle + 1).iter();
            next.take(AHEAD).for_each(|event| Self::announce_fill(event, smxs, memory));
            let next = calendar.events(cycle + 2).iter();
            next.take(2 * AHEAD).for_each(|event| Self::announce_reply(event, memory));
        }
        let awake = calendar.take_load_store();
        let [mut soon, mut next] = [2, 1].map(|ahead| awake.iter_ones().skip(ahead));
        for smx in awake.iter_ones() {
            if far {
                soon.next().into_iter().for_each(|soon| smxs[soon].announce_load_store());
                next.next().into_iter().for_each(|next| smxs[next].announce_access());
            }
            smxs[smx].tick_load_store(memory, calendar);
        }
        self.issue(cycle);
        self.device_steps(cycle);
    }

    /// Of the events that are left in this cycle, some are near enough to ask for what they need.
    #[inline(always)]
    fn announce(events: &[Event], smxs: &[Smx], memory: &Memory) {
        if let Some(event) = events.get(2 * AHEAD) {
            Self::announce_reply(event, memory);
        }
        if let Some(event) = events.get(AHEAD) {
            Self::announce_fill(event, smxs, memory);
        }
    }

    /// `event` will happen after some others.
    #[inline(always)]
    fn announce_reply(event: &Event, memory: &Memory) {
        if let Event::Reply { request } = *event {
            prefetch(memory.request(request));
        }
    }

    /// As [`announce_reply`](Self::announce_reply), when it is nearly its turn.
    #[inline(always)]
    fn announce_fill(event: &Event, smxs: &[Smx], memory: &Memory) {
        if let Event::Reply { request } = *event {
            let request = memory.request(request);
            smxs[usize::from(request.smx)].announce(request);
        }
    }

    // Called in one place, for each of millions of events.
    #[inline(always)]
    fn happen(
        event: &Event,
        smxs: &mut [Smx],
        memory: &mut Memory,
        calendar: &mut Calendar,
        ports_may_change: &mut bool,
    ) {
        match *event {
            Event::BlockEnd { smx, slot } => {
                *ports_may_change = true;
                smxs[usize::from(smx)].block_ended(slot);
            }
            Event::Trigger { smx, slot } => {
                *ports_may_change = true;
                smxs[usize::from(smx)].block_triggers(slot);
            }
            Event::Question { smx, slot } => {
                *ports_may_change = true;
                smxs[usize::from(smx)].block_asks(slot, calendar.now());
            }
            Event::Answer { smx } => smxs[usize::from(smx)].answer_comes(calendar),
            Event::SharedEnd { smx, version } => {
                *ports_may_change = true;
                smxs[usize::from(smx)].shared_ended(version, calendar);
            }
            Event::WarpReady { smx, warp } => {
                smxs[usize::from(smx)].warp_ready(usize::from(warp), calendar);
            }
            Event::Send { smx, request } => memory.inject(smx, request, calendar.now(), calendar),
            Event::Left { smx } => {
                if memory.left(smx) {
                    smxs[usize::from(smx)].miss_queue_has_room(calendar);
                }
            }
            Event::Pass { smx, request } => memory.hand_over(smx, request, calendar),
            Event::Memory => memory.go_on(calendar),
            Event::AtSlice { slice, request } => memory.at_slice(slice, request, calendar),
            Event::LookUp { slice } => memory.look_up(slice, calendar),
            Event::Channel { channel } => memory.channel(channel, calendar),
            Event::DramData { slice, sector, way } => {
                memory.dram_data(slice, way, sector, calendar);
            }
            Event::AtSmx { request } => {
                if let Some(request) = memory.at_smx(request, calendar) {
                    smxs[usize::from(request.smx)].reply(&request, memory, calendar);
                }
            }
            Event::Reply { request } => {
                let request = memory.received(request);
                smxs[usize::from(request.smx)].reply(&request, memory, calendar);
            }
        }
    }

    /// After `cycle`, lets everything happen inside up to the first cycle, at most `limit`, whose
    /// inputs may differ, and returns that cycle. The scheduler does nothing meanwhile.
    ///
    /// # Errors
    /// The cycle of the last event, when the inputs will never differ.
    pub fn run_ahead(&mut self, cycle: u64, limit: u64) -> Result<u64, u64> {
        let ports = self.next_port_event();
        let mut at = cycle;
        self.ports_may_change = false;
        while let Some(next) = self.calendar.next().into_iter().chain(ports).min() {
            at = next.max(cycle + 1);
            if at >= limit {
                return Ok(limit);
            }
            self.advance(at);
            if self.ports_may_change || ports.is_some_and(|ports| ports <= at) {
                return Ok(at);
            }
        }
        Err(at)
    }
}
