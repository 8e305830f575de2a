//! What a scheduler takes on an FPGA, as Yosys maps it: for those who prototype.
//!
//! ```text
//!   Verilog --synth_ice40, synth_ecp5--> netlist of the FPGA's cells --> [netlist] --> cells by kind
//!                                                                              \--> [levels] --> LUTs in a row
//! ```
//!
//! Nothing is placed or routed: how fast it is and whether it fits, a place-and-route tool says.

mod levels;
pub(super) mod netlist;

use crate::export;
use crate::regress::StopFlag;
use crate::replay::{read_file, yosys_map, ReplayError, TOP};
use blockyard_rtl::module::Module;
use clap::ValueEnum;
use netlist::Netlist;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A family of FPGAs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Lattice iCE40 HX
    Ice40,
    /// Lattice ECP5
    Ecp5,
}

impl Target {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ice40 => "ice40",
            Self::Ecp5 => "ecp5",
        }
    }
}

/// What Yosys makes of the hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hierarchy {
    /// It is flattened first, so that gates are shared across modules.
    #[default]
    Flattened,
    /// Each module is mapped alone, once for all its instances, which takes minutes instead of
    /// hours for large schedulers; it is flattened at the end, to be counted.
    Kept,
}

/// What counts of an FPGA's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Look-up tables of four inputs.
    Luts,
    /// Cells of carry chains; on ECP5 each has two look-up tables of its own.
    CarryCells,
    /// Multiplexers that join look-up tables to larger ones.
    WideMultiplexers,
    /// Flip-flops, of one bit each.
    FlipFlops,
    /// Block memories: 4 kilobits on iCE40, 16 kilobits on ECP5.
    BlockRams,
    /// Memories of 16 words of 4 bits in the place of four look-up tables.
    LutRams,
    /// Multipliers.
    Multipliers,
    /// Everything else.
    Others,
}

impl Kind {
    /// All, in the order of tables.
    pub const ALL: [Self; 8] = [
        Self::Luts,
        Self::CarryCells,
        Self::WideMultiplexers,
        Self::FlipFlops,
        Self::BlockRams,
        Self::LutRams,
        Self::Multipliers,
        Self::Others,
    ];

    /// In tables.
    pub fn shown(self) -> &'static str {
        match self {
            Self::Luts => "LUTs of four inputs",
            Self::CarryCells => "carry cells",
            Self::WideMultiplexers => "multiplexers of wider LUTs",
            Self::FlipFlops => "flip-flops",
            Self::BlockRams => "block RAMs",
            Self::LutRams => "16 x 4 bit LUT RAMs",
            Self::Multipliers => "multipliers",
            Self::Others => "others",
        }
    }

    /// Of a cell of either family.
    pub fn of(cell: &str) -> Self {
        match cell {
            "SB_LUT4" | "LUT4" => Self::Luts,
            "SB_CARRY" | "CCU2C" => Self::CarryCells,
            "PFUMX" | "L6MUX21" => Self::WideMultiplexers,
            "TRELLIS_FF" => Self::FlipFlops,
            "TRELLIS_DPR16X4" => Self::LutRams,
            "DP16KD" | "PDPW16KD" => Self::BlockRams,
            "SB_MAC16" | "MULT18X18D" => Self::Multipliers,
            _ if cell.starts_with("SB_DFF") => Self::FlipFlops,
            _ if cell.starts_with("SB_RAM40_4K") => Self::BlockRams,
            _ => Self::Others,
        }
    }
}

/// A scheduler in an FPGA's cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mapping {
    /// `ice40`, `ecp5`.
    pub target: &'static str,
    /// Whether it was flattened before it was mapped.
    pub hierarchy: Hierarchy,
    /// The version of Yosys, since mappings differ between versions.
    pub yosys: String,
    /// How many of each kind.
    #[serde(flatten)]
    pub kinds: BTreeMap<Kind, u64>,
    /// Look-up tables on the longest way between ports, flip-flops and memories; carry chains and
    /// wider multiplexers take none. Nothing where the netlist has a loop without a flip-flop.
    pub lut_levels: Option<u64>,
    /// Cells by type.
    pub cells: BTreeMap<String, u64>,
}

