//! The network between SMXs and L2 slices: two [`Crossbars`] that grant packet by packet, or a
//! mesh.
//!
//! Over the mesh packets take latency and hops; ports and links take one flit a cycle, and the
//! buffers behind links hold so many packets of a class.
//!
//! ```text
//!   SMX --> port out --(latency, hops)--> port in --> slice      requests
//!   SMX <-- port in  <--(latency, hops)-- port out <-- slice     replies
//! ```
//!
//! A packet leaves when its sender's port has sent the packets before it, and is received when the
//! receiver's port has taken in those that arrived before it. Requests and replies have ports of
//! their own and share the links. The queues before the ports are not limited. Packets from one
//! port to another stay in order.

mod crossbar;
mod crossbars;
mod links;
mod mesh;
mod port;
mod steps;

pub use crossbars::Crossbars;

use crate::clock::Clock;
use crate::coalescer::{MAX_LINE_WORDS, WORD_BYTES};
use crate::config::{GpuConfig, Topology};
use mesh::{Class, Mesh};
use port::Port;

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
    /// Of what the home bank of a word asks of the word's owner.
    pub forward_flits: u64,
    /// Flits times hops, for energy; a crossbar counts one hop.
    pub flit_hops: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Network {
    /// Flits of a packet by the words of its data.
    flits: [u32; MAX_LINE_WORDS as usize + 1],
    /// Network cycles of every packet beside its hops and flits.
    latency: u64,
    clock: Clock,
    /// Else the packets go through [`Crossbars`], and this counts no more than flits and hops.
    mesh: Option<Mesh>,
    /// The node of the memory controllers.
    memory_node: u32,
    smx_out: Vec<Port>,
    smx_in: Vec<Port>,
    slice_out: Vec<Port>,
    slice_in: Vec<Port>,
}

