//! Budgets for numbers of SMXs that no hardware is built for.
//!
//! ```text
//!   hardware for three numbers --rows--> [fit] --> rows for the number asked for --[width]--> estimate
//! ```
//!
//! Each row is taken apart into instances, bits, words and ports. Each of these is what it is for one SMX
//! (or one queue of a cluster of them) times their number, and what is there once. The three numbers must
//! agree on both exactly, or there is no estimate. Up to 32 SMXs that is all; for more, SMX numbers and
//! counts of resident blocks become wider than they are built.

mod fit;
mod width;

use super::row::{Module, Row, Total};
use super::{Budget, Machine};
use crate::engine::RtlError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::composition::Source;
use blockyard_sim::sched::Composition;
use fit::{Line, Point};

/// The most SMXs that are estimated.
pub const MOST_SMX: usize = 1024;

/// Numbers of SMXs to fit from, the best first: far apart, and one that is no power of two.
const CANDIDATES: [usize; 9] = [16, 4, 13, 8, 3, 2, 14, 15, 1];

/// How many of them.
const POINTS: usize = 3;

/// Why there is no estimate.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum EstimateError {
    /// There is no hardware of that composition at all.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rtl(#[from] RtlError),
    /// Some row follows the number of SMXs in another way.
    #[error("there is no estimate for {smx} SMXs: what {row} stores is no sum of so much an SMX and so much in all")]
    #[diagnostic(help("ask for a number that the hardware is built for"))]
    Row {
        /// SMXs.
        smx: usize,
        /// Its path.
        row: String,
    },
}

/// What is built where there is such hardware, and an estimate where only the number of SMXs is in the
/// way.
///
/// # Errors
/// When there is no hardware for any number of SMXs, or no estimate.
pub fn built_or_estimated(
    composition: &Composition,
    gpu: &GpuConfig,
    launch: LaunchMode,
) -> Result<Budget, EstimateError> {
    match Budget::new(composition, gpu, launch) {
        Err(RtlError::Smx { .. } | RtlError::Clusters { .. }) => {
            estimated(composition, gpu, launch)
        }
        result => Ok(result?),
    }
}

/// An estimate, also where there is hardware.
///
/// # Errors
/// As [`built_or_estimated`].
pub fn estimated(
    composition: &Composition,
    gpu: &GpuConfig,
    launch: LaunchMode,
) -> Result<Budget, EstimateError> {
    let smx = gpu.smx.count as usize;
    let built = built(composition, gpu, launch)?;
    let machine = Machine::new(gpu, launch);
    let point = |smx| Point { smx, queues: queues(composition, smx) };
    let points: Vec<Point> = built.iter().map(|budget| point(budget.smx)).collect();
    let line = Line { points: &points, at: point(smx) };
    let rows = rows(&built, &line)?;
    let modules = modules(&built, &line, &rows)?;
    let mut budget = Budget::assemble(composition.to_string(), &machine, rows, modules);
    budget.estimated_from = built.iter().map(|budget| budget.smx).collect();
    Ok(budget)
}

fn queues(composition: &Composition, smx: usize) -> usize {
    match &composition.source {
        Source::Laperm(config) => config.queues(smx),
        _ => smx,
    }
}

/// Budgets of hardware that differs in nothing but the number of SMXs.
fn built(
    composition: &Composition,
    gpu: &GpuConfig,
    launch: LaunchMode,
) -> Result<Vec<Budget>, RtlError> {
    // A queue for all SMXs grows with them, up to its largest size.
    let entries = |smx| match &composition.source {
        Source::Laperm(config) => config.queue_entries(smx, launch == LaunchMode::Dtbl),
        _ => 0,
    };
    let asked = gpu.smx.count as usize;
    let mut budgets = Vec::new();
    let mut refused = None;
    for smx in CANDIDATES.into_iter().filter(|&smx| entries(smx) == entries(asked)) {
        let mut smaller = gpu.clone();
        smaller.smx.count = smx as u32;
        match Budget::new(composition, &smaller, launch) {
            Ok(budget) => budgets.push(budget),
            Err(error) => refused = Some(error),
        }
        if budgets.len() == POINTS {
            budgets.sort_by_key(|budget: &Budget| budget.smx);
            return Ok(budgets);
        }
    }
    Err(refused.unwrap_or_else(|| RtlError::Composition(composition.to_string())))
}

fn rows(built: &[Budget], line: &Line) -> Result<Vec<Row>, EstimateError> {
    let Some(last) = built.last() else { return Ok(Vec::new()) };
    let refused = |row: &Row| EstimateError::Row { smx: line.at.smx, row: row.path.clone() };
    let mut rows = Vec::new();
    for (place, row) in last.rows.iter().enumerate() {
        let same: Option<Vec<&Row>> =
            built.iter().map(|budget| budget.rows.get(place).filter(|at| alike(at, row))).collect();
        let same = same.ok_or_else(|| refused(row))?;
        rows.push(fitted(&same, line).ok_or_else(|| refused(row))?);
    }
    Ok(rows)
}

/// Whether both are the same part of the hardware, whatever their sizes.
fn alike(left: &Row, right: &Row) -> bool {
    let kind = |row: &Row| row.memory.as_ref().map(|memory| memory.kind);
    (&left.path, &left.module, kind(left)) == (&right.path, &right.module, kind(right))
}

fn fitted(same: &[&Row], line: &Line) -> Option<Row> {
    let number = |of: &dyn Fn(&Row) -> usize| {
        line.value(&same.iter().map(|row| of(row)).collect::<Vec<_>>())
    };
    let of_memory = |of: &dyn Fn(&super::MemoryShape) -> usize| {
        number(&|row| row.memory.as_ref().map_or(0, of))
    };
    let mut row = (*same.last()?).clone();
    row.stated = None;
    row.instances = number(&|row| row.instances)?;
    let register_bits = number(&|row| row.register_bits as usize)?;
    row.register_bits = width::of_registers(&row.path, register_bits as u64, line.at);
    let (words, width) = (of_memory(&|memory| memory.words)?, of_memory(&|memory| memory.width)?);
    let reads = of_memory(&|memory| memory.read_ports)?;
    let writes = of_memory(&|memory| memory.write_ports)?;
    let mut each = row.register_bits;
    if let Some(memory) = &mut row.memory {
        (memory.words, memory.width) = (words, width);
        (memory.read_ports, memory.write_ports) = (reads, writes);
        each += (words * width) as u64;
    }
    row.bits = each * row.instances as u64;
    row.bytes = super::Bytes(row.bits);
    Some(row)
}

fn modules(built: &[Budget], line: &Line, rows: &[Row]) -> Result<Vec<Module>, EstimateError> {
    let Some(last) = built.last() else { return Ok(Vec::new()) };
    let mut modules = Vec::new();
    for (place, module) in last.modules.iter().enumerate() {
        let at = |budget: &Budget| budget.modules.get(place).map(|module| module.instances);
        let instances: Option<Vec<usize>> = built.iter().map(at).collect();
        let instances = instances.and_then(|instances| line.value(&instances));
        let refused = || EstimateError::Row { smx: line.at.smx, row: module.path.clone() };
        let total = Total::of(rows.iter().filter(|row| module.holds(&row.path)));
        modules.push(Module {
            instances: instances.ok_or_else(refused)?,
            register_bits: total.register_bits,
            memory_bits: total.memory_bits,
            bits: total.bits,
            bytes: total.bytes,
            stated: None,
            ..module.clone()
        });
    }
    Ok(modules)
}
