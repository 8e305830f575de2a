//! Two-dimensional grids: regular, of high diameter, the opposite of R-MAT.

use crate::graph::{Csr, EdgeList};

/// A grid of `width` times `height` vertices, row after row, each joined in both directions to its
/// neighbours to the north, west, east and south, in this order. No wrap-around.
///
/// # Panics
/// When there are more than `u32::MAX` vertices.
pub fn grid(width: u32, height: u32) -> Csr {
    let vertices = width.checked_mul(height).expect("vertices count in 32 bits");
    let mut list = EdgeList::new(vertices);
    for y in 0..height {
        for x in 0..width {
            let vertex = y * width + x;
            if y > 0 {
                list.push(vertex, vertex - width);
            }
            if x > 0 {
                list.push(vertex, vertex - 1);
            }
            if x + 1 < width {
                list.push(vertex, vertex + 1);
            }
            if y + 1 < height {
                list.push(vertex, vertex + width);
            }
        }
    }
    Csr::from_edges(&list)
}
