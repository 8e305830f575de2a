//! A mapped design with its hierarchy, as Yosys' `write_json` has it.

use crate::budget::mapping::netlist::{Bit, Cell};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// All modules of a design.
#[derive(Debug, Deserialize)]
pub struct Design<'a> {
    creator: String,
    /// By name.
    #[serde(borrow)]
    pub modules: BTreeMap<Cow<'a, str>, Module<'a>>,
}

/// A module: its ports and its cells, which may be modules again.
#[derive(Debug, Deserialize)]
pub struct Module<'a> {
    /// By name.
    #[serde(borrow, default)]
    pub ports: BTreeMap<Cow<'a, str>, Port<'a>>,
    /// By name.
    #[serde(borrow, default)]
    pub cells: BTreeMap<Cow<'a, str>, Cell<'a>>,
}

/// A port and its bits, the lowest first.
#[derive(Debug, Deserialize)]
pub struct Port<'a> {
    /// `input` or `output`.
    #[serde(borrow)]
    pub direction: Cow<'a, str>,
    /// What they are tied to.
    #[serde(borrow)]
    pub bits: Vec<Bit<'a>>,
}

impl<'a> Design<'a> {
    /// The design in a text.
    ///
    /// # Errors
    /// When Yosys did not write it.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// `Yosys 0.23`.
    pub fn version(&self) -> String {
        self.creator.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
    }
}

impl Module<'_> {
    /// One more than the highest net.
    pub fn nets(&self) -> usize {
        let of_ports = self.ports.values().flat_map(|port| &port.bits);
        let of_cells = self.cells.values().flat_map(|cell| cell.connections.values().flatten());
        let net = |bit: &Bit| match bit {
            Bit::Net(net) => net + 1,
            Bit::Constant(_) => 0,
        };
        of_ports.chain(of_cells).map(net).max().unwrap_or(0)
    }
}
