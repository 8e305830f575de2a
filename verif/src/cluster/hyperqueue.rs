//! HyperQueue, by the Python package `hyperqueue`, which has to be of the server's version.

use super::{Array, Cluster};
use std::path::PathBuf;
use std::process::Command;

/// A server that is running, with its workers.
#[derive(Clone, Debug)]
pub struct HyperQueue {
    /// This program, on the workers.
    pub program: PathBuf,
}

/// Submits a task for each line of a file, and waits. The variable `HQ_SERVER_DIR` names the
/// server, as for HyperQueue's own command.
const SUBMIT: &str = r#"
import os, sys
from hyperqueue import Client, Job

folder, tasks, *words = sys.argv[1:]
job = Job(default_workdir=os.getcwd(), max_fails=None, name="blockyard")
for number, task in enumerate(open(tasks)):
    job.program([*words, task.strip()], stdout=None, stderr=os.path.join(folder, f"{number}.err"))
client = Client(os.environ.get("HQ_SERVER_DIR"))
client.wait_for_jobs([client.submit(job)], raise_on_error=False)
"#;

impl Cluster for HyperQueue {
    fn name(&self) -> &'static str {
        "hyperqueue"
    }

    fn submit(&self, array: &Array) -> Command {
        let mut command = Command::new("python3");
        command.args(["-c", SUBMIT]).arg(&array.folder).arg(array.tasks_file());
        command.arg(&self.program).args(&array.words);
        command
    }
}
