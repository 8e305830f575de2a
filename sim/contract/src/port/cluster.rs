//! Thread blocks that run together on one GPC.

use super::Dim3;
use std::fmt;

/// The extent of a kernel's clusters in thread blocks (`docs/clusters.md`, rule 2): 1 to
/// [`Self::MOST_BLOCKS`] in each dimension and in all. The default is a cluster of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    /// Runs fastest; 5 bits.
    pub x: u8,
    /// Runs next; 5 bits.
    pub y: u8,
    /// Runs slowest; 5 bits.
    pub z: u8,
}

impl Cluster {
    /// Most thread blocks of a cluster (CUDA C++ programming guide: 16 on an H100, 8 portably).
    pub const MOST_BLOCKS: u32 = 16;

    /// The cluster of this extent, or `None` if it has no block or more than [`Self::MOST_BLOCKS`].
    pub fn of(extent: Dim3) -> Option<Self> {
        let Dim3 { x, y, z } = extent;
        let small = (1..=u128::from(Self::MOST_BLOCKS)).contains(&extent.volume());
        small.then_some(Self { x: x as u8, y: y as u8, z: z as u8 })
    }

    /// Thread blocks of a cluster, 1 to [`Self::MOST_BLOCKS`].
    pub const fn blocks(self) -> u32 {
        self.x as u32 * self.y as u32 * self.z as u32
    }

    /// The extent as those of grids are written.
    pub const fn extent(self) -> Dim3 {
        Dim3::new(self.x as u32, self.y as u32, self.z as u32)
    }

    /// The first block of the cluster that has `block`.
    pub const fn first_of(self, block: Dim3) -> Dim3 {
        let Dim3 { x, y, z } = self.extent();
        Dim3::new(block.x - block.x % x, block.y - block.y % y, block.z - block.z % z)
    }

    /// The place of `block` within its cluster.
    pub const fn place_of(self, block: Dim3) -> Dim3 {
        let Dim3 { x, y, z } = self.extent();
        Dim3::new(block.x % x, block.y % y, block.z % z)
    }

    /// Whether a grid is made of whole clusters; an empty one is.
    pub const fn divides(self, grid: Dim3) -> bool {
        let Dim3 { x, y, z } = self.extent();
        grid.x.is_multiple_of(x) && grid.y.is_multiple_of(y) && grid.z.is_multiple_of(z)
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self { x: 1, y: 1, z: 1 }
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.extent().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_has_one_to_sixteen_blocks() {
        let of = |x, y, z| Cluster::of(Dim3::new(x, y, z));
        assert_eq!(of(1, 1, 1), Some(Cluster::default()));
        assert_eq!(of(4, 2, 2).map(Cluster::blocks), Some(16));
        assert_eq!(of(16, 1, 1).map(Cluster::extent), Some(Dim3::new(16, 1, 1)));
        for none in [of(17, 1, 1), of(3, 3, 2), of(0, 1, 1), of(1 << 30, 1 << 30, 1 << 30)] {
            assert_eq!(none, None);
        }
    }

    #[test]
    fn a_cluster_divides_grids_of_whole_clusters_and_the_empty_grid() {
        let cluster = Cluster { x: 4, y: 2, z: 1 };
        assert!(cluster.divides(Dim3::new(8, 34, 3)));
        assert!(cluster.divides(Dim3::new(0, 0, 0)));
        assert!(!cluster.divides(Dim3::new(9, 34, 3)));
        assert!(!cluster.divides(Dim3::new(8, 33, 3)));
    }
}
