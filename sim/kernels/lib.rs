//! Kernels in CUDA C that the project has itself, each with its host and what checks it.
//!
//! A kernel is a folder: `NAME.cu`, the PTX that clang made of it, and `mod.rs` with the host
//! program that launches it and compares what it has left with a plain computation on the CPU.

pub mod aes;
pub mod amr;
mod approximate;
mod array;
pub mod attention;
pub mod backprop;
pub mod bfs;
pub mod bht;
pub mod blackscholes;
mod catalog;
pub mod clr;
mod compare;
pub mod convolution;
pub mod coulomb;
pub mod dct;
pub mod denoise;
pub mod digits;
mod draw;
pub mod graphs;
pub mod histogram;
pub mod hotspot;
pub mod join;
pub mod kmeans;
mod launch;
pub mod lavamd;
pub mod libor;
pub mod lud;
pub mod matmul;
pub mod mis;
pub mod montecarlo;
pub mod nearest;
pub mod nested;
pub mod nw;
mod options;
pub mod pagerank;
pub mod pathfinder;
pub mod pre;
pub mod raytrace;
pub mod reduce;
pub mod regx;
pub mod sad;
pub mod scalarprod;
pub mod scan;
pub mod sgemm;
pub mod sha1;
pub mod sort;
pub mod srad1;
pub mod srad2;
pub mod sssp;
pub mod steal;
pub mod stencil;
pub mod stencil3d;
pub mod sum;
pub mod together;
pub mod vecadd;
pub mod walsh;

pub use catalog::{KernelSettings, KernelWorkload, WORKLOADS};
pub use launch::Computation;
pub use options::Setting;
