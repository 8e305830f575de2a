//! A mesh of nodes: SMX `i` and slice `i` of the L2 sit at node `i`, rows first.
//!
//! A packet goes along its row, then along its column. Each link takes one flit a network cycle in
//! each direction, requests and replies together. A packet reserves all the links of its way when
//! it enters: links serve packets in the order in which those entered the mesh, not in which they
//! arrive at the link, and a link that waits for a packet still on its way takes no other one
//! before. This is markedly simpler than an event a hop, and the same where packets do not meet.

use super::port::Port;

/// Links that leave a node.
const DIRECTIONS: usize = 4;

/// See the module.
#[derive(Clone, Debug)]
pub struct Mesh {
    columns: u32,
    /// Network cycles of a hop.
    hop: u64,
    /// For each node its links to the east, west, south and north.
    links: Vec<[Port; DIRECTIONS]>,
}

impl Mesh {
    /// An idle mesh of at least `nodes` nodes in rows of `columns`, with `hop` network cycles a hop.
    ///
    /// # Panics
    /// When `columns` is 0; [`crate::config::GpuConfig::validate`] refuses that.
    pub fn new(nodes: u32, columns: u32, hop: u32) -> Self {
        let rows = nodes.div_ceil(columns);
        let links = vec![[Port::default(); DIRECTIONS]; (rows * columns) as usize];
        Self { columns, hop: u64::from(hop), links }
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

    /// A packet of `flits` flits enters at node `from` in network cycle `cycle`: the network cycle in
    /// which its first flit is at node `to`.
    pub fn cross(&mut self, cycle: u64, from: u32, to: u32, flits: u64) -> u64 {
        let ((mut column, mut row), there) = (self.place(from), self.place(to));
        let mut at = cycle;
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
            at = self.links[node][direction].take(at, flits) + self.hop;
        }
        at
    }

    /// Column and row of a node.
    fn place(&self, node: u32) -> (u32, u32) {
        (node % self.columns, node / self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four by four nodes, eight cycles a hop.
    fn mesh() -> Mesh {
        Mesh::new(15, 4, 8)
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
            let arrival = mesh.cross(100, from, to, 5);
            assert_eq!(arrival, 100 + mesh.unloaded(from, to), "{from} to {to}");
        }
    }

    #[test]
    fn packets_that_share_a_link_follow_one_another_flit_by_flit() {
        let mut mesh = mesh();
        assert_eq!(mesh.cross(100, 0, 2, 5), 116);
        assert_eq!(mesh.cross(100, 1, 2, 1), 121, "the first one is on its link from 108 to 112");
        assert_eq!(mesh.cross(100, 0, 1, 1), 113, "behind the five flits that left first");
    }

    #[test]
    fn packets_in_opposite_directions_or_after_a_turn_do_not_meet() {
        let mut mesh = mesh();
        mesh.cross(100, 0, 5, 50);
        assert_eq!(mesh.cross(100, 5, 0, 1), 116, "west, then north");
        assert_eq!(mesh.cross(100, 0, 4, 1), 108, "south at once");
    }
}
