//! The `blockyard` command in a folder of its own, shared by the tests that run the whole tool.

// Every test target uses another part of it.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ended {
    /// What standard error says, in one line: without the frame, and the line breaks in sentences,
    /// of a rendered diagnostic.
    pub fn said(&self) -> String {
        let frame = |c: char| "│╭╰─▶├┬·×⚠".contains(c);
        let bare: String = self.stderr.chars().map(|c| if frame(c) { ' ' } else { c }).collect();
        bare.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A folder in which commands run, so that paths in what they print are short.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.file(name), contents).expect("a writable folder");
    }

    /// The bytes of a file.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let path = self.file(name);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    /// The names of all files and folders in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, not yet started.
    pub fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_blockyard"));
        command.args(args).current_dir(self.path()).env("NO_COLOR", "1");
        command
    }

    /// Runs `blockyard` to its end. It never panics.
    pub fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Ended {
        ended(self.command(args).output().expect("blockyard starts"))
    }

    /// As [`run`](Self::run), for a command that must succeed without a word of complaint.
    pub fn fine<A: AsRef<OsStr> + std::fmt::Debug>(&self, args: &[A]) -> Ended {
        let ended = self.run(args);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{args:?}");
        ended
    }

    /// As [`run`](Self::run), for bad use or bad input: status 2, and a diagnostic that says all
    /// of `expected`. Nothing goes to standard output.
    pub fn refused<A: AsRef<OsStr> + std::fmt::Debug>(&self, args: &[A], expected: &[&str]) {
        let ended = self.run(args);
        let said = ended.said();
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{args:?}: {said}");
        for part in expected {
            assert!(said.contains(part), "{args:?} does not say `{part}`: {said}");
        }
    }
}

/// The ending of a process that must not have panicked.
pub fn ended(output: Output) -> Ended {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("panicked"), "{stderr}");
    let status = output.status.code();
    let status = status.unwrap_or_else(|| panic!("ended by a signal: {}", output.status));
    Ended { status, stdout, stderr }
}

/// What statistics say of the run, as JSON without its end; not what they come from, which is
/// another thing for every engine.
pub fn figures(stats: &str) -> &str {
    let (figures, _) = stats.rsplit_once(",\n  \"run\": {\n").expect("what they come from");
    figures
}

/// The path of a worked example.
pub fn worked_example(name: &str) -> String {
    format!("{}/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// A line of a dispatch log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub cycle: u64,
    pub smx: usize,
    pub kernel: String,
    pub instance: u32,
    pub group: u32,
    pub x: u64,
    pub y: u64,
    pub z: u64,
}

/// The lines of a dispatch log of kernels whose names need no quotes.
pub fn lines(log: &str) -> Vec<Line> {
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some("cycle,smx,kernel,instance,group,x,y,z"));
    lines.map(line).collect()
}

fn line(text: &str) -> Line {
    let fields: Vec<&str> = text.split(',').collect();
    let number = |at: usize| -> u64 { fields[at].parse().unwrap_or_else(|_| panic!("{text}")) };
    assert_eq!(fields.len(), 8, "{text}");
    Line {
        cycle: number(0),
        smx: number(1) as usize,
        kernel: fields[2].to_owned(),
        instance: number(3) as u32,
        group: number(4) as u32,
        x: number(5),
        y: number(6),
        z: number(7),
    }
}
