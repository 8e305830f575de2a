//! What a scheduler's hardware stores, by hierarchy, beside what the papers state.
//!
//! ```text
//!   composition, GPU --> module --declared parts--> [tree] --> rows, modules --> [paper] --> table,
//!                            \--export--> Verilog --> Yosys --> [hardware], [mapping], [area] -/  JSON, CSV
//! ```
//!
//! Rows are what primitives declare; no bit is in two of them, so that totals are sums of rows.

pub mod area;
mod hardware;
mod kinds;
mod mapping;
mod paper;
mod plot;
mod render;
mod row;
mod share;
pub mod sweep;
mod tree;

pub use hardware::{Hardware, Place};
pub use kinds::{KindTotal, Shape};
pub use mapping::{Hierarchy, Kind, Mapping, Target};
pub use paper::Comparison;
pub use plot::{axis as plot_axis, svg, PlotError};
pub use render::{csv, markdown, text};
pub use row::{thousands, Bytes, MemoryShape, Module, Row, Stated, Total};
pub use share::Share;
pub use tree::{Node, OF_EACH_SMX, OTHER_ARRAYS};

use crate::engine::{rtl_module, RtlError};
use area::Area;
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_rtl::storage::Declared;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use serde::Serialize;

/// What of the machine the papers' numbers depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// SMXs.
    pub smx: usize,
    /// Thread-block slots of one.
    pub slots: u32,
    /// Entries of the Aggregated Group Table.
    pub table: u32,
    /// How launches from the device reach the scheduler.
    pub launch: LaunchMode,
    /// Bytes of the register file of an SMX: 4 a register.
    pub register_file: u64,
    /// Bytes of its shared memory.
    pub shared_memory: u64,
    /// Bytes of its L1.
    pub l1: u64,
    /// Bytes of the L2, by the number of SMXs whose local bank it has: its channels' slices.
    pub l2_bank: u64,
}

impl Machine {
    /// The machine of a configuration.
    pub fn new(gpu: &GpuConfig, launch: LaunchMode) -> Self {
        let banks = u64::from(gpu.dram.channels) * u64::from(gpu.l2.slices);
        Self {
            smx: gpu.smx.count as usize,
            slots: gpu.smx.thread_block_slots,
            table: gpu.launch.table,
            launch,
            register_file: u64::from(gpu.smx.registers) * 4,
            shared_memory: u64::from(gpu.smx.shared_memory),
            l1: u64::from(gpu.l1.size),
            l2_bank: u64::from(gpu.l2.size) / banks.max(1),
        }
    }
}

/// The storage of a scheduler on a GPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Budget {
    /// The scheduler, with every parameter.
    pub scheduler: String,
    /// `flat`, `cdp` or `dtbl`.
    pub launch: &'static str,
    /// SMXs.
    pub smx: usize,
    /// The sum of all rows.
    pub total: Total,
    /// The sum of the rows of each SMX.
    pub of_each_smx: Total,
    /// The sum of the rows that serve all SMXs.
    pub shared: Total,
    /// The sum of all rows by kind: flip-flops, register files by ports, SRAM by ports.
    pub kinds: Vec<KindTotal>,
    /// Bytes of one SMX: a part of `of_each_smx`.
    pub bytes_per_smx: f64,
    /// What primitives store, by their place.
    pub rows: Vec<Row>,
    /// Sums of rows by module.
    pub modules: Vec<Module>,
    /// What papers state of it.
    pub paper: Vec<Comparison>,
    /// Its part of the machine's storage.
    pub shares: Vec<Share>,
    /// What Yosys finds in the exported Verilog, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yosys: Option<Hardware>,
    /// What it takes on an FPGA, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Mapping>,
    /// What it takes on a chip, where cells were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// The places of the modules that decide.
    #[serde(skip)]
    decisions: Vec<String>,
}

impl Budget {
    /// The budget of a scheduler on a GPU.
    ///
    /// # Errors
    /// When there is no hardware for that composition on that GPU.
    pub fn new(
        composition: &Composition,
        gpu: &GpuConfig,
        launch: LaunchMode,
    ) -> Result<Self, RtlError> {
        let module = module(composition, gpu, launch)?;
        Ok(Self::of(composition.to_string(), module.as_module(), &Machine::new(gpu, launch)))
    }

    /// The whole in percent of the register files and shared memory of all SMXs, as DTBL counts.
    pub fn percent(&self) -> f64 {
        let whole = self.shares.iter().find(|share| share.of == share::WHOLE);
        whole.map_or(0.0, |share| share.percent)
    }

    /// The budget of a design.
    pub fn of(scheduler: String, top: &dyn Declared, machine: &Machine) -> Self {
        let tree = Node::new(top);
        let budget = Self::assemble(scheduler, machine, row::rows(&tree), row::modules(&tree));
        Self { decisions: decisions(&tree), ..budget }
    }

    /// The budget of these rows and modules.
    fn assemble(
        scheduler: String,
        machine: &Machine,
        mut rows: Vec<Row>,
        mut modules: Vec<Module>,
    ) -> Self {
        let paper = paper::compare(machine, &mut rows, &mut modules);
        let of_each_smx = Total::of(rows.iter().filter(|row| row.of_each_smx));
        let total = Total::of(&rows);
        Self {
            scheduler,
            launch: launch_name(machine.launch),
            smx: machine.smx,
            total,
            of_each_smx,
            shared: Total::of(rows.iter().filter(|row| !row.of_each_smx)),
            kinds: KindTotal::of(&rows),
            bytes_per_smx: of_each_smx.bits as f64 / 8.0 / machine.smx as f64,
            shares: share::shares(machine, &modules, &rows, total, of_each_smx),
            decisions: Vec::new(),
            yosys: None,
            mapping: None,
            area: None,
            rows,
            modules,
            paper,
        }
    }
}

/// The hardware of a scheduler on a GPU.
///
/// # Errors
/// When there is none for that composition on that GPU.
pub fn module(
    composition: &Composition,
    gpu: &GpuConfig,
    launch: LaunchMode,
) -> Result<Box<dyn SchedulerModule>, RtlError> {
    rtl_module(composition, launch, gpu.launch.storage(), gpu.floor_plan(), gpu.limits())
}

fn decisions(tree: &Node) -> Vec<String> {
    let mut paths = Vec::new();
    tree.walk(&mut |node| {
        if hardware::decides(&node.module) {
            paths.push(node.path.clone());
        }
    });
    paths
}

fn launch_name(launch: LaunchMode) -> &'static str {
    match launch {
        LaunchMode::Flat => "flat",
        LaunchMode::Cdp => "cdp",
        LaunchMode::Dtbl => "dtbl",
    }
}
