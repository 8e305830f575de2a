//! A mesh of nodes: SMX `i` and slice `i` of the L2 sit at node `i`, rows first.
//!
//! A packet goes along its row, then along its column. Each link takes one flit a network cycle in
//! each direction, requests and replies together. A packet reserves all the links of its way when
//! it enters: links serve packets in the order in which those entered the mesh, not in which they
//! arrive at the link, and a link that waits for a packet still on its way takes no other one
//! before. This is markedly simpler than an event a hop, and the same where packets do not meet.
//!
//! The buffer behind a link has virtual channels for each class of packets. A packet enters a link
//! when one of them is free, and has it until its last flit has left the node, or reached the port
//! of its destination: where packets wait, those behind them wait as well. A packet of more flits
//! than a channel holds has its last ones in the channels before. That keeps these from others, but
//! does not delay the packet itself.

use super::port::Port;
use crate::config::InterconnectConfig;

/// Links that leave a node.
const DIRECTIONS: usize = 4;

/// Classes of packets, which do not share virtual channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// From SMX to slice.
    Request,
    /// From SMX to SMX.
    Between,
    /// From slice to SMX.
    Reply,
}

const CLASSES: usize = 3;

/// A link, and for each class when the virtual channels of the buffer behind it are free.
#[derive(Clone, Debug)]
struct Link {
    port: Port,
    channels: [Vec<u64>; CLASSES],
}

/// A virtual channel that a packet has taken: its link's place, its class, its number.
type Taken = (usize, Class, usize);

/// Over how many channels a packet is taken to reach, at most.
const SPANNED: usize = 4;

/// See the module.
#[derive(Clone, Debug)]
pub struct Mesh {
    columns: u32,
    /// Network cycles of a hop.
    hop: u64,
    /// Flits that a virtual channel holds.
    depth: u64,
    /// For each node its links to the east, west, south and north.
    links: Vec<Link>,
}

impl Mesh {
    /// An idle mesh of at least `nodes` nodes, of this shape.
    ///
    /// # Panics
    /// When it has no columns; [`crate::config::GpuConfig::validate`] refuses that.
    pub fn new(nodes: u32, shape: &InterconnectConfig) -> Self {
        let rows = nodes.div_ceil(shape.columns);
        let free = || vec![0; shape.virtual_channels as usize];
        let link = Link { port: Port::default(), channels: [free(), free(), free()] };
        let links = vec![link; (rows * shape.columns) as usize * DIRECTIONS];
        let depth = match shape.channel_flits {
            0 => u64::MAX,
            flits => flits.into(),
        };
        Self { columns: shape.columns, hop: u64::from(shape.hop), depth, links }
    }

    /// Hops from node to node.
    pub fn hops(&self, from: u32, to: u32) -> u64 {
        let (here, there) = (self.place(from), self.place(to));
        u64::from(here.0.abs_diff(there.0) + here.1.abs_diff(there.1))
    }

    /// Network cycles from node to node when no other packet is in the way.
    pub fn unloaded(&self, from: u32, to: u32) -> u64 {
        self.hops(from, to) * self.hop
    }

    /// A packet of `flits` flits and of `class` enters at node `from` in network cycle `cycle`: the
    /// network cycle in which its first flit is at node `to`.
    pub fn cross(&mut self, cycle: u64, from: u32, to: u32, flits: u64, class: Class) -> u64 {
        let ((mut column, mut row), there) = (self.place(from), self.place(to));
        let mut at = cycle;
        let mut held: [Option<Taken>; SPANNED] = Default::default();
        while (column, row) != there {
            let node = (row * self.columns + column) as usize;
            let direction = if column < there.0 {
                column += 1;
                0
            } else if column > there.0 {
                column -= 1;
                1
            } else if row < there.1 {
                row += 1;
                2
            } else {
                row -= 1;
                3
            };
            let link = node * DIRECTIONS + direction;
            let (entered, taken) = self.enter(link, at, flits, class);
            self.leave(&held, entered, flits);
            held.rotate_right(1);
            (at, held[0]) = (entered + self.hop, taken);
        }
        self.leave(&held, at, flits);
        at
    }

    /// A packet enters a link as soon as that and one of the virtual channels behind it are free.
    fn enter(
        &mut self,
        place: usize,
        cycle: u64,
        flits: u64,
        class: Class,
    ) -> (u64, Option<Taken>) {
        let link = &mut self.links[place];
        let channels = link.channels[class as usize].iter().enumerate();
        let Some((number, &free)) = channels.min_by_key(|(_, &free)| free) else {
            return (link.port.take(cycle, flits), None);
        };
        (link.port.take(cycle.max(free), flits), Some((place, class, number)))
    }

