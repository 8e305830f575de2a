//! `--wave` and what goes with it.

use super::RunArgs;
use crate::cli::complain;
use crate::provenance::Provenance;
use crate::session::{Engine, Session};
use crate::waves::{Dumped, WaveFile, Window};
use miette::{miette, Result};

/// The dump of a session that the options ask for; it says what it comes from.
///
/// # Errors
/// See [`wave_file`].
pub fn wave(
    args: &RunArgs,
    session: &Session,
    comes_from: Option<&Provenance>,
) -> Result<Option<WaveFile>> {
    let file = wave_file(args, session.engine, session.into())?;
    Ok(file.map(|file| match comes_from {
        Some(provenance) => file.about(provenance.line()),
        None => file,
    }))
}

/// The dump that the options ask for.
///
/// # Errors
/// An engine without signals, an empty window, or a file that cannot be written.
pub fn wave_file(args: &RunArgs, engine: Engine, of: Dumped<'_>) -> Result<Option<WaveFile>> {
    let Some(path) = &args.wave else { return Ok(None) };
    if engine == Engine::Golden {
        return Err(miette!(
            help = "use --engine rtl or --engine lockstep",
            "the golden engine has no hardware whose signals could be dumped"
        ));
    }
    let window = Window {
        from: args.wave_from.unwrap_or(0),
        to: args.wave_to.unwrap_or(u64::MAX),
        scopes: args.wave_scope.clone(),
        on: args.wave_on.clone(),
        around: args.wave_around,
    };
    if window.from > window.to {
        return Err(miette!(
            help = "expected --wave-from at most --wave-to",
            "the window of the dump from {} to {} is empty",
            window.from,
            window.to
        ));
    }
    WaveFile::create(path, window, of).map(Some)
}

/// Keeps the dump of a run whose check failed, or that was stopped, in `cycle`; why that cannot be
/// done matters less.
pub fn keep(wave: Option<WaveFile>, cycle: u64) {
    if let Some(Err(error)) = wave.map(|wave| wave.finish(cycle.saturating_add(1))) {
        complain(&format!("{error:?}"));
    }
}
