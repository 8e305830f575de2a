//! `kernelslist.g`: what the host does, one command a line.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::fault::{shown, Fault, Parsed};
use super::fields::Fields;
use super::lines::Lines;
use super::source;
use crate::diagnostic::InputError;
use crate::gpu::host::HostCopy;

/// A command of the list that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `MemcpyHtoD,address,bytes`
    Copy(HostCopy),
    /// The trace of a kernel, in this file.
    Kernel(PathBuf),
}

const COMMANDS: &str =
    "a kernel's trace (`kernel-1.traceg`, `.traceg.xz` or `.tracez`) or `MemcpyHtoD,address,bytes`";

/// The commands of the list `path`. The trace of a single kernel (`.traceg`, `.traceg.xz`,
/// `.tracez`) is a list of itself.
///
/// # Errors
/// When the list cannot be read, a line is no command, or no kernel is in it.
pub(super) fn read(path: &Path) -> Result<Vec<Command>, InputError> {
    if is_trace(&path.to_string_lossy()) {
        return Ok(vec![Command::Kernel(path.to_owned())]);
    }
    let path: Rc<Path> = path.into();
    let (lines, _) = source::open(&path)?;
    parse(lines)
}

/// The files of the trace `path`: its list, if it has one, and those of its kernels in its order,
/// each once.
///
/// # Errors
/// When the list cannot be read, a line is no command, or no kernel is in it.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, InputError> {
    let mut files = vec![path.to_owned()];
    for command in read(path)? {
        match command {
            Command::Kernel(file) if !files.contains(&file) => files.push(file),
            Command::Kernel(_) | Command::Copy(_) => {}
        }
    }
    Ok(files)
}

fn parse(mut lines: Lines) -> Result<Vec<Command>, InputError> {
    let path = Rc::clone(lines.path());
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut commands = Vec::new();
    while let Some(line) = lines.next_filled()? {
        match command(line.text, &folder) {
            Ok(found) => commands.extend(found),
            Err(fault) => return Err(fault.at(&path, line.number, line.text)),
        }
    }
    if !commands.iter().any(|command| matches!(command, Command::Kernel(_))) {
        let problem = format!("{}: there is no kernel in the list", path.display());
        return Err(InputError::new(problem).help(format!("expected lines with {COMMANDS}")));
    }
    Ok(commands)
}

fn command(text: &[u8], folder: &Path) -> Parsed<Option<Command>> {
    let start = text.len() - text.trim_ascii_start().len();
    let span = start..start + text.trim_ascii().len();
    let Ok(word) = std::str::from_utf8(&text[span.clone()]) else {
        let problem = format!("`{}` is not text", shown(&text[span.clone()]));
        return Err(Fault::new(span, problem, COMMANDS));
    };
    if word.starts_with("Memcpy") {
        let copy = memcpy(text)?;
        return Ok(word.starts_with("MemcpyHtoD").then_some(Command::Copy(copy)));
    }
    if is_trace(word) {
        let file = folder.join(word);
        return match file.metadata() {
            Ok(_) => Ok(Some(Command::Kernel(file))),
            Err(error) => {
                let problem = format!("cannot read {}: {error}", file.display());
                Err(Fault::new(span, problem, "a file that is there, from the folder of the list"))
            }
        };
    }
    let problem = format!("`{}` is not a command", shown(word.as_bytes()));
    Err(Fault::new(span, problem, COMMANDS))
}

/// The address and the size of `MemcpyXtoY,address,bytes`.
fn memcpy(text: &[u8]) -> Parsed<HostCopy> {
    // The columns are as wide as before, so places in the line stay right.
    let spaced: Vec<u8> = text.iter().map(|&b| if b == b',' { b' ' } else { b }).collect();
    let mut fields = Fields::new(&spaced);
    fields.word("the copy", COMMANDS)?;
    let address = fields.address("the address of the copy")?;
    let bytes = fields.decimal("the size of the copy in bytes", u64::MAX)?;
    fields.end("`MemcpyHtoD,address,bytes`")?;
    if address.checked_add(bytes.saturating_sub(1)).is_none() {
        let problem =
            format!("{bytes} bytes from 0x{address:x} on are more than there are addresses");
        return Err(Fault::new(0..text.len(), problem, "an end of at most 2^64"));
    }
    Ok(HostCopy { address, bytes })
}

fn is_trace(name: &str) -> bool {
    [".traceg", ".traceg.xz", ".tracez"].iter().any(|end| name.ends_with(end))
}
