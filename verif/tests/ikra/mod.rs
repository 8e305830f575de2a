//! IKRA's modules against their twins: the rules of `docs/ikra.md`.

mod affine_bound;
mod child_level;
mod chunk_entry;
mod chunk_start;
mod kernel_before;
mod kernel_control;
mod kernel_history;
mod kernel_queue;
mod nested_kernels;
mod nested_thief;
mod own_work;
mod scheduler;
mod steal_arbiter;
mod steal_queue;
mod thief;

use blockyard_sim::port::Dim3;

/// The extent of every grid at the limits of its fields that a kernel may have.
pub(crate) const GIANTS: [Dim3; 4] = [
    Dim3::new((1 << 31) - 1, 1, 1),
    Dim3::new(1, 65_535, 32_768),
    Dim3::new(1, 32_768, 65_535),
    Dim3::new(32_768, 65_535, 1),
];

/// The block of linear id `id`.
pub(crate) fn block(id: u64, grid: Dim3) -> Dim3 {
    let (x, y) = (u64::from(grid.x), u64::from(grid.y));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}
