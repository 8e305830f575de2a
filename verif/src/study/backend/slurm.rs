//! Slurm, by `sbatch`.

use super::{Array, Cluster};
use crate::regress::quoted;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The cluster that `sbatch` submits to.
#[derive(Clone, Debug)]
pub struct Slurm {
    /// This program, on the nodes.
    pub program: PathBuf,
}

impl Cluster for Slurm {
    fn name(&self) -> &'static str {
        "slurm"
    }

    fn submit(&self, array: &Array) -> Command {
        let word = |path: &Path| quoted(&path.to_string_lossy());
        let range = format!("sed -n $((SLURM_ARRAY_TASK_ID+1))p {}", word(&array.tasks_file()));
        let (program, folder) = (word(&self.program), word(&array.folder));
        let mut command = Command::new("sbatch");
        command.args(["--wait", "--requeue", "--job-name=blockyard"]);
        command.arg(format!("--array=0-{}", array.tasks.len() - 1));
        command.arg(format!("--output={}/%a.err", array.folder.display()));
        command.arg(format!("--wrap=exec {program} study task {folder} $({range})"));
        command
    }
}
