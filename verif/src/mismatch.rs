//! What a user gets when the engines differ: the port, the cycles around it, a way to repeat it.

use crate::engine::Mismatch;
use crate::provenance::{Origin, Provenance};
use crate::regress::StopFlag;
use crate::session::{Session, SessionError};
use crate::waves::{WaveFile, Window};
use blockyard_sim::output::write_file;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::Fault;
use miette::{miette, Report, Result};
use std::path::{Path, PathBuf};

/// Cycles before (and with) the difference that the waveform shows.
pub const WINDOW: u64 = 200;

/// How the run was made that differs.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// The command that repeats it.
    pub command: &'a str,
    /// What it comes from, for the dump, where that is known.
    pub run: Option<&'a Provenance>,
}

/// A report that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it says.
    pub text: String,
    /// The text, the dump and its views.
    pub files: Vec<PathBuf>,
}

/// Writes `mismatch.txt` and the last [`WINDOW`] cycles of the hardware as `mismatch.vcd` with its
/// views into `folder`. The run is repeated for it, with the dump's window open around the
/// difference: a run is the same every time.
///
/// # Errors
/// When the folder cannot be written to, or the repeated run does something else.
pub fn report(
    session: &Session,
    found: &Mismatch,
    folder: &Path,
    command: &str,
) -> Result<Written> {
    let made = Made { command, run: None };
    report_until(session, found, folder, &made, &StopFlag::new())
}

/// As [`report`], unless `stop` is raised during the repeated run.
///
/// # Errors
/// As [`report`], and when the flag is raised.
pub fn report_until(
    session: &Session,
    found: &Mismatch,
    folder: &Path,
    made: &Made<'_>,
    stop: &StopFlag,
) -> Result<Written> {
    std::fs::create_dir_all(folder)
        .map_err(|error| miette!("cannot make the folder {}: {error}", folder.display()))?;
    let from = found.cycle.saturating_sub(WINDOW - 1);
    let window =
        Window { from, to: found.cycle, scopes: Vec::new(), on: Vec::new(), around: WINDOW };
    let mut wave = WaveFile::create(&folder.join("mismatch.vcd"), window, session)?;
    if let Some(run) = made.run {
        wave = wave.about(run.line());
    }
    match session.run_until(Some(wave.tap()), stop) {
        Err(SessionError::Mismatch(again)) if again == *found => {}
        _ if stop.is_raised() => return Err(miette!("stopped before the waveform was complete")),
        _ => return Err(miette!("the run did not repeat: another one found no such difference")),
    }
    let mut files = wave.finish(found.cycle + 1)?;
    let origin = Origin::here();
    let text = format!(
        "mismatch in cycle {}\n  port      {}\n  expected  {}\n  got       {}\n  \
         waveform  {} (cycles {from} to {})\n  made by   {} on {}\n  repeat    {}",
        found.cycle,
        found.difference.port,
        found.difference.expected,
        found.difference.got,
        folder.join("mismatch.vcd").display(),
        found.cycle,
        origin.program(),
        origin.host,
        made.command,
    );
    let path = folder.join("mismatch.txt");
    write_file(&path, |out| writeln!(out, "{text}"))?;
    files.push(path);
    Ok(Written { text, files })
}

/// A fault as the command line names it: `wrong-credit:ENTRY,SMX,CYCLE` or
/// `lost-completion:SMX,CYCLE`.
///
/// # Errors
/// Anything else, with what was expected.
pub fn parse_fault(text: &str) -> Result<Fault> {
    let refused = || -> Report {
        miette!(
            help = "expected wrong-credit:ENTRY,SMX,CYCLE or lost-completion:SMX,CYCLE",
            "`{text}` is not a fault"
        )
    };
    let (kind, numbers) = text.split_once(':').ok_or_else(refused)?;
    let numbers: Option<Vec<u64>> = numbers.split(',').map(|number| number.parse().ok()).collect();
    match (kind, numbers.as_deref()) {
        ("wrong-credit", Some(&[entry, smx, cycle])) => Ok(Fault::WrongCredit {
            kernel: KernelEntry(u8::try_from(entry).map_err(|_| refused())?),
            smx: smx as usize,
            cycle,
        }),
        ("lost-completion", Some(&[smx, cycle])) => {
            Ok(Fault::LostCompletion { smx: smx as usize, cycle })
        }
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faults_are_read() {
        assert_eq!(
            parse_fault("wrong-credit:3,1,250").expect("a fault"),
            Fault::WrongCredit { kernel: KernelEntry(3), smx: 1, cycle: 250 }
        );
        assert_eq!(
            parse_fault("lost-completion:0,7").expect("a fault"),
            Fault::LostCompletion { smx: 0, cycle: 7 }
        );
    }

    #[test]
    fn anything_else_is_refused_with_the_two_forms() {
        for text in [
            "",
            "wrong-credit",
            "wrong-credit:1,2",
            "lost-completion:1,2,3",
            "x:1,2",
            "wrong-credit:256,0,0",
        ] {
            let error = parse_fault(text).expect_err(text);
            assert!(error.help().expect("help").to_string().contains("lost-completion:SMX"));
        }
    }
}
