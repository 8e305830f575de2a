//! The files that the runs of a study read: with others, they are other runs.

use super::plan::{Plan, Planned};
use crate::cli::kernel_file::kernels;
use crate::provenance::{named_inputs, workload_inputs, Input};
use crate::session::Workload;
use miette::Result;
use std::collections::HashSet;
use std::path::PathBuf;

impl Plan {
    /// The files that the runs read, each once, as they are now. Those that cannot be read are left
    /// out: the runs that need them fail, and say why.
    pub fn inputs(&self) -> Vec<Input> {
        self.files().into_iter().filter_map(|path| Input::read(path).ok()).collect()
    }

    /// The files that the runs read, each once.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut asked = HashSet::new();
        let mut known = HashSet::new();
        let mut files = Vec::new();
        for planned in &self.runs {
            let spec = &planned.spec;
            if asked.insert((&spec.gpu.gpu, &spec.source, &spec.kernel, &spec.input, spec.launch)) {
                files.extend(planned.files().into_iter().filter(|file| known.insert(file.clone())));
            }
        }
        files
    }
}

impl Planned {
    /// What options name, and what that names as far as it can be read.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = named_inputs(&self.spec);
        let named = self
            .workload()
            .and_then(|workload| workload.as_ref().map_or(Ok(Vec::new()), workload_inputs));
        // A list that names what is not there is read itself.
        files.extend(named.unwrap_or_else(|_| self.spec.source.trace.iter().cloned().collect()));
        files
    }

    /// The workload, if it is one that names files.
    fn workload(&self) -> Result<Option<Workload>> {
        let source = &self.spec.source;
        if let Some(path) = &source.trace {
            return Ok(Some(Workload::Trace(path.clone())));
        }
        let Some(path) = &source.kernel else { return Ok(None) };
        let kernels = kernels(path, &self.spec.kernel, self.spec.launch.into())?;
        Ok(Some(Workload::KernelFile(kernels)))
    }
}
