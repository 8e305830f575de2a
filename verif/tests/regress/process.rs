//! Real processes: some that die in the middle, and some that get Ctrl-C or `SIGTERM`.
//!
//! The process is this test binary again, told by the environment to run only [`child`].

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use blockyard::regress::{main, Case, Outcome, RegressArgs};
use clap::Parser;

use super::suite;

const FOLDER: &str = "BLOCKYARD_TEST_REGRESS_FOLDER";

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: RegressArgs,
}

/// Notes in the file `ran` that a case has started.
fn note(folder: &Path, id: &str) {
    let path = folder.join("ran");
    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
    writeln!(file, "{id}").unwrap();
}

/// Four cases; the third ends the process if the file `die` is there, and waits for the stop flag
/// if the file `wait` is. If the file `tool` is, the first one runs a tool that starts another
/// program, for a minute.
fn child_suite(folder: &Path) -> blockyard::regress::Suite {
    let case = |i: u32| {
        let folder = folder.to_owned();
        Case::new(format!("case{i}"), 9 - i, move |context| {
            note(&folder, &format!("case{i}"));
            if i == 0 && fs::remove_file(folder.join("tool")).is_ok() {
                let script = "(touch waiting; sleep 2; touch late; sleep 60) & wait";
                let ended = blockyard::replay::run("sh", &["-c", script], &folder, 120);
                return Outcome::failed(format!("{:?}", ended.err()), 0);
            }
            if i == 2 && fs::remove_file(folder.join("die")).is_ok() {
                std::process::exit(77);
            }
            if i == 2 && fs::remove_file(folder.join("wait")).is_ok() {
                fs::write(folder.join("waiting"), "").unwrap();
                // Bounded only so that no process stays behind if the test itself fails.
                for _ in 0..6000 {
                    if context.stop.is_raised() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
            Outcome::passed(u64::from(i))
        })
    };
    suite((0..4).map(case).collect())
}

/// Does nothing unless a test of this file has started this process.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        assert!(Cli::try_parse_from(["regress"]).is_ok());
        return;
    };
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    let cli = Cli::parse_from(["regress", "--jobs", "1", "--resume", "--out", out]);
    let status = main(&cli.args, vec![child_suite(&folder)]).unwrap();
    std::process::exit(i32::from(status.code()));
}

fn start(folder: &Path) -> Command {
    with_test(folder, Command::new(std::env::current_exe().unwrap()))
}

/// As [`start`], in the way of a background job of a shell script: with the signal ignored.
#[cfg(unix)]
fn start_in_background(folder: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"trap "" INT; exec "$0" "$@""#]).arg(std::env::current_exe().unwrap());
    with_test(folder, shell)
}

fn with_test(folder: &Path, mut command: Command) -> Command {
    command
        .args(["--exact", "process::child", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn ran(folder: &Path) -> String {
    fs::read_to_string(folder.join("ran")).unwrap().replace('\n', " ")
}

#[test]
fn a_process_that_dies_keeps_what_is_finished_and_its_lock_dies_with_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("die"), "").unwrap();
    assert_eq!(start(folder.path()).status().unwrap().code(), Some(77));
    let output = start(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text.contains("4 cases, 4 passed, 0 failed"), "{text}");
    assert!(text.contains("2 results from the journal"), "{text}");
    assert_eq!(ran(folder.path()), "case0 case1 case2 case2 case3 ");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_case_and_ends_with_130() {
    interrupt(start, "INT");
}

#[cfg(unix)]
#[test]
fn a_termination_does_as_ctrl_c_does() {
    interrupt(start, "TERM");
}

#[cfg(unix)]
#[test]
fn a_run_that_starts_with_the_signal_ignored_can_be_interrupted_too() {
    interrupt(start_in_background, "INT");
}

#[cfg(unix)]
fn interrupt(start: fn(&Path) -> Command, signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wait"), "").unwrap();
    let mut child = start(folder.path()).spawn().unwrap();
    await_case(folder.path(), &mut child);
    send(signal, &child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(text.contains("3 passed, 0 failed, 0 skipped, 1 not run"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("[3/4] passed"), "{output:?}");

    let output = start(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(ran(folder.path()), "case0 case1 case2 case3 ");
}

/// Waits until a case of `child` waits.
#[cfg(unix)]
fn await_case(folder: &Path, child: &mut Child) {
    while !folder.join("waiting").exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended before the signal");
        std::thread::yield_now();
    }
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_the_tools_as_well() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tool"), "").unwrap();
    let mut child = start(folder.path()).spawn().unwrap();
    await_case(folder.path(), &mut child);
    send("TERM", &child);
    // The first one has been seen when this is said.
    let mut said = String::new();
    let stderr = child.stderr.take().unwrap();
    let mut lines = BufReader::new(stderr).lines();
    while !said.contains("stopping when the running cases are finished") {
        said = lines.next().expect("it is said").unwrap();
    }
    send("TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!folder.path().join("late").exists(), "what the tool has started goes on");
}
