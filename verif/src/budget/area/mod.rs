//! What a scheduler takes on a chip: square micrometres and the longest path, in a cell library.
//!
//! ```text
//!   Verilog --[memories]--> with register files in pieces, SRAM as black boxes
//!           --[crossbars]--> with large ones in pieces --[named]--> modules
//!           --[mapped]--Yosys, ABC--> [design] --> area of each module, times its instances
//!                                         \--[flat]--[fanout]--[timing]--> the longest path
//! ```
//!
//! The hierarchy stays: modules that are alike are mapped once, and ABC never sees more than one.
//! The price is that nothing is shared or simplified across modules.

mod crossbars;
mod design;
mod fanout;
mod flat;
mod liberty;
mod mapped;
mod memories;
mod render;
#[cfg(test)]
mod same_machine;
mod share;
mod sram;
mod sums;
mod technology;
mod timing;

pub use liberty::{Library, LibraryError};
pub use render::{figures, heading, points, tables};
pub use share::AreaShare;
pub use sram::Macros;
pub use technology::{Cells, Technology, TechnologyError};

use super::{Budget, Row};
use crate::export::{self, Modules};
use crate::regress::StopFlag;
use crate::replay::{ReplayError, TOP};
use blockyard_rtl::module::Module;
use design::Design;
use fanout::Buffer;
use flat::Flat;
use mapped::Mapped;
use memories::MemoryModule;
use serde::Serialize;
use std::path::Path;
use sums::Sums;

/// A scheduler in cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Area {
    /// The library or technology.
    pub cells: String,
    /// Where its figures come from.
    pub source: String,
    /// How they were combined.
    pub method: String,
    /// Whether areas are gate equivalents times a published area, instead of a library's own.
    pub is_estimate: bool,
    /// The version of Yosys, since mappings differ between versions.
    pub yosys: String,
    /// Square micrometres by what they are.
    pub square_micrometres: Parts,
    /// Flip-flops, of one bit each, with those of register files.
    pub flip_flops: u64,
    /// Those that are declared, without the outputs of SRAMs, which are in their macros.
    pub flip_flops_declared: u64,
    /// Cells, without trees of buffers.
    pub gates: u64,
    /// Buffers in trees between modules.
    pub buffers: u64,
    /// The longest path; nothing for a loop without a flip-flop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_path: Option<LongestPath>,
    /// Square micrometres by module, as in the budget's `modules`, without trees.
    pub modules: Vec<ModuleArea>,
    /// Parts of the machine's area, where macros are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<AreaShare>,
}

/// Square micrometres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parts {
    /// Flip-flops outside of register files.
    pub flip_flops: f64,
    /// Register files, with flip-flops, decoders and multiplexers.
    pub register_files: f64,
    /// All other gates.
    pub logic: f64,
    /// SRAM, by a model of macros: an estimate.
    pub sram: f64,
    /// Trees of buffers between modules.
    pub buffers: f64,
    /// The sum.
    pub total: f64,
}

/// The longest path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LongestPath {
    /// With the setup time at its end; nothing where the technology's times are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanoseconds: Option<f64>,
    /// The clock that it allows, before layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub megahertz: Option<f64>,
    /// Cells on it, with buffers.
    pub cells: usize,
    /// The instances that it goes through.
    pub through: Vec<String>,
    /// Nanoseconds at which it leaves each of them; nothing where times are not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaves_at: Vec<f64>,
}

/// A module's part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuleArea {
    /// As in `modules` of the budget; empty for the top.
    pub path: String,
    /// Of all instances, with all below.
    pub square_micrometres: f64,
}

/// Bits of registers and register files, without the outputs of SRAMs.
fn declared(budget: &Budget) -> u64 {
    let output = |row: &Row| match &row.memory {
        Some(memory) if memory.is_sram() => memory.width as u64 * row.instances as u64,
        _ => 0,
    };
    let outputs: u64 = budget.rows.iter().map(output).sum();
    budget.total.register_bits + budget.total.register_file_bits - outputs
}

impl Area {
    /// Exports `module`, of which `budget` is, and maps what the folder `mapped` does not have of
    /// it, until `stop` is raised. A technology without macros is for schedulers without SRAM.
    ///
    /// # Errors
    /// When the module cannot be exported, Yosys fails, or it is stopped.
    pub fn new(
        budget: &Budget,
        module: &dyn Module,
        technology: &Technology,
        mapped: &Path,
        stop: Option<&StopFlag>,
    ) -> Result<Self, ReplayError> {
        let rejected = |log: String| ReplayError::Rejected { tool: "yosys", log };
        let buffer = Buffer::fastest(&technology.library)
            .ok_or_else(|| rejected("no buffer of the library has delays".to_owned()))?;
        let (verilog, mut memories) = memories::in_pieces(&export::verilog(module, TOP)?);
        let verilog = crossbars::in_pieces(&verilog);
        let modules = Modules::below(TOP, &verilog);
        for memory in &mut memories {
            memory.module.clone_from(&modules.names[&memory.module]);
        }
        let text = Mapped::new(mapped, technology, &buffer, stop)?.netlist(&modules, stop)?;
        let design = Design::parse(&text).map_err(|error| rejected(error.to_string()))?;
        Self::of(budget, technology, (&design, &modules.names[TOP]), &memories, &buffer)
            .map_err(|flat::Unmapped(cell)| rejected(format!("`{cell}` is no cell of the library")))
    }

    fn of(
        budget: &Budget,
        technology: &Technology,
        (design, top): (&Design, &str),
        memories: &[MemoryModule],
        buffer: &Buffer,
    ) -> Result<Self, flat::Unmapped> {
        let Technology { library, gate, macros, .. } = technology;
        let stand_in = library.smallest(liberty::Cell::is_plain_flip_flop);
        let stand_in = stand_in.ok_or_else(|| flat::Unmapped("a flip-flop".to_owned()))?;
        let flat = Flat::new(design, top, library, memories, stand_in)?;
        let timing = timing::longest(&flat, library, buffer);
        let sums = Sums::new((design, top), library, memories, *gate, *macros);
        let whole = sums.at("");
        let trees = timing.buffers as f64 * buffer.area * gate;
        let longest_path = timing.longest.filter(|_| timing.in_loops == 0).map(|path| {
            let nanoseconds = technology.has_times.then_some(path.nanoseconds);
            let (through, leaves_at) = path.through.into_iter().unzip();
            LongestPath {
                nanoseconds,
                megahertz: nanoseconds.map(|time| 1000.0 / time),
                cells: path.cells + path.buffers,
                through,
                leaves_at: if technology.has_times { leaves_at } else { Vec::new() },
            }
        });
        let square_micrometres = Parts {
            flip_flops: whole.of_flip_flops,
            register_files: whole.register_files,
            logic: whole.logic,
            sram: whole.sram,
            buffers: trees,
            total: whole.total() + trees,
        };
        let modules = budget.modules.iter().map(|module| ModuleArea {
            path: module.path.clone(),
            square_micrometres: sums.at(&module.path).total(),
        });
        Ok(Self {
            cells: technology.name.clone(),
            source: technology.source.clone(),
            method: technology.method(whole.sram > 0.0),
            is_estimate: technology.is_estimate,
            yosys: design.version(),
            square_micrometres,
            flip_flops: whole.flip_flops,
            flip_flops_declared: declared(budget),
            gates: whole.cells,
            buffers: timing.buffers,
            longest_path,
            modules: modules.collect(),
            shares: macros.map_or(Vec::new(), |macros| share::shares(budget, &sums, macros)),
        })
    }
}
