//! What Yosys finds in the exported Verilog, beside what is declared.
//!
//! The design is flattened, so that Yosys sees across modules. Right after that every flip-flop and
//! memory still has its place in its name, and they are compared with the rows. Then `opt -fast`
//! takes away what is constant, the same as another one, or read by nothing; what a register's wire
//! is tied to then, or the log, tells which. `check` makes sure that what has lost its driver is
//! read by nothing.

mod fate;
mod netlist;
mod signal;

use super::row::Row;
use super::Budget;
use crate::export;
use crate::regress::StopFlag;
use crate::replay::{read_file, yosys_depth_of, yosys_run, yosys_statistics, ReplayError, TOP};
use blockyard_rtl::module::Module;
use netlist::{losses, Losses, Netlist};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Modules in which a scheduler decides, whose depth counts.
const DECISIONS: [&str; 9] = [
    "claso/Gate",
    "dispatch/ResourceTable",
    "dispatch/RoundRobin",
    "dyncta/Throttle",
    "gpgpusim/Placement",
    "ikra/StaticUnit",
    "ikra/StealArbiter",
    "ikra/StealUnit",
    "laperm/Selector",
];

/// What Yosys counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hardware {
    /// Its version, since counts of cells and depths differ between versions.
    pub yosys: String,
    /// Flip-flop bits as read.
    pub register_bits: u64,
    /// Memory bits as read.
    pub memory_bits: u64,
    /// Flip-flop bits after `flatten; opt -fast`.
    pub optimized_register_bits: u64,
    /// Memory bits after `flatten; opt -fast`.
    pub optimized_memory_bits: u64,
    /// Places of the hierarchy, as the rows have them.
    pub places: Vec<Place>,
    /// Cells by type after optimization, whatever their width.
    pub cells: BTreeMap<String, u64>,
    /// Two-input gates on the longest way through each module that decides.
    pub depths: BTreeMap<String, u64>,
}

/// What Yosys finds at one place of the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// As in rows.
    pub path: String,
    /// Bits that the rows declare.
    pub declared_bits: u64,
    /// Flip-flop bits as read.
    pub register_bits: u64,
    /// Memory bits as read.
    pub memory_bits: u64,
    /// Bits of both after optimization.
    pub optimized_bits: u64,
    /// Why the three are not the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<&'static str>,
    /// Whether there is a difference for which no reason is known.
    pub unexplained: bool,
}

/// Yosys takes a memory of a single word for registers.
const ONE_WORD: &str = "a memory of one word is registers to Yosys";

impl Hardware {
    /// Exports `module`, of which `budget` is, and lets Yosys count in the existing folder
    /// `directory`, until `stop` is raised.
    ///
    /// # Errors
    /// When the module cannot be exported, Yosys does not read it without complaint, or is stopped.
    pub fn new(
        budget: &Budget,
        module: &dyn Module,
        directory: &Path,
        stop: Option<&StopFlag>,
    ) -> Result<Self, ReplayError> {
        let verilog = export::verilog(module, TOP)?;
        let script = format!(
            "read_verilog top.v; hierarchy -check -top {TOP}; proc; check -assert; flatten; \
             tee -q -o opt.log debug opt_clean; tee -q -o read.il dump t:$*dff* m:* w:*; \
             tee -q -a opt.log debug opt -fast; check -assert; \
             tee -q -o opt.il dump t:$*dff* m:* w:*; \
             tee -q -o stat.json stat -width -json"
        );
        yosys_run(&verilog, &script, directory, stop)?;
        let text = |name: &str| read_file(&directory.join(name));
        let read = Netlist::parse(&text("read.il")?);
        let dump = text("opt.il")?;
        let mut optimized = Netlist::parse(&dump);
        let mut losses = losses(&text("opt.log")?);
        optimized.registers = fate::left(&read, &dump, &mut losses);
        let places = places(&budget.rows, &read, &optimized, &losses);
        Ok(Self {
            yosys: netlist::version(&text("stat.json")?),
            register_bits: read.registers.values().sum(),
            memory_bits: read.memories.values().sum(),
            optimized_register_bits: optimized.registers.values().sum(),
            optimized_memory_bits: optimized.memories.values().sum(),
            places,
            cells: yosys_statistics(&directory.join("stat.json"))?.cells,
            depths: depths(budget, &verilog, directory, stop)?,
        })
    }

    /// Whether every difference is explained.
    pub fn is_explained(&self) -> bool {
        self.places.iter().all(|place| !place.unexplained)
    }
}