    /// The first flit of a packet goes on in `cycle`, from the first of the channels that it has.
    /// The last one leaves that channel behind the others, and one further back when the channels
    /// before it have room.
    fn leave(&mut self, held: &[Option<Taken>; SPANNED], cycle: u64, flits: u64) {
        for (back, &(place, class, number)) in held.iter().flatten().enumerate() {
            let left = flits.saturating_sub(self.depth.saturating_mul(back as u64));
            if left > 0 {
                let free = &mut self.links[place].channels[class as usize][number];
                *free = (*free).max(cycle + left + back as u64);
            }
        }
    }

    /// Column and row of a node.
    fn place(&self, node: u32) -> (u32, u32) {
        (node % self.columns, node / self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Class::{Between, Reply, Request};

    /// Four by four nodes, eight cycles a hop, with so many virtual channels of so many flits.
    fn buffered(channels: u32, flits: u32) -> Mesh {
        let shape = crate::config::GpuConfig::preset("denovo15").unwrap().interconnect;
        let (virtual_channels, channel_flits) = (channels, flits);
        Mesh::new(15, &InterconnectConfig { virtual_channels, channel_flits, ..shape })
    }

    /// The same without limits.
    fn mesh() -> Mesh {
        buffered(0, 0)
    }

    #[test]
    fn hops_go_along_row_and_column() {
        let mesh = mesh();
        assert_eq!([(0, 15), (5, 5), (3, 4)].map(|(from, to)| mesh.hops(from, to)), [6, 0, 4]);
    }

    #[test]
    fn a_lone_packet_takes_its_hops_whatever_its_flits() {
        for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
            let mut mesh = mesh();
            let arrival = mesh.cross(100, from, to, 5, Request);
            assert_eq!(arrival, 100 + mesh.unloaded(from, to), "{from} to {to}");
        }
    }

    #[test]
    fn packets_that_share_a_link_follow_one_another_flit_by_flit() {
        let mut mesh = mesh();
        assert_eq!(mesh.cross(100, 0, 2, 5, Request), 116);
        assert_eq!(
            mesh.cross(100, 1, 2, 1, Request),
            121,
            "the first one is on its link from 108 to 112"
        );
        assert_eq!(mesh.cross(100, 0, 1, 1, Request), 113, "behind the five flits that left first");
    }

    #[test]
    fn packets_in_opposite_directions_or_after_a_turn_do_not_meet() {
        let mut mesh = mesh();
        mesh.cross(100, 0, 5, 50, Request);
        assert_eq!(mesh.cross(100, 5, 0, 1, Request), 116, "west, then north");
        assert_eq!(mesh.cross(100, 0, 4, 1, Request), 108, "south at once");
    }

    #[test]
    fn a_packet_waits_for_a_virtual_channel_until_the_one_before_has_left_the_next_node() {
        // Two packets of one flit for each link, and a third that finds both channels taken.
        let mut mesh = buffered(2, 0);
        let there = [0, 0, 0].map(|from| mesh.cross(100, from, 1, 1, Request));
        // The first is at node 1 in 108 and has left the buffer by 109.
        assert_eq!(there, [108, 109, 117]);
        assert_eq!(mesh.cross(100, 0, 1, 1, Reply), 118, "another class waits for the link alone");
        let mut free = buffered(0, 0);
        assert_eq!([0, 0, 0].map(|from| free.cross(100, from, 1, 1, Request)), [108, 109, 110]);
    }

    #[test]
    fn where_packets_wait_those_behind_them_wait_as_well() {
        let mut mesh = buffered(1, 0);
        // 50 flits keep the link from node 1 to node 2 until 150.
        mesh.cross(92, 1, 2, 50, Reply);
        assert_eq!(mesh.cross(100, 0, 2, 5, Request), 150, "it waits at node 1 from 108 to 142");
        assert_eq!(mesh.cross(101, 0, 1, 1, Request), 155, "behind it, though for node 1 alone");
        assert_eq!(mesh.cross(101, 0, 1, 1, Between), 156, "a class with a channel of its own");
    }

    #[test]
    fn packets_from_node_to_node_stay_in_order_however_few_channels_there_are() {
        for (channels, flits) in [(1, 0), (1, 2), (2, 0), (4, 4)] {
            let mut mesh = buffered(channels, flits);
            let mut last = 0;
            for cycle in 0..300 {
                mesh.cross(cycle, 4, 7, 1 + cycle % 5, Request);
                let there = mesh.cross(cycle, 0, 15, 1 + cycle % 3, Request);
                assert!(there > last, "{channels}: {there} after {last}");
                last = there;
            }
        }
    }

    #[test]
    fn what_a_channel_does_not_hold_stays_in_the_one_before() {
        // From node 0 over node 1 to node 2: five flits in channels of four. The first is at node 2
        // in 116, so the last leaves node 1 in 117; without that it would have in 112.
        let next = |flits, class| {
            let mut mesh = buffered(1, flits);
            assert_eq!(mesh.cross(100, 0, 2, 5, Request), 116, "it is not later itself");
            mesh.cross(100, 0, 1, 1, class)
        };
        assert_eq!((next(0, Request), next(5, Request), next(4, Request)), (121, 121, 126));
        assert_eq!(next(4, Reply), 113, "of another class");
    }
}
