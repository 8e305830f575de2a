//! Running a tool with a limit on its time.

use super::ReplayError;
use crate::regress::StopFlag;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a tool may run.
#[derive(Clone, Copy, Debug)]
pub struct Patience<'a> {
    /// Then it is killed.
    pub seconds: u64,
    /// It is killed when this is raised, with all that it has started.
    pub stop: Option<&'a StopFlag>,
}

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
    run_until(program, arguments, directory, Patience { seconds, stop: None })
}

/// As [`run`], ended by a flag as well; with one, the tool's temporary files are in `directory` too.
///
/// # Errors
/// As [`run`], or when the flag is raised.
pub fn run_until(
    program: &str,
    arguments: &[&str],
    directory: &Path,
    patience: Patience,
) -> Result<Finished, ReplayError> {
    let Patience { seconds, stop } = patience;
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or("tool");
    let log = directory.join(format!("{name}.log"));
    let fail = |source| ReplayError::Io { what: format!("running {program}"), source };
    let output = File::create(&log).map_err(fail)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(output.try_clone().map_err(fail)?)
        .stdout(output);
    if stop.is_some() {
        // What is killed does not tidy up behind itself.
        command.env("TMPDIR", directory);
        lead_a_group(&mut command);
    }
    let mut child = command.spawn().map_err(fail)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            break status;
        }
        let stopped = stop.is_some_and(StopFlag::is_raised);
        if stopped || Instant::now() > end {
            match stop {
                Some(_) => kill_group(&mut child).map_err(fail)?,
                None => child.kill().map_err(fail)?,
            }
            child.wait().map_err(fail)?;
            let tool = program.to_owned();
            return Err(match stopped {
                true => ReplayError::Stopped { tool },
                false => ReplayError::Timeout { tool, seconds },
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let log = fs::read(&log).map_err(fail)?;
    Ok(Finished { success: status.success(), log: String::from_utf8_lossy(&log).into_owned() })
}

/// Yosys starts ABC, which would go on alone if only Yosys were killed.
#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
fn kill_group(child: &mut Child) -> std::io::Result<()> {
    use nix::sys::signal::{killpg, Signal};
    let group = i32::try_from(child.id()).map_err(std::io::Error::other)?;
    Ok(killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL)?)
}

#[cfg(not(unix))]
fn lead_a_group(_command: &mut Command) {}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) -> std::io::Result<()> {
    child.kill()
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

    #[cfg(unix)]
    #[test]
    fn a_flag_ends_a_program_and_what_it_has_started() {
        let directory = tempfile::tempdir().expect("a directory");
        let flag = StopFlag::new();
        let seen = flag.clone();
        let begun = directory.path().join("begun");
        let raise = std::thread::spawn(move || {
            while !begun.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            seen.raise();
        });
        let script = "(sleep 1; touch late) & touch begun; wait";
        let patience = Patience { seconds: 60, stop: Some(&flag) };
        let result = run_until("sh", &["-c", script], directory.path(), patience);
        raise.join().expect("it raises the flag");
        assert!(matches!(result, Err(ReplayError::Stopped { .. })));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!directory.path().join("late").exists());
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
