//! The network between SMXs and L2 slices: latency, one flit a port and cycle, and queues before
//! the ports.
//!
//! ```text
//!   SMX --> port out --(latency, hops)--> port in --> slice      requests
//!   SMX <-- port in  <--(latency, hops)-- port out <-- slice     replies
//! ```
//!
//! A packet leaves when its sender's port has sent the packets before it, and is received when the
//! receiver's port has taken in those that arrived before it. Requests and replies have networks
//! of their own. The queues before the ports are not limited.

use crate::gpu::clock::Clock;
use crate::gpu::config::{GpuConfig, InterconnectConfig, Topology};

/// Flits by direction and kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Of read requests.
    pub read_flits: u64,
    /// Of stores and atomics.
    pub write_flits: u64,
    /// Of lines that an L1 evicts.
    pub write_back_flits: u64,
    /// Of replies.
    pub reply_flits: u64,
    /// Flits times hops, for energy; a crossbar counts one hop.
    pub flit_hops: u64,
}

/// A port that takes one flit a cycle; times in network cycles.
#[derive(Clone, Copy, Debug, Default)]
struct Port {
    free: u64,
}

impl Port {
    /// Takes `flits` from `cycle` on; returns the cycle of the first one.
    fn take(&mut self, cycle: u64, flits: u64) -> u64 {
        let first = self.free.max(cycle);
        self.free = first + flits;
        first
    }
}

/// See the module.
#[derive(Debug)]
pub struct Network {
    config: InterconnectConfig,
    clock: Clock,
    smx_out: Vec<Port>,
    smx_in: Vec<Port>,
    slice_out: Vec<Port>,
    slice_in: Vec<Port>,
}

impl Network {
    /// The idle network of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let (smx, slices) = (config.smx.count as usize, config.slices() as usize);
        Self {
            config: config.interconnect.clone(),
            clock: Clock::new(config.clock.interconnect, config.clock.core),
            smx_out: vec![Port::default(); smx],
            smx_in: vec![Port::default(); smx],
            slice_out: vec![Port::default(); slices],
            slice_in: vec![Port::default(); slices],
        }
    }

    /// Flits of a packet with `bytes` bytes of data.
    pub fn flits(&self, bytes: u32) -> u64 {
        u64::from((bytes + self.config.header).div_ceil(self.config.flit))
    }

    /// Hops from `smx` to `slice`; a crossbar has one.
    pub fn hops(&self, smx: u8, slice: u32) -> u64 {
        match self.config.topology {
            Topology::Crossbar => 1,
            Topology::Mesh => self.distance(u32::from(smx), slice),
        }
    }

    /// Hops from node to node of a mesh, along the row and then the column.
    pub fn distance(&self, from: u32, to: u32) -> u64 {
        let columns = self.config.columns;
        let (here, there) = ((from % columns, from / columns), (to % columns, to / columns));
        u64::from(here.0.abs_diff(there.0) + here.1.abs_diff(there.1))
    }

    /// The SMX cycle in which the first flit of a packet that `smx` sends in `cycle` is before `slice`.
    pub fn request(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64) -> u64 {
        let sent = self.smx_out[usize::from(smx)].take(self.clock.ticks(cycle), flits);
        self.clock.core(sent + self.latency(self.hops(smx, slice)))
    }

    /// A packet is before `slice`: the SMX cycle in which it has been received.
    pub fn receive_request(&mut self, cycle: u64, slice: u32, flits: u64) -> u64 {
        let port = &mut self.slice_in[slice as usize];
        let first = port.take(self.clock.ticks(cycle), flits);
        self.clock.core(first + flits - 1).max(cycle)
    }

    /// The SMX cycle in which the first flit of a packet that `slice` sends in `cycle` is before `smx`.
    pub fn reply(&mut self, cycle: u64, slice: u32, smx: u8, flits: u64) -> u64 {
        let sent = self.slice_out[slice as usize].take(self.clock.ticks(cycle), flits);
        self.clock.core(sent + self.latency(self.hops(smx, slice)))
    }

    /// A packet is before `smx`: the SMX cycle in which it has been received.
    pub fn receive_reply(&mut self, cycle: u64, smx: u8, flits: u64) -> u64 {
        let port = &mut self.smx_in[usize::from(smx)];
        let first = port.take(self.clock.ticks(cycle), flits);
        self.clock.core(first + flits - 1).max(cycle)
    }

    fn latency(&self, hops: u64) -> u64 {
        let hop = match self.config.topology {
            Topology::Crossbar => 0,
            Topology::Mesh => u64::from(self.config.hop) * hops,
        };
        u64::from(self.config.latency) + hop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five cycles, 40-byte flits, 8-byte headers.
    fn crossbar() -> Network {
        Network::new(&GpuConfig::preset("accelsim-gtx480").unwrap())
    }

    #[test]
    fn a_sector_with_its_header_is_one_flit_and_a_line_four() {
        let network = crossbar();
        assert_eq!([0, 32, 33, 128].map(|bytes| network.flits(bytes)), [1, 1, 2, 4]);
    }

    #[test]
    fn a_packet_takes_the_latency_and_its_flits() {
        let mut network = crossbar();
        assert_eq!(network.request(100, 0, 3, 1), 105);
        let first = network.request(200, 0, 3, 4);
        assert_eq!((first, network.receive_request(first, 3, 4)), (205, 208));
    }

    #[test]
    fn packets_of_one_sender_follow_one_another() {
        let mut network = crossbar();
        network.request(100, 0, 3, 4);
        assert_eq!(network.request(100, 0, 4, 1), 109);
        assert_eq!(network.request(100, 1, 4, 1), 105, "another sender");
    }

    #[test]
    fn packets_for_one_receiver_follow_one_another() {
        let mut network = crossbar();
        assert_eq!(network.receive_reply(106, 2, 4), 109);
        assert_eq!(network.receive_reply(107, 2, 1), 110);
        assert_eq!(network.receive_reply(107, 3, 1), 107, "another receiver");
        assert_eq!(network.receive_reply(111, 2, 1), 111, "idle again");
    }

    #[test]
    fn a_mesh_counts_hops_along_row_and_column() {
        let network = Network::new(&GpuConfig::preset("denovo15").unwrap());
        assert_eq!(network.distance(0, 15), 6);
        assert_eq!(network.distance(5, 5), 0);
        assert_eq!(network.distance(3, 4), 4, "the ends of two rows");
    }
}
