//! The way back: from a slice to the SMX that asked.

use super::partition::Answer;
use super::{Memory, Purpose, Request};
use crate::cache::{count, SectorMask};
use crate::event::{Calendar, Event};

impl Memory {
    /// A packet of the reply to request `id` is before its SMX. Returns the request when it was the
    /// last one and has been received; else that comes as [`Event::Reply`].
    #[inline]
    pub fn at_smx(&mut self, id: u32, calendar: &mut Calendar) -> Option<Request> {
        let request = self.requests.get(id);
        let flits = self.packet_flits(request);
        let received = self.network.receive_reply(calendar.now(), request.smx, flits);
        if !self.requests.get_mut(id).takes_packet() {
            return None;
        }
        if received == calendar.now() {
            return Some(self.received(id));
        }
        calendar.schedule(received, Event::Reply { request: id });
        None
    }

    /// The last packet of the reply to request `id` has been received.
    #[inline]
    pub fn received(&mut self, id: u32) -> Request {
        #[cfg(test)]
        self.shadow.arrives(id);
        self.requests.remove(id)
    }

    /// The request `id`, which is on its way.
    #[inline]
    pub fn request(&self, id: u32) -> &Request {
        self.requests.get(id)
    }

    /// In `cycle` sends `sectors` of request `id` to its SMX, each in a packet of its own; a
    /// request that needs no data gets one packet, or where stores are acknowledged by sector, one
    /// for each.
    #[inline(always)]
    pub(super) fn reply(
        &mut self,
        cycle: u64,
        slice: u16,
        id: u32,
        sectors: SectorMask,
        calendar: &mut Calendar,
    ) {
        let request = self.requests.get_mut(id);
        let data = request.purpose.returns_data();
        if request.purpose == Purpose::WriteBack {
            self.requests.remove(id);
            return;
        }
        // All packets of a reply are counted with the first one.
        let acks = self.sector_acks && matches!(request.purpose, Purpose::Store { .. });
        let by_sector = acks || data && !request.purpose.by_words();
        if request.packets == 0 {
            request.packets = if by_sector { count(request.sectors) as u8 } else { 1 };
        }
        let request = *request;
        let packets = if by_sector { count(sectors) } else { 1 };
        let flits = self.packet_flits(&request);
        if let Some(homes) = &mut self.homes {
            homes.count(request.smx, slice, 0, flits * u64::from(packets));
        }
        let slice = u32::from(slice);
        let traffic = match request.purpose.is_forward() {
            false => &mut self.traffic.reply_flits,
            true => &mut self.traffic.forward_flits,
        };
        *traffic += flits * u64::from(packets);
        self.traffic.flit_hops +=
            flits * u64::from(packets) * self.network.hops(request.smx, slice);
        #[cfg(test)]
        self.shadow.leaves_slice(id, &request);
        for _ in 0..packets {
            if let Some(crossbars) = &mut self.crossbars {
                crossbars.reply(cycle, request.smx, slice, flits, id);
            } else {
                let arrival = self.network.reply(cycle, slice, request.smx, flits);
                calendar.schedule(arrival, Event::AtSmx { request: id });
            }
        }
    }

    /// Takes what the partition of this number has answered.
    pub(super) fn take_answers(&mut self, partition: usize) {
        self.partitions[partition].swap_answers(&mut self.answers[partition]);
    }

    /// Sends what the partition of this number has answered.
    pub(super) fn send_answers(&mut self, partition: usize, calendar: &mut Calendar) {
        self.take_answers(partition);
        self.send_taken(partition, calendar);
    }

    /// Sends what was taken of the partition of this number.
    pub(super) fn send_taken(&mut self, partition: usize, calendar: &mut Calendar) {
        let mut answers = std::mem::take(&mut self.answers[partition]);
        for Answer { cycle, slice, id, sectors } in answers.drain(..) {
            self.reply(cycle, slice, id, sectors, calendar);
        }
        self.answers[partition] = answers;
    }

    /// Flits of one packet of a reply.
    #[inline]
    pub(super) fn packet_flits(&self, request: &Request) -> u64 {
        self.network.flits(match request.purpose {
            purpose if !purpose.returns_data() => 0,
            purpose if purpose.by_words() => request.words.count_ones(),
            _ => self.layout.sector_words,
        })
    }
}