fn depths(
    budget: &Budget,
    verilog: &str,
    directory: &Path,
    stop: Option<&StopFlag>,
) -> Result<BTreeMap<String, u64>, ReplayError> {
    let mut depths = BTreeMap::new();
    for path in &budget.decisions {
        // The first one of an array; those of one type are printed once.
        let name = format!("{TOP}${}", path.replace("[*]", "$0").replace('.', "$"));
        let printed = verilog.lines().any(|line| line.starts_with(&format!("module {name}(")));
        if printed {
            let depth = yosys_depth_of(&name, verilog, directory, stop)?;
            depths.insert(path.clone(), depth);
        }
    }
    Ok(depths)
}

/// Whether the depth of such a module is counted.
pub(super) fn decides(module: &str) -> bool {
    DECISIONS.contains(&module)
}

fn places(
    rows: &[Row],
    read: &Netlist,
    optimized: &Netlist,
    losses: &BTreeMap<String, Losses>,
) -> Vec<Place> {
    let mut declared: BTreeMap<&str, Declared> = BTreeMap::new();
    for row in rows {
        let place = declared.entry(&row.path).or_default();
        match &row.memory {
            None => place.registers += row.bits,
            Some(memory) => {
                place.memories += row.bits;
                place.one_word |= memory.words == 1;
            }
        }
    }
    let mut paths: BTreeSet<&str> = declared.keys().copied().collect();
    paths.extend(read.registers.keys().chain(read.memories.keys()).map(String::as_str));
    let none = Losses::default();
    let place = |path: &str| {
        let declared = declared.get(path).copied().unwrap_or_default();
        let lost = losses.get(path).unwrap_or(&none);
        let (registers, memories) = (read.register_bits(path), read.memory_bits(path));
        let (registers_left, memories_left) =
            (optimized.register_bits(path), optimized.memory_bits(path));
        let mut why = Reasons::default();
        if declared.one_word && registers + memories == declared.registers + declared.memories {
            why.explained.insert(ONE_WORD);
        } else {
            why.loss(declared.registers, registers, &lost.registers);
            why.loss(declared.memories, memories, &lost.memories);
        }
        why.loss(registers, registers_left, &lost.registers);
        why.loss(memories, memories_left, &lost.memories);
        Place {
            path: path.to_owned(),
            declared_bits: declared.registers + declared.memories,
            register_bits: registers,
            memory_bits: memories,
            optimized_bits: registers_left + memories_left,
            explained: why.explained.into_iter().collect(),
            unexplained: why.unexplained,
        }
    };
    paths.into_iter().map(place).collect()
}

/// What rows declare at one place.
#[derive(Clone, Copy, Default)]
struct Declared {
    registers: u64,
    memories: u64,
    one_word: bool,
}

#[derive(Default)]
struct Reasons {
    explained: BTreeSet<&'static str>,
    unexplained: bool,
}

impl Reasons {
    /// From `before` bits to `after`: fewer need a reason, and for more there is none.
    fn loss(&mut self, before: u64, after: u64, reasons: &BTreeSet<&'static str>) {
        if after < before && !reasons.is_empty() {
            self.explained.extend(reasons);
        } else if after != before {
            self.unexplained = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bytes;
    use super::*;

    fn row(path: &str, bits: u64) -> Row {
        Row {
            path: path.to_owned(),
            module: "prim/Register".to_owned(),
            instances: 1,
            of_each_smx: false,
            register_bits: bits,
            memory: None,
            bits,
            bytes: Bytes(bits),
            stated: None,
        }
    }

    fn registers(of: &[(&str, u64)]) -> Netlist {
        let registers = of.iter().map(|&(path, bits)| (path.to_owned(), bits)).collect();
        Netlist { registers, ..Netlist::default() }
    }

    #[test]
    fn a_difference_without_a_reason_is_unexplained() {
        let rows = [row("a", 8)];
        let none = BTreeMap::new();
        let found = |read, left| places(&rows, &registers(read), &registers(left), &none);
        assert!(!found(&[("a", 8)], &[("a", 8)])[0].unexplained);
        assert!(found(&[("a", 8)], &[("a", 7)])[0].unexplained, "lost by optimization");
        assert!(found(&[("a", 7)], &[("a", 7)])[0].unexplained, "fewer than declared");
        assert!(found(&[("a", 9)], &[("a", 9)])[0].unexplained, "more than declared");
        assert!(found(&[("a", 8), ("b", 1)], &[("a", 8), ("b", 1)])[1].unexplained, "undeclared");
    }

    #[test]
    fn a_loss_that_the_log_names_is_explained_and_a_gain_is_not() {
        let rows = [row("a", 8)];
        let registers_lost = BTreeSet::from(["constant"]);
        let lost = Losses { registers: registers_lost, memories: BTreeSet::new() };
        let lost = BTreeMap::from([("a".to_owned(), lost)]);
        let found =
            |left| places(&rows, &registers(&[("a", 8)]), &registers(&[("a", left)]), &lost);
        assert_eq!(found(6)[0].explained, ["constant"]);
        assert!(!found(6)[0].unexplained);
        assert!(found(9)[0].unexplained);
    }
}