impl Network {
    /// The idle network of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let (smx, slices) = (config.smx.count, config.slices());
        let interconnect = &config.interconnect;
        let nodes = smx.max(slices).max(interconnect.memory_node + 1);
        let mesh = || Mesh::new(nodes, interconnect);
        let mesh = (interconnect.topology == Topology::Mesh).then(mesh);
        let ports = |count: u32| vec![Port::default(); count as usize];
        Self {
            flits: std::array::from_fn(|words| {
                let bytes = words as u32 * WORD_BYTES as u32 + interconnect.header;
                bytes.div_ceil(interconnect.flit)
            }),
            latency: u64::from(interconnect.latency),
            clock: Clock::new(config.clock.interconnect, config.clock.core),
            mesh,
            memory_node: interconnect.memory_node,
            smx_out: ports(smx),
            smx_in: ports(smx),
            slice_out: ports(slices),
            slice_in: ports(slices),
        }
    }

    /// Flits of a packet with `words` words of data.
    #[inline]
    pub fn flits(&self, words: u32) -> u64 {
        u64::from(self.flits[words as usize])
    }

    /// Hops from `smx` to `slice` or back, or from SMX to SMX; a crossbar has one.
    pub fn hops(&self, smx: u8, slice: u32) -> u64 {
        self.mesh.as_ref().map_or(1, |mesh| mesh.hops(u32::from(smx), slice))
    }

    /// SMX cycles between `slice` and the memory controllers, each way. What travels there takes no
    /// links: no table states how many controllers there are, and the channels limit it anyway.
    pub fn to_memory(&self, slice: u32) -> u64 {
        let unloaded = |mesh: &Mesh| self.clock.core(mesh.unloaded(slice, self.memory_node));
        self.mesh.as_ref().map_or(0, unloaded)
    }

    /// The SMX cycle in which the first flit of a packet that `smx` sends in `cycle` is before
    /// `slice`.
    pub fn request(&mut self, cycle: u64, smx: u8, slice: u32, flits: u64) -> u64 {
        let sent = self.smx_out[usize::from(smx)].take(self.clock.ticks(cycle), flits);
        self.cross(sent, u32::from(smx), slice, flits, Class::Request).max(cycle)
    }

    /// The SMX cycle by which all that `smx` has sent so far has left its port.
    pub fn sent(&self, smx: u8) -> u64 {
        self.clock.core(self.smx_out[usize::from(smx)].free())
    }

    /// As [`Network::request`], from `smx` to the SMX `other`.
    pub fn between(&mut self, cycle: u64, smx: u8, other: u8, flits: u64) -> u64 {
        let sent = self.smx_out[usize::from(smx)].take(self.clock.ticks(cycle), flits);
        self.cross(sent, u32::from(smx), u32::from(other), flits, Class::Between).max(cycle)
    }

    /// A packet is before `slice`: the SMX cycle in which it has been received.
    pub fn receive_request(&mut self, cycle: u64, slice: u32, flits: u64) -> u64 {
        let port = &mut self.slice_in[slice as usize];
        let first = port.take(self.clock.ticks(cycle), flits);
        self.clock.core(first + flits - 1).max(cycle)
    }

    /// The SMX cycle in which the first flit of a packet that `slice` sends in `cycle` is before
    /// `smx`.
    pub fn reply(&mut self, cycle: u64, slice: u32, smx: u8, flits: u64) -> u64 {
        let sent = self.slice_out[slice as usize].take(self.clock.ticks(cycle), flits);
        self.cross(sent, slice, u32::from(smx), flits, Class::Reply).max(cycle)
    }

    /// A packet is before `smx`: the SMX cycle in which it has been received.
    pub fn receive_reply(&mut self, cycle: u64, smx: u8, flits: u64) -> u64 {
        let port = &mut self.smx_in[usize::from(smx)];
        let first = port.take(self.clock.ticks(cycle), flits);
        self.clock.core(first + flits - 1).max(cycle)
    }

    /// A packet leaves its port in network cycle `sent`: the SMX cycle in which its first flit is
    /// before the port of its destination. That may be the one in which a network cycle that is
    /// still going on began: a slow network has none in between.
    fn cross(&mut self, sent: u64, from: u32, to: u32, flits: u64, class: Class) -> u64 {
        let mesh = self.mesh.as_mut();
        let there = mesh.map_or(sent, |mesh| mesh.cross(sent, from, to, flits, class));
        self.clock.core(there + self.latency)
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
        assert_eq!([0, 8, 9, 32].map(|words| network.flits(words)), [1, 1, 2, 4]);
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
    fn no_packet_arrives_before_it_is_sent_whatever_the_clocks_and_the_way() {
        for (core, interconnect) in [(700, 2100), (700, 700), (700, 699), (700, 350), (700, 1)] {
            let mut config = GpuConfig::preset("denovo15").unwrap();
            config.set("clock.core", &core.to_string()).unwrap();
            config.set("clock.interconnect", &interconnect.to_string()).unwrap();
            for (cycle, flits) in (1000..1050).zip([1, 5].into_iter().cycle()) {
                // Node 3 to itself, where no hop takes time, and to node 7.
                for to in [3, 7] {
                    let mut mesh = Network::new(&config);
                    let there = [
                        mesh.request(cycle, 3, to, flits),
                        mesh.between(cycle, 3, to as u8, flits),
                        mesh.reply(cycle, to, 3, flits),
                    ];
                    assert!(there.iter().all(|&there| there >= cycle), "{there:?} from {cycle}");
                }
            }
        }
    }

    #[test]
    fn a_mesh_adds_its_hops_and_a_crossbar_none() {
        let mut mesh = Network::new(&GpuConfig::preset("denovo15").unwrap());
        assert_eq!(mesh.request(100, 0, 15, 1), 100 + 16, "6 hops of 8 cycles at 3 a cycle");
        assert_eq!(mesh.between(200, 14, 2, 1), 200 + 8);
        assert_eq!((mesh.hops(0, 15), mesh.to_memory(0), mesh.to_memory(15)), (6, 0, 16));
        assert_eq!((crossbar().hops(0, 3), crossbar().to_memory(3)), (1, 0));
    }
}
