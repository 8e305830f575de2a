//! Running a tool with a limit on its time.

use super::ReplayError;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a tool printed, and whether it was content.
pub struct Finished {
    /// Whether it exited with status 0.
    pub success: bool,
    /// Everything on its standard output and standard error.
    pub log: String,
}

/// Runs a program in `directory`; what it prints is kept in `<directory>/<name>.log`.
///
/// # Errors
/// When it cannot be started, or runs for more than `seconds`; then it is killed.
pub fn run(
    program: &str,
    arguments: &[&str],
    directory: &Path,
    seconds: u64,
) -> Result<Finished, ReplayError> {
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or("tool");
    let log = directory.join(format!("{name}.log"));
    let fail = |source| ReplayError::Io { what: format!("running {program}"), source };
    let output = File::create(&log).map_err(fail)?;
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(output.try_clone().map_err(fail)?)
        .stdout(output)
        .spawn()
        .map_err(fail)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            break status;
        }
        if Instant::now() > end {
            child.kill().map_err(fail)?;
            child.wait().map_err(fail)?;
            return Err(ReplayError::Timeout { tool: program.to_owned(), seconds });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let log = fs::read(&log).map_err(fail)?;
    Ok(Finished { success: status.success(), log: String::from_utf8_lossy(&log).into_owned() })
}

/// Writes a file of a check.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), ReplayError> {
    fs::write(path, contents)
        .map_err(|source| ReplayError::Io { what: format!("writing {}", path.display()), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_runs_too_long_is_stopped() {
        let directory = tempfile::tempdir().expect("a directory");
        let result = run("sleep", &["60"], directory.path(), 0);
        assert!(matches!(result, Err(ReplayError::Timeout { .. })));
    }

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let finished = run("sh", &["-c", "echo a; echo b >&2; exit 3"], directory.path(), 60);
        let finished = finished.expect("it runs");
        assert!(!finished.success);
        assert_eq!(finished.log, "a\nb\n");
    }
}
