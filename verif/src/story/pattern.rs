//! Patterns of signal paths.

use blockyard_waves::DumpSignal;
use globset::{Glob, GlobMatcher};

/// One or two digits, as a glob.
const NUMBER: &str = "{[0-9],[0-9][0-9]}";

/// The signals of a design under the name `top` that a pattern means.
///
/// # Panics
/// When it is no pattern; a test reads them all.
pub fn find<'a>(
    pattern: &str,
    signals: &'a [DumpSignal],
) -> impl Iterator<Item = &'a DumpSignal> + 'a {
    let matcher = matcher(pattern);
    signals.iter().filter(move |signal| matcher.is_match(&signal.path))
}

fn matcher(pattern: &str) -> GlobMatcher {
    let glob = format!("top.{}", pattern.replace('#', NUMBER));
    Glob::new(&glob).unwrap_or_else(|error| panic!("{pattern}: {error}")).compile_matcher()
}