impl Mapping {
    /// Exports `module` and lets Yosys map it in the existing folder `directory`, until `stop` is
    /// raised.
    ///
    /// # Errors
    /// When the module cannot be exported, Yosys fails, or it is stopped.
    pub fn new(
        module: &dyn Module,
        (target, hierarchy): (Target, Hierarchy),
        directory: &Path,
        stop: Option<&StopFlag>,
    ) -> Result<Self, ReplayError> {
        let verilog = export::verilog(module, TOP)?;
        yosys_map(&verilog, &script(target, hierarchy), directory, stop)?;
        let text = read_file(&directory.join("netlist.json"))?;
        Self::of(target, hierarchy, &text)
            .map_err(|error| ReplayError::Rejected { tool: "yosys", log: error.to_string() })
    }

    /// The mapping that a netlist of `write_json` is.
    fn of(target: Target, hierarchy: Hierarchy, text: &str) -> Result<Self, serde_json::Error> {
        let netlist = Netlist::parse(text, TOP)?;
        let mut cells = BTreeMap::new();
        let mut kinds: BTreeMap<Kind, u64> = Kind::ALL.map(|kind| (kind, 0)).into();
        for cell in &netlist.cells {
            *cells.entry(cell.kind.to_string()).or_default() += 1;
            *kinds.entry(Kind::of(&cell.kind)).or_default() += 1;
        }
        Ok(Self {
            target: target.name(),
            hierarchy,
            yosys: netlist.version,
            kinds,
            lut_levels: levels::longest(&netlist.cells),
            cells,
        })
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: Kind) -> u64 {
        self.kinds.get(&kind).copied().unwrap_or(0)
    }
}

/// Yosys' own flow for the family, up to its checks: naming every net anew, which follows them,
/// takes longer than all before. Memories are gathered first, because sharing their ports one by
/// one takes hours where a scheduler has hundreds of them.
fn script(target: Target, hierarchy: Hierarchy) -> String {
    let name = target.name();
    let (before, option, after) = match hierarchy {
        Hierarchy::Flattened => ("flatten; ", "", ""),
        Hierarchy::Kept => ("", " -noflatten", "flatten; opt_clean; "),
    };
    format!(
        "read_verilog top.v; hierarchy -check -top {TOP}; proc; {before}opt_clean; memory_collect; \
         synth_{name}{option} -top {TOP} -run :check; {after}blackbox =A:whitebox; \
         setattr -unset src t:*; write_json netlist.json"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_both_families_are_known_by_what_they_are() {
        let table = [
            ("SB_LUT4", Kind::Luts),
            ("SB_DFFESR", Kind::FlipFlops),
            ("SB_RAM40_4KNR", Kind::BlockRams),
            ("SB_CARRY", Kind::CarryCells),
            ("CCU2C", Kind::CarryCells),
            ("PDPW16KD", Kind::BlockRams),
            ("TRELLIS_DPR16X4", Kind::LutRams),
            ("SB_IO", Kind::Others),
        ];
        for (cell, kind) in table {
            assert_eq!(Kind::of(cell), kind, "{cell}");
        }
    }

    #[test]
    fn counts_are_those_of_the_netlist_and_zero_kinds_are_shown() {
        let text = r#"{ "creator": "Yosys 0.23 (git sha1 7ce5011c24b)", "modules": {
            "SB_LUT4": { "attributes": { "blackbox": "1" } },
            "top": { "ports": {}, "cells": {
                "a": { "type": "SB_LUT4", "connections": { "I0": [ 2 ], "I1": [ "0" ], "O": [ 3 ] } },
                "b": { "type": "SB_DFF", "connections": { "D": [ 3 ], "Q": [ 2 ], "C": [ 4 ] } } },
              "netnames": { } } } }"#;
        let mapping = Mapping::of(Target::Ice40, Hierarchy::Kept, text).expect("a netlist");
        assert_eq!(mapping.yosys, "Yosys 0.23");
        assert_eq!((mapping.count(Kind::Luts), mapping.count(Kind::FlipFlops)), (1, 1));
        assert_eq!((mapping.count(Kind::BlockRams), mapping.lut_levels), (0, Some(1)));
        let json = serde_json::to_value(&mapping).expect("plain");
        assert_eq!((&json["luts"], &json["block_rams"]), (&1.into(), &0.into()));
    }
}
