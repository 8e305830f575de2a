//! Over a mesh each step of a request through the memory is an event: its packets share links with
//! messages from SMX to SMX, so nothing is decided far ahead.

use super::Memory;
use crate::cache::WayId;
use crate::event::{Calendar, Event};

impl Memory {
    /// Request `id` is before its slice, `slice`.
    #[inline]
    pub fn at_slice(&mut self, slice: u16, id: u32, calendar: &mut Calendar) {
        let request = self.requests.get(id);
        let (local, flits) = (request.local, self.request_flits(request));
        let received = self.network.receive_request(calendar.now(), u32::from(slice), flits);
        self.slice_mut(slice).receive(received, id, local);
        self.schedule_look_up(slice, calendar);
    }

    /// `slice` looks up its next request.
    #[inline]
    pub fn look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if !(self.owned && self.at_home(slice, calendar)) {
            let (number, place) = self.place_of(slice);
            let Self { partitions, requests, .. } = self;
            partitions[number].serve_first(calendar.now(), place, requests);
            self.send_answers(number, calendar);
            let (channel, _) = self.partitions[number].channel_and_slices();
            channel.schedule(number as u16, calendar);
        }
        self.schedule_look_up(slice, calendar);
    }

    /// A channel goes on.
    #[inline]
    pub fn channel(&mut self, channel: u16, calendar: &mut Calendar) {
        let partition = &mut self.partitions[usize::from(channel)];
        let first = partition.first();
        let (of, slices) = partition.channel_and_slices();
        let coming = |slice: u16, way| slices[usize::from(slice - first)].announce_fill(way);
        of.advance(channel, calendar, coming);
    }

    /// DRAM delivers `sector` of `way` of `slice`.
    #[inline]
    pub fn dram_data(&mut self, slice: u16, way: WayId, sector: u8, calendar: &mut Calendar) {
        let (number, place) = self.place_of(slice);
        let Self { partitions, requests, .. } = self;
        partitions[number].fill(calendar.now(), place, (way, 1 << sector), requests);
        self.send_answers(number, calendar);
        self.schedule_look_up(slice, calendar);
    }

    #[inline]
    fn schedule_look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if let Some(cycle) = self.slice_mut(slice).next_look_up() {
            calendar.schedule(cycle.max(calendar.now()), Event::LookUp { slice });
        }
    }
}
