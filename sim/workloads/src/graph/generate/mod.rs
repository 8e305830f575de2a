//! Generated graphs: the same parameters and seed give the same graph on every machine.

mod cage;
mod citation;
mod flight;
mod geometric;
mod grid;
mod rmat;
mod road;
mod undirected;
mod uniform;

#[cfg(test)]
mod network_tests;
#[cfg(test)]
mod tests;

pub use cage::cage;
pub use citation::citation;
pub use flight::flight;
pub use grid::grid;
pub use rmat::rmat;
pub use road::road;
pub use uniform::uniform;
