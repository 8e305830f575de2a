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
        let flits = self.request_flits(request);
        let received = self.network.receive_request(calendar.now(), u32::from(slice), flits);
        self.slices[usize::from(slice)].receive(received, id, request.local);
        self.schedule_look_up(slice, calendar);
    }

    /// `slice` looks up its next request.
    #[inline]
    pub fn look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if !(self.owned && self.at_home(slice, calendar)) {
            let mut slices = std::mem::take(&mut self.slices);
            let first = &mut slices[usize::from(slice)];
            self.serve_first(calendar.now(), slice, first, calendar);
            self.slices = slices;
            self.dram.schedule(slice / self.slices_of_partition(), calendar);
        }
        self.schedule_look_up(slice, calendar);
    }

    /// A channel goes on.
    #[inline]
    pub fn channel(&mut self, channel: u16, calendar: &mut Calendar) {
        let Self { dram, slices, .. } = self;
        dram.advance(channel, calendar, |slice, way| slices[usize::from(slice)].announce_fill(way));
    }

    /// DRAM delivers `sector` of `way` of `slice`.
    #[inline]
    pub fn dram_data(&mut self, slice: u16, way: WayId, sector: u8, calendar: &mut Calendar) {
        let mut slices = std::mem::take(&mut self.slices);
        let to = &mut slices[usize::from(slice)];
        self.fill(calendar.now(), slice, to, (way, 1 << sector), calendar);
        self.slices = slices;
        self.schedule_look_up(slice, calendar);
    }

    #[inline]
    fn schedule_look_up(&mut self, slice: u16, calendar: &mut Calendar) {
        if let Some(cycle) = self.slices[usize::from(slice)].next_look_up() {
            calendar.schedule(cycle.max(calendar.now()), Event::LookUp { slice });
        }
    }
}
