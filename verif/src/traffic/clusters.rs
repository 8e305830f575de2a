//! Kernels in clusters, for schedulers that place them.

use blockyard_sim::port::{Cluster, Dim3, FloorPlan};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Chance in 1,000 that a kernel's clusters are single blocks.
const SINGLE: u32 = 250;

/// Chance in 1,000 that no GPC may ever have room for a cluster; a reset then ends the wait.
const TOO_LARGE: u32 = 10;

/// Most cycles until that reset.
const PATIENCE: u32 = 300;

/// What the clusters of kernels are; random numbers of its own leave the rest of the traffic as it
/// is.
pub struct Clusters {
    random: Pcg64,
    /// SMXs of the largest GPC, at most as many as a cluster has blocks.
    largest: u32,
    reset_in: Option<u32>,
}

impl Clusters {
    /// Clusters of up to as many blocks as the largest GPC of `plan` has SMXs, a few of up to 16.
    /// The same seed gives the same clusters.
    pub fn new(plan: &FloorPlan, seed: u64) -> Self {
        let random = Pcg64::seed_from_u64(seed.rotate_left(29));
        let largest = plan.gpcs().iter().max().map_or(1, |&size| size as u32);
        Self { random, largest: largest.min(Cluster::MOST_BLOCKS), reset_in: None }
    }

    /// The cluster of the next kernel.
    pub fn cluster(&mut self) -> Cluster {
        let most = match self.random.random_range(0..1000) {
            draw if draw < SINGLE => 1,
            draw if draw >= 1000 - TOO_LARGE => {
                self.reset_in = Some(self.random.random_range(1..=PATIENCE));
                Cluster::MOST_BLOCKS
            }
            _ => self.largest,
        };
        let x = self.random.random_range(1..=most);
        let y = self.random.random_range(1..=most / x);
        let z = self.random.random_range(1..=most / (x * y));
        // The dimensions in any order, so that none is always the longest.
        let extent = match self.random.random_range(0..3) {
            0 => Dim3::new(x, y, z),
            1 => Dim3::new(y, z, x),
            _ => Dim3::new(z, x, y),
        };
        Cluster::of(extent).expect("at most 16 blocks")
    }

    /// Whether a kernel has waited long enough whose clusters fit nowhere.
    pub fn resets(&mut self) -> bool {
        self.reset_in = self.reset_in.and_then(|left| left.checked_sub(1));
        self.reset_in == Some(0)
    }
}

/// As many clusters as `grid` has blocks.
pub fn grid_of(clusters: Dim3, cluster: Cluster) -> Dim3 {
    let Dim3 { x, y, z } = cluster.extent();
    Dim3::new(clusters.x * x, clusters.y * y, clusters.z * z)
}
