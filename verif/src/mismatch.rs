//! What a user gets when the engines differ: the port, the cycles around it, what happened before,
//! a way to repeat it.

mod fault;
mod last_events;
mod onlooker;
mod repeatable;
mod stem;

pub use fault::parse_fault;
pub use repeatable::Repeatable;

use crate::engine::Mismatch;
use crate::provenance::{Origin, Provenance};
use crate::regress::{catch, StopFlag};
use crate::waves::{WaveFile, Window};
use blockyard_sim::output::write_file;
use miette::{miette, Result};
use onlooker::{Onlooker, Seen};
use std::path::{Path, PathBuf};

/// Cycles before (and with) the difference that the waveform shows.
pub const WINDOW: u64 = 200;

/// Cycles after it: the run goes on as the twin says.
pub const AFTER: u64 = 20;

/// Most lines of the twin's state in the text; the waveform has more.
const STATE_LINES: usize = 40;

/// How the run was made that differs.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// The command that repeats it.
    pub command: &'a str,
    /// What it comes from, for the dump, where that is known.
    pub run: Option<&'a Provenance>,
    /// Which part of a longer case it is.
    pub part: Option<&'a Part>,
}

/// A part of a longer case.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its place in the case, in a line.
    pub name: String,
    /// The command that runs it alone.
    pub command: String,
}

/// A report that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it says.
    pub text: String,
    /// The text, the dump and its views.
    pub files: Vec<PathBuf>,
}

/// Writes `mismatch.txt` and the last [`WINDOW`] cycles of the hardware and [`AFTER`] more as
/// `mismatch.vcd` with its views into `folder`, beside what the twin says. The report of another
/// failure that is there stays: then the names begin with `mismatch-2`, and so on. The run is
/// repeated for it, with the dump's window open around the difference: a run is the same every
/// time.
///
/// # Errors
/// When the folder cannot be written to, the repeated run does something else, or `stop` is raised
/// during it.
pub fn report(
    run: &dyn Repeatable,
    found: &Mismatch,
    folder: &Path,
    made: &Made<'_>,
    stop: &StopFlag,
) -> Result<Written> {
    std::fs::create_dir_all(folder)
        .map_err(|error| miette!("cannot make the folder {}: {error}", folder.display()))?;
    let identity = identity(found, made);
    let stem = stem::choose(folder, &identity);
    let from = found.cycle.saturating_sub(WINDOW - 1);
    let to = found.cycle.saturating_add(AFTER);
    let window = Window { from, to, scopes: Vec::new(), on: Vec::new(), around: WINDOW };
    let dump = folder.join(format!("{stem}.vcd"));
    let mut wave = WaveFile::create(&dump, window, run.dumped())?.beside_the_twin(AFTER);
    if let Some(run) = made.run {
        wave = wave.about(run.line());
    }
    let (tap, seen) = Onlooker::beside(wave.tap());
    // After the difference the hardware is told of what it has not done: it may well give up.
    let _ = catch(|| run.repeat(Box::new(tap), stop));
    let seen = seen.take();
    if stop.is_raised() {
        return Err(miette!("stopped before the waveform was complete"));
    }
    if seen.differs != Some((found.cycle, found.difference.port.clone())) {
        return Err(miette!("the run did not repeat: another one found no such difference"));
    }
    let mut files = wave.finish(seen.last + 1)?;
    let last = seen.last.min(to);
    let text = text(
        &identity,
        found,
        made,
        &seen,
        &format!("{} (cycles {from} to {last})", dump.display()),
    );
    let path = folder.join(format!("{stem}.txt"));
    write_file(&path, |out| out.write_all(text.as_bytes()))?;
    files.push(path);
    Ok(Written { text: text.trim_end().to_owned(), files })
}

/// The lines that tell one failure from another.
fn identity(found: &Mismatch, made: &Made<'_>) -> Vec<String> {
    let Mismatch { cycle, difference } = found;
    vec![
        format!("mismatch in cycle {cycle}"),
        format!("  port      {}", difference.port),
        format!("  expected  {}", difference.expected),
        format!("  got       {}", difference.got),
        format!("  repeat    {}", made.command),
    ]
}

fn text(
    identity: &[String],
    found: &Mismatch,
    made: &Made<'_>,
    seen: &Seen,
    waveform: &str,
) -> String {
    let origin = Origin::here();
    let (repeat, difference) = identity.split_last().expect("it has lines");
    let mut lines = difference.to_vec();
    lines.push(format!("  waveform  {waveform}"));
    lines.push(format!("  made by   {} on {}", origin.program(), origin.host));
    if let Some(Part { name, command }) = made.part {
        lines.push(format!("  part      {name}"));
        lines.push(format!("  alone     {command}"));
    }
    lines.push(repeat.clone());
    lines.push(String::new());
    lines.push("what happened last, as the twin has it".to_owned());
    lines.extend(seen.events.lines().map(|line| format!("  {line}")));
    let mut state = seen.state.lines();
    let shown: Vec<&str> = state.by_ref().take(STATE_LINES).collect();
    if !shown.is_empty() {
        lines.push(String::new());
        lines.push(format!("the twin before cycle {}", found.cycle));
        lines.extend(shown.iter().map(|line| format!("  {line}")));
        let more = state.count();
        lines.extend((more > 0).then(|| format!("  and {more} lines more, in the waveform")));
    }
    lines.join("\n") + "\n"
}
