//! Reading back what a result comes from, to repeat its run.

use super::{Input, Origin};
use crate::cli::run_spec::RunSpec;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::plain::plain;
use miette::{miette, Result};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// What a statistics file says under `run`, of any version.
#[derive(Clone, Debug, Deserialize)]
pub struct Recorded {
    #[serde(flatten)]
    origin: Origin,
    gpu: Value,
    inputs: Vec<Input>,
    /// The options that repeat the run.
    pub options: RunSpec,
}

impl Recorded {
    /// What the statistics file at `path` comes from.
    ///
    /// # Errors
    /// When it cannot be read, or is no such file.
    pub fn read(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Statistics {
            run: Option<Recorded>,
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::file("read", path, &error))?;
        let help = "expected what `blockyard run --stats F.json` writes";
        let read: Statistics = serde_json::from_str(&text).map_err(|error| {
            let (path, line, column) = (path.display(), error.line(), error.column());
            let said = error.to_string();
            let (said, _) = said.rsplit_once(" at line ").unwrap_or((&said, ""));
            let said = plain(said);
            InputError::new(format!("{path}, line {line} column {column}: {said}")).help(help)
        })?;
        read.run.ok_or_else(|| {
            miette!(help = help, "{} does not say what it comes from: no key `run`", path.display())
        })
    }

    /// Whether every input is what it was.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check_inputs(&self) -> Result<()> {
        self.inputs.iter().try_for_each(Input::check)
    }

    /// What the user should know if this program is not the one that made it: by which it was made,
    /// and which keys of its GPU are others than those of `gpu`.
    pub fn remark(&self, gpu: &GpuConfig) -> Option<String> {
        let (then, now) = (&self.origin, Origin::here());
        let mut lines = Vec::new();
        if (&then.version, &then.revision) != (&now.version, &now.revision) {
            lines.push(format!("it was made by {}, and this is {}", then.program(), now.program()));
        }
        let gpu = serde_json::to_value(gpu).unwrap_or_default();
        let (then, now) = (keys(&self.gpu), keys(&gpu));
        for (key, was) in &then {
            let is = now.iter().find(|(name, _)| name == key).map(|(_, value)| value);
            match is {
                Some(is) if is == was => {}
                Some(is) => lines.push(format!("{key} of its GPU was {was}, and is {is}")),
                None => lines.push(format!("{key} of its GPU was {was}, and is no key any more")),
            }
        }
        (!lines.is_empty()).then(|| lines.join("\nnote: "))
    }
}

/// `table.key` with its value, of tables of keys.
fn keys(gpu: &Value) -> Vec<(String, &Value)> {
    let mut all = Vec::new();
    for (table, keys) in gpu.as_object().into_iter().flatten() {
        let keys = keys.as_object().into_iter().flatten();
        all.extend(keys.map(|(key, value)| (format!("{table}.{key}"), value)));
    }
    all
}
