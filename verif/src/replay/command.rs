//! Running a tool with limits on its time and its memory.

use super::group::Running;
use super::ReplayError;
use crate::regress::StopFlag;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a tool may run, and how much it may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience<'a> {
    /// Then it is killed; with a flag, or where this process takes Ctrl-C itself, with all that it
    /// has started.
    pub seconds: u64,
    /// It gets no more memory (address space) than so many MiB, and neither does each program that
    /// it starts; without a number, what there is. Only Linux keeps such a limit.
    pub mebibytes: Option<u64>,
    /// It is killed when this is raised, with all that it has started.
    pub stop: Option<&'a StopFlag>,
}

impl Patience<'_> {
    /// The same with more seconds.
    pub fn and(self, seconds: u64) -> Self {
        Self { seconds: self.seconds + seconds, ..self }
    }
}

/// What a tool printed, and whether it was content.
pub struct Finished {
    /// Whether it exited with status 0.
    pub success: bool,
    /// Everything on its standard output and standard error.
    pub log: String,
}

/// As [`run_until`], with a limit on its time alone.
///
/// # Errors
/// As [`run_until`].
pub fn run(
    program: &str,
    arguments: &[&str],
    directory: &Path,
    seconds: u64,
) -> Result<Finished, ReplayError> {
    run_until(program, arguments, directory, Patience { seconds, mebibytes: None, stop: None })
}

/// Runs a program in `directory`; what it prints is kept in `<directory>/<name>.log`. With a flag
/// that ends it, its temporary files are in `directory` too; with one, or where this process takes
/// Ctrl-C itself, a terminal's Ctrl-C does not reach it.
///
/// # Errors
/// When it cannot be started, reaches a limit or breaks down under one, or when the flag is raised;
/// then it is killed.
pub fn run_until(
    program: &str,
    arguments: &[&str],
    directory: &Path,
    patience: Patience,
) -> Result<Finished, ReplayError> {
    let Patience { seconds, mebibytes, stop } = patience;
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or("tool");
    let log = directory.join(format!("{name}.log"));
    let fail = |source| ReplayError::Io { what: format!("running {program}"), source };
    let output = File::create(&log).map_err(fail)?;
    let mut command = limited(program, mebibytes);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(output.try_clone().map_err(fail)?)
        .stdout(output);
    if stop.is_some() {
        // What is killed does not tidy up behind itself.
        command.env("TMPDIR", directory);
    }
    // Where this process takes Ctrl-C itself, it decides what becomes of the program.
    let leads = stop.is_some() || StopFlag::is_installed();
    let mut running = Running::start(&mut command, leads).map_err(fail)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = running.child().try_wait().map_err(fail)? {
            break status;
        }
        let stopped = stop.is_some_and(StopFlag::is_raised);
        if stopped || Instant::now() > end {
            running.kill().map_err(fail)?;
            let tool = program.to_owned();
            return Err(match stopped {
                true => ReplayError::Stopped { tool },
                false => ReplayError::Timeout { tool, seconds },
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    if let (Some(mebibytes), true) = (mebibytes, broke_down(status)) {
        return Err(ReplayError::Memory { tool: program.to_owned(), mebibytes });
    }
    let log = fs::read(&log).map_err(fail)?;
    Ok(Finished { success: status.success(), log: String::from_utf8_lossy(&log).into_owned() })
}

/// A command of the program, whose process gets no more than so many MiB. The shell sets the limit
/// and becomes the program, since to set it between fork and exec needs unsafe code here.
fn limited(program: &str, mebibytes: Option<u64>) -> Command {
    match mebibytes {
        Some(mebibytes) if cfg!(target_os = "linux") => {
            let mut command = Command::new("sh");
            let kibibytes = mebibytes.saturating_mul(1024).to_string();
            command.args(["-c", r#"ulimit -v "$0" && exec "$@""#, &kibibytes, program]);
            command
        }
        _ => Command::new(program),
    }
}

/// Whether a program was ended by a signal. Neither Yosys nor ABC says in words that memory is
/// short: one aborts, the other one uses what it was not given.
#[cfg(unix)]
fn broke_down(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some()
}

#[cfg(not(unix))]
fn broke_down(_status: ExitStatus) -> bool {
    false
}

/// Writes a file of a check.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), ReplayError> {
    fs::write(path, contents)
        .map_err(|source| ReplayError::Io { what: format!("writing {}", path.display()), source })
}

/// Reads a file that a tool wrote.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path) -> Result<String, ReplayError> {
    fs::read_to_string(path)
        .map_err(|source| ReplayError::Io { what: format!("reading {}", path.display()), source })
}

/// A folder for one run of a tool, gone with the value.
///
/// # Errors
/// When it cannot be made.
pub fn scratch() -> Result<tempfile::TempDir, ReplayError> {
    let what = || "making a temporary folder".to_owned();
    tempfile::tempdir().map_err(|source| ReplayError::Io { what: what(), source })
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
        let patience = Patience { seconds: 60, mebibytes: None, stop: Some(&flag) };
        let result = run_until("sh", &["-c", script], directory.path(), patience);
        raise.join().expect("it raises the flag");
        assert!(matches!(result, Err(ReplayError::Stopped { .. })));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!directory.path().join("late").exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_wants_more_memory_than_it_may_have_is_told_from_one_that_fails() {
        let directory = tempfile::tempdir().expect("a directory");
        let with = |mebibytes, script: &str| {
            let patience = Patience { seconds: 60, mebibytes: Some(mebibytes), stop: None };
            run_until("sh", &["-c", script], directory.path(), patience)
        };
        let limit = with(64, "ulimit -v").expect("it runs");
        assert_eq!(limit.log, "65536\n");
        let failed = with(64, "exit 3").expect("it runs");
        assert!(!failed.success);
        let broken = with(64, "kill -ABRT $$").err().expect("it breaks down");
        assert!(matches!(broken, ReplayError::Memory { mebibytes: 64, .. }), "{broken}");
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
