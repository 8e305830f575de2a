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
        let words: Vec<String> = array.words.iter().map(|word| quoted(word)).collect();
        let (program, words) = (word(&self.program), words.join(" "));
        let mut command = Command::new("sbatch");
        command.args(["--wait", "--requeue", "--job-name=blockyard"]);
        command.arg(format!("--array=0-{}", array.tasks.len() - 1));
        command.arg(format!("--output={}/%a.err", array.folder.display()));
        command.arg(format!("--wrap=exec {program} {words} $({range})"));
        command
    }
}
