//! The weights of the edges: the graph's, or generated ones.

use blockyard_workloads::graph::{Csr, SetError};
use blockyard_workloads::hash::mix;

use super::options::{Weights, WEIGHTS};

/// A weight from 1 to `most` for every edge of `csr`, drawn by hash from the seed and the edge's
/// two vertices, whatever their order: both directions and all copies of an edge weigh the same.
pub(super) fn generated(csr: &Csr, most: u32, seed: u64) -> Vec<u32> {
    let weight = |source: u32, target: u32| {
        let pair = u64::from(source.max(target)) << 32 | u64::from(source.min(target));
        (mix(mix(seed) ^ pair) % u64::from(most)) as u32 + 1
    };
    let row = |vertex| csr.neighbours(vertex).iter().map(move |&target| weight(vertex, target));
    (0..csr.vertices()).flat_map(row).collect()
}

/// The weights that the graph came with.
///
/// # Errors
/// When it has none, or one is no whole number of 32 bits.
pub(super) fn listed(csr: &Csr) -> Result<Vec<u32>, SetError> {
    let refused = |found: String| SetError::BadValue {
        key: WEIGHTS.to_owned(),
        value: Weights::Listed.name().to_owned(),
        expected: format!(
            "a graph whose edges have whole numbers from 0 to {} as weights, but {found}; \
             {WEIGHTS}={} makes some",
            u32::MAX,
            Weights::Generated.name()
        ),
    };
    let Some(weights) = csr.weights() else {
        return Err(refused("this one has no weights".to_owned()));
    };
    let word =
        |weight: f64| weight >= 0.0 && weight <= f64::from(u32::MAX) && weight.fract() == 0.0;
    if let Some(edge) = weights.iter().position(|&weight| !word(weight)) {
        let source = csr.offsets().partition_point(|&offset| offset as usize <= edge) - 1;
        let target = csr.columns()[edge];
        let found =
            format!("that from vertex {source} to {target}, counted from 0, has {}", weights[edge]);
        return Err(refused(found));
    }
    Ok(weights.iter().map(|&weight| weight as u32).collect())
}
