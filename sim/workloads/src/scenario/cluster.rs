//! Which blocks of a kernel run together.

use super::check::{number, Named};
use super::file::RawDim3;
use super::Source;
use crate::diagnostic::InputError;
use crate::port::{Cluster, Dim3};

/// The cluster that the kernel named `kernel` states, of which its `grid` has to be a multiple.
pub fn cluster(
    source: &Source,
    kernel: &str,
    raw: &RawDim3,
    grid: Dim3,
) -> Result<Cluster, InputError> {
    let most = Cluster::MOST_BLOCKS;
    let mut extent = [0; 3];
    for (extent, value) in extent.iter_mut().zip(raw.get_ref()) {
        let named = Named { what: "cluster", kernel };
        *extent = number(source, value, named, 1..=u64::from(most))? as u32;
    }
    let [x, y, z] = extent;
    let extent = Dim3::new(x, y, z);
    let Some(cluster) = Cluster::of(extent) else {
        let message = format!("a cluster of kernel `{kernel}` has {} blocks", extent.volume());
        return Err(source.error(&raw.span(), message, &format!("expected 1 to {most} blocks")));
    };
    if cluster.divides(grid) {
        return Ok(cluster);
    }
    let message = format!("the grid {grid} of kernel `{kernel}` is not made of whole clusters");
    let error = source.error(&raw.span(), message, "expected a divisor of each dimension");
    Err(error.help("each dimension of the grid has to be a multiple of the cluster's"))
}
