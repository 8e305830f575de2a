//! What a result comes from: everything that decides on it, and what repeats it.
//!
//! It has no date and nothing that a repeated run would have otherwise, so that the same run on the
//! same host leaves the same bytes.

mod again;
mod input;
mod origin;

pub use again::Recorded;
pub use input::Input;
pub use origin::{Host, Origin, VERSION_AND_REVISION};

use crate::cli::run_spec::RunSpec;
use crate::session::{Session, Workload};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::workload::trace;
use miette::{miette, Result};
use serde::Serialize;
use std::path::PathBuf;

/// What the results of a run come from, or those of a command with `Options` that makes many.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance<Options = RunSpec> {
    /// Who ran it, and where.
    #[serde(flatten)]
    pub origin: Origin,
    /// The scheduler in its canonical form, with every parameter; `None` where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    /// Every key of the GPU, after all overrides.
    pub gpu: GpuConfig,
    /// The files that were read.
    pub inputs: Vec<Input>,
    /// The options that repeat it.
    pub options: Options,
}

impl Provenance {
    /// What a run of `session`, which is that of `options`, comes from. Reads all its input files.
    ///
    /// # Errors
    /// When an input cannot be read, or has a name that cannot be written down.
    pub fn of(options: &RunSpec, session: &Session) -> Result<Self> {
        let scheduler = Some(session.scheduler.to_string());
        let inputs = inputs(options, &session.workload)?;
        Ok(Self { scheduler, ..Self::of_many(options.clone(), &session.gpu, inputs)? })
    }
}

impl<Options: Serialize> Provenance<Options> {
    /// What figures of runs on `gpu` come from, which read the files `inputs`.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_many(options: Options, gpu: &GpuConfig, inputs: Vec<PathBuf>) -> Result<Self> {
        if let Some(path) = inputs.iter().find(|path| path.to_str().is_none()) {
            return Err(miette!(
                help = "results name the files that they come from: expected a name in UTF-8",
                "the name of the input {} cannot be written down",
                path.display()
            ));
        }
        Ok(Self {
            origin: Origin::here(),
            scheduler: None,
            gpu: gpu.clone(),
            inputs: inputs.into_iter().map(Input::read).collect::<Result<_>>()?,
            options,
        })
    }

    /// All of it as JSON in one line of ASCII without a `$`, as it may stand in a comment of any
    /// format.
    ///
    /// # Panics
    /// Never: [`Self::of`] has seen that every path can be written.
    pub fn line(&self) -> String {
        let text = serde_json::to_string(self).expect("plain data");
        let mut line = String::with_capacity(text.len());
        let mut units = [0; 2];
        for letter in text.chars() {
            if letter.is_ascii() && letter != '$' {
                line.push(letter);
            } else {
                for unit in letter.encode_utf16(&mut units) {
                    line += &format!("\\u{unit:04x}");
                }
            }
        }
        line
    }

    /// `figures`, a struct, as JSON with this under the key `run`, the last one; ends in a newline.
    ///
    /// # Panics
    /// As [`Self::line`], and when `figures` are not plain data.
    pub fn beside(&self, figures: &impl Serialize) -> String {
        #[derive(Serialize)]
        struct Result<'a, F: Serialize, R: Serialize> {
            #[serde(flatten)]
            figures: &'a F,
            run: &'a R,
        }
        let result = Result { figures, run: self };
        serde_json::to_string_pretty(&result).expect("plain data") + "\n"
    }
}

/// The files that a run reads: the GPU, graph, scenario, module with its host file, what that names
/// and what a `.cu` includes, trace with the files of its kernels.
///
/// # Errors
/// When the list of a trace cannot be read.
pub fn inputs(options: &RunSpec, workload: &Workload) -> Result<Vec<PathBuf>> {
    let mut files = named_inputs(options);
    files.extend(workload_inputs(workload)?);
    files.dedup();
    Ok(files)
}

/// The files among [`inputs`] that options name, but a trace.
pub fn named_inputs(options: &RunSpec) -> Vec<PathBuf> {
    let named = [&options.input, &options.source.scenario, &options.source.kernel];
    let gpu = options.gpu.file().into_iter().map(ToOwned::to_owned);
    gpu.chain(named.into_iter().flatten().cloned()).collect()
}

/// The files among [`inputs`] that a trace or the host file of a kernel names, with these.
///
/// # Errors
/// As [`inputs`].
pub fn workload_inputs(workload: &Workload) -> Result<Vec<PathBuf>> {
    Ok(match workload {
        Workload::Trace(path) => trace::files(path)?,
        Workload::KernelFile(file) => file.inputs().map(ToOwned::to_owned).collect(),
        Workload::Scenario(_)
        | Workload::Graph { .. }
        | Workload::Erc(_)
        | Workload::Ikra { .. }
        | Workload::Kernel(_)
        | Workload::Together(_) => Vec::new(),
    })
}

#[cfg(test)]
mod tests;
