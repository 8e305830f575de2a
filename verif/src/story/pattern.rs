//! Patterns of signal paths.

use blockyard_waves::DumpSignal;
use globset::{Glob, GlobMatcher};

/// One to three digits, as a glob.
const NUMBER: &str = "{[0-9],[0-9][0-9],[0-9][0-9][0-9]}";

/// The signals of a design under the name `top` that a pattern means: those of the whole or, where
/// it has none, those of the `scheduler` that is behind its Kernel Management Unit.
///
/// # Panics
/// When it is no pattern; a test reads them all.
pub fn find<'a>(
    pattern: &str,
    signals: &'a [DumpSignal],
) -> impl Iterator<Item = &'a DumpSignal> + 'a {
    let mut of_top = matching(glob("top", pattern), signals).peekable();
    let behind = match of_top.peek() {
        Some(_) => None,
        None => Some(matching(glob("top.scheduler", pattern), signals)),
    };
    of_top.chain(behind.into_iter().flatten())
}

fn matching(glob: String, signals: &[DumpSignal]) -> impl Iterator<Item = &DumpSignal> {
    // Most signals differ from a pattern before its first wildcard, and there are thousands;
    // matchers take long to build, and many patterns need none.
    let plain = glob.find(['*', '?', '[', '{']).unwrap_or(glob.len());
    let mut matches = None;
    signals.iter().filter(move |signal| {
        if plain == glob.len() {
            return signal.path == glob;
        }
        signal.path.starts_with(&glob[..plain])
            && matches.get_or_insert_with(|| matcher(&glob)).is_match(&signal.path)
    })
}

fn glob(within: &str, pattern: &str) -> String {
    format!("{within}.{}", pattern.replace('#', NUMBER))
}

fn matcher(glob: &str) -> GlobMatcher {
    Glob::new(glob).unwrap_or_else(|error| panic!("{glob}: {error}")).compile_matcher()
}
