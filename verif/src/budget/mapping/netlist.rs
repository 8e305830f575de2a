//! A mapped netlist, as Yosys' `write_json` has it.

use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The cells of the top module.
#[derive(Debug)]
pub struct Netlist<'a> {
    /// `Yosys 0.23`.
    pub version: String,
    /// In no order that means something.
    pub cells: Vec<Cell<'a>>,
}

/// A cell and the nets at its ports.
#[derive(Debug, Deserialize)]
pub struct Cell<'a> {
    /// `SB_LUT4`.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The bits of each port.
    #[serde(borrow)]
    pub connections: BTreeMap<Cow<'a, str>, Vec<Bit<'a>>>,
}

/// What a bit of a port is tied to.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Bit<'a> {
    /// A net, by its number.
    Net(usize),
    /// `0`, `1`, `x` or `z`.
    Constant(#[serde(borrow)] Cow<'a, str>),
}

#[derive(Deserialize)]
struct Design<'a> {
    creator: String,
    #[serde(borrow)]
    modules: BTreeMap<Cow<'a, str>, Module<'a>>,
}

#[derive(Deserialize)]
struct Module<'a> {
    #[serde(borrow, default)]
    cells: BTreeMap<Cow<'a, str>, Cell<'a>>,
}

impl<'a> Netlist<'a> {
    /// The netlist of the module `top`; without that module it is empty.
    pub fn parse(text: &'a str, top: &str) -> Result<Self, serde_json::Error> {
        let mut design: Design = serde_json::from_str(text)?;
        let cells = design.modules.remove(top).map(|module| module.cells).unwrap_or_default();
        let version = design.creator.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        Ok(Self { version, cells: cells.into_values().collect() })
    }
}
