//! `--gpu` and `--set key=value`, shared by the commands that build a GPU.

use super::keys;
use blockyard_kernels::graphs::GraphSettings;
use blockyard_kernels::KernelSettings;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::key::asked;
use blockyard_sim::sched::laperm::LapermConfig;
use blockyard_sim::sched::Composition;
use blockyard_sim::workload::erc::ErcOptions;
use blockyard_sim::workload::graph::GraphSpec;
use blockyard_sim::workload::ikra::IkraOptions;
use clap::Args;
use miette::{miette, Report, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::de::DeTable;

/// What the keys of the scheduler's own parameters begin with.
pub(super) const LAPERM: &str = "laperm.";

/// The GPU and settings.
#[derive(Clone, Debug, PartialEq, Eq, Args, Serialize, Deserialize)]
pub struct GpuArgs {
    /// GPU preset (`blockyard list gpus` shows them), or a file F.toml as
    /// `blockyard list gpus NAME` prints
    #[arg(long, value_name = "PRESET", default_value = "k20c")]
    pub gpu: String,
    /// Override a key of the preset, of the workload or of LaPerm (`blockyard list keys`):
    /// `smx.count=4`, `bfs.block=128`, `laperm.levels=2`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Settings of everything but the GPU.
#[derive(Clone, Debug, Default)]
pub struct WorkloadSettings {
    /// `graph.*`.
    pub graph: GraphSpec,
    /// `bfs.*` and what else the kernels over graphs have.
    pub graphs: GraphSettings,
    /// `erc.*`.
    pub erc: ErcOptions,
    /// `ikra.*`.
    pub ikra: IkraOptions,
    /// `vecadd.*` and what else the kernels in CUDA C have.
    pub kernels: KernelSettings,
    /// The keys that were set, for saying which one a workload does not use.
    pub keys: Vec<String>,
}

impl WorkloadSettings {
    /// The first key that was set and that is in none of these tables.
    pub fn foreign(&self, tables: &[&str]) -> Option<&str> {
        let table = |key: &str| key.split_once('.').map_or("", |(table, _)| table).to_owned();
        let foreign = |key: &&String| !tables.contains(&table(key).as_str());
        self.keys.iter().find(foreign).map(String::as_str)
    }

    /// Sets `key` to `value`; whether it is a key of a workload.
    fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        match key.split_once('.') {
            Some(("graph", _)) => self.graph.set(key, value)?,
            Some(("erc", _)) => self.erc.set(key, value)?,
            Some(("ikra", _)) => self.ikra.set(key, value)?,
            _ if self.graphs.set(key, value)? || self.kernels.set(key, value)? => {}
            _ => return Ok(false),
        }
        self.keys.push(key.to_owned());
        Ok(true)
    }
}

impl GpuArgs {
    /// The scheduler of this name, with what `--set laperm.*` says of it.
    ///
    /// # Errors
    /// A bad name, an unknown key, a bad value, or a key that the scheduler does not have.
    pub fn scheduler(&self, name: &str) -> Result<Composition> {
        let mut composition: Composition = name.parse()?;
        for (key, value) in self.pairs()? {
            let Some(parameter) = key.strip_prefix(LAPERM) else { continue };
            let Some(mut config) = composition.source.get::<LapermConfig>().copied() else {
                return Err(miette!(
                    help = "it is a parameter of laperm/tb-pri, laperm/smx-bind and laperm/adaptive-bind",
                    "`--set {key}` does nothing with the scheduler {composition}"
                ));
            };
            config.set(parameter, value).map_err(|expected| match expected {
                Some(expected) => {
                    miette!(help = format!("expected {expected}"), "`{key}` cannot be `{value}`")
                }
                None => unknown(key),
            })?;
            composition.source = config.into();
        }
        Ok(composition)
    }

    /// The preset, and what `--set` says of the workload.
    ///
    /// # Errors
    /// An unknown preset, an unknown key, a bad value.
    pub fn preset(&self) -> Result<(GpuConfig, WorkloadSettings)> {
        let mut gpu = GpuConfig::preset(&self.gpu)?;
        let settings = self.apply(&mut gpu)?;
        Ok((gpu, settings))
    }

    /// Applies the keys of the GPU once more, so that they win over a scenario's own table.
    ///
    /// # Errors
    /// As [`preset`](Self::preset), or a configuration that is not sound as a whole.
    pub fn override_gpu(&self, gpu: &mut GpuConfig) -> Result<()> {
        self.apply(gpu)?;
        self.validate(gpu)
    }

    /// Whether `gpu`, which is that of these, can be built.
    ///
    /// # Errors
    /// What cannot; a value with its place in the GPU's file, where it stands there as it is told.
    pub fn validate(&self, gpu: &GpuConfig) -> Result<()> {
        Ok(gpu.validate().map_err(|error| self.in_file(error))?)
    }

    /// `error`, which says that a key is a value, at the place in the file of the GPU where it
    /// stands, if it stands there.
    fn in_file(&self, error: InputError) -> InputError {
        let said = error.to_string();
        let stated = || {
            let text = std::fs::read_to_string(self.file()?).ok()?;
            let (key, value) = said.split_once(" = ")?;
            let (table, name) = key.split_once('.')?;
            let tables = DeTable::parse(&text).ok()?;
            let stated = tables.get_ref().get(table)?.get_ref().as_table()?.get(name)?;
            let is_it = text.get(stated.span()) == Some(value);
            is_it.then(|| (stated.span(), text.clone()))
        };
        match stated() {
            Some((span, text)) => error.at(&self.gpu, &text, span, "refused"),
            None => error,
        }
    }

    /// The file that holds the GPU, if it is of one.
    pub fn file(&self) -> Option<&Path> {
        GpuConfig::is_file(&self.gpu).then(|| Path::new(&self.gpu))
    }

    /// Sets the keys of `gpu`; returns the others.
    fn apply(&self, gpu: &mut GpuConfig) -> Result<WorkloadSettings> {
        let mut settings = WorkloadSettings::default();
        for (key, value) in self.pairs()? {
            if key.starts_with(LAPERM) || settings.set(key, value)? {
                continue;
            }
            let set = gpu.set(key, value);
            // What a GPU does not know may be nearly that of a workload.
            let strange = key.split_once('.').is_some_and(|(table, _)| !gpu.has_table(table));
            set.map_err(|error| if strange { unknown(key) } else { error.into() })?;
        }
        Ok(settings)
    }

    fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        self.set.iter().map(|setting| pair("--set", setting)).collect()
    }
}

fn unknown(key: &str) -> Report {
    let names: Vec<String> = keys::names();
    let help = asked(key, names.iter().map(String::as_str), "`blockyard list keys` shows all");
    miette!(help = help, "unknown key `{key}`")
}

/// What stands before and behind the `=` of `text`, which was given to `option`.
///
/// # Errors
/// When there is none.
pub(super) fn pair<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str), Report> {
    let pair = text.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
    pair.ok_or_else(|| {
        miette!(help = format!("expected {option} key=value"), "`{option} {text}` has no `=`")
    })
}
