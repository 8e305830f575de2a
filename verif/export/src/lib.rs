//! Verilog of a module, as other tools want it.
//!
//! `print` writes what rust-hdl does: one module an instance, whole kernels as one `always` block,
//! and casts as masks. Simulators accept that, but lint is noisy and false combinational loops hide
//! real ones. The passes behind it rewrite the text without changing what it means:
//!
//! 1. `text`: `lookup_ports$lookup` becomes `lookup`, slice offsets lose their sizes;
//! 2. `scalars`: one-bit signals whose bit is selected become vectors;
//! 3. `casts`: casts become concatenations with zeros or slices;
//! 4. `split`: each kernel is split into independent `always` blocks;
//! 5. `share`: modules that are alike are printed once.
//!
//! Before the last one, `properties` writes what modules promise, where that is asked for.
//!
//! What comes out is linted, and replayed cycle by cycle against the simulation, for every module
//! of the catalog.

mod casts;
mod content;
mod names;
mod print;
pub mod properties;
mod scalars;
mod share;
mod split;
mod text;
mod unroll;

#[cfg(test)]
mod tests;

use blockyard_rtl::module::Module;
use rust_hdl::prelude::check_all;

pub use content::{Modules, Named};
pub use names::reserved_words;
use properties::{Inner, Whose};
pub use text::module_name;

/// Why a module cannot be exported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ExportError {
    /// rust-hdl found an unconnected signal, a logic loop, or a write to an input.
    #[error("the design does not pass rust-hdl's checks: {0}")]
    Check(String),
    /// A name of the design means something in Verilog or SystemVerilog.
    #[error("`{0}` is a reserved word of Verilog or SystemVerilog")]
    #[diagnostic(help("rename the signal or child"))]
    ReservedWord(String),
    /// A property names what there is not, or what is there already.
    #[error("{0}")]
    #[diagnostic(help("the properties of a module stand in a file beside it, in rtl/src"))]
    Property(String),
    /// Two names are the same once they have no `$`.
    #[error("`{one}` and `{other}` are both `{name}` without `$`")]
    #[diagnostic(help("rename one of the two"))]
    SameName {
        /// What both become.
        name: String,
        /// The first.
        one: String,
        /// The second.
        other: String,
    },
}

/// The Verilog of `module` and all below it, with a top module named `top_name`.
///
/// # Errors
/// When the design is not connected properly or uses a reserved word as a name.
pub fn verilog(module: &dyn Module, top_name: &str) -> Result<String, ExportError> {
    finish(texts(module, top_name)?)
}

/// The same with properties, behind the define [`properties::DEFINE`], and the inner signals that
/// they name.
///
/// # Errors
/// As [`verilog`], or when a property is not about the module.
pub fn with_properties(
    module: &dyn Module,
    top_name: &str,
    whose: Whose,
) -> Result<(String, Vec<Inner>), ExportError> {
    let mut texts = texts(module, top_name)?;
    let inner = properties::insert(module, &mut texts, whose)?;
    Ok((finish(texts)?, inner))
}

/// One text for each module of the hierarchy.
fn texts(module: &dyn Module, top_name: &str) -> Result<Vec<String>, ExportError> {
    check_all(module.as_block()).map_err(|error| ExportError::Check(format!("{error:?}")))?;
    let modules = print::modules(module.as_block(), top_name);
    let rewritten = modules.iter().map(|module| {
        let tidy = text::tidy(module);
        split::split(&casts::rewrite(&scalars::vectors(&tidy)))
    });
    Ok(rewritten.collect())
}

fn finish(texts: Vec<String>) -> Result<String, ExportError> {
    let modules = share::share(texts);
    for module in &modules {
        if let Some(word) = names::reserved_name(module) {
            return Err(ExportError::ReservedWord(word));
        }
    }
    Ok(modules.join("\n"))
}
