//! Generated graphs: the same parameters and seed give the same graph on every machine.

mod grid;
mod rmat;
mod uniform;

#[cfg(test)]
mod tests;

pub use grid::grid;
pub use rmat::rmat;
pub use uniform::uniform;
