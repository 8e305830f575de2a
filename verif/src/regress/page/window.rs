//! The wave window of a failure as a picture: the ports of the design over the last cycles.

use crate::page::Part;
use crate::story::port_signals;
use blockyard_waves::{picture as drawn, Dump};
use miette::{miette, Result};
use std::path::Path;

/// Cycles that are shown, and most signals.
const CYCLES: u64 = 32;
const SIGNALS: usize = 40;

/// The picture of the dump at `path`, in which the port that `message` names is marked.
///
/// # Errors
/// When it cannot be read.
pub(super) fn picture(path: &Path, message: &str) -> Result<Part> {
    let dump = Dump::open(path).map_err(|error| miette!("{error}"))?;
    let end = dump.times().last().copied().unwrap_or(0);
    let last = end.saturating_sub(1);
    let first = last.saturating_sub(CYCLES - 1).max(dump.times().first().copied().unwrap_or(0));
    let wanted = port(message).map(|port| port_signals(&port));
    let is_marked = |path: &str| wanted.as_ref().is_some_and(|is_wanted| is_wanted(path));
    let ports = dump.signals().filter(|signal| !signal.is_text && is_port(&signal.path));
    let changes = |path: &str| {
        let value = |cycle| dump.value(path, cycle).ok().flatten();
        let begin = value(first);
        (first..=last).any(|cycle| value(cycle) != begin)
    };
    let paths = ports.map(|signal| signal.path.as_str());
    let mut paths: Vec<&str> = paths.filter(|path| is_marked(path) || changes(path)).collect();
    // What differs is never among those that are left out.
    paths.sort_by_key(|path| !is_marked(path));
    let found = paths.len();
    paths.truncate(SIGNALS);
    let svg = drawn(&dump, &paths, first..=last, is_marked).map_err(|error| miette!("{error}"))?;
    let mut caption = format!(
        "Ports that change in cycles {first} to {last}, of the hardware; those that differ from \
         the twin's come first, with an arrow. Whole: {}",
        path.display()
    );
    if found > SIGNALS {
        caption = format!("The first {SIGNALS} of {found}. {caption}");
    }
    Ok(Part::Picture { svg, caption })
}

/// `dispatch[3]` of `cycle 41: port dispatch[3]: expected ...`.
fn port(message: &str) -> Option<String> {
    let (_, rest) = message.split_once(": port ")?;
    Some(rest.split_once(':')?.0.to_owned())
}

/// Directly below the top.
fn is_port(path: &str) -> bool {
    path.strip_prefix("top.").is_some_and(|name| !name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_known_from_the_message() {
        let port =
            port("mismatch on dispatch\ncycle 9: port dispatch[3]: expected no block, got x");
        assert_eq!(port.as_deref(), Some("dispatch[3]"));
        assert!(is_port("top.dispatch_3_valid") && !is_port("top.dispatcher.x"));
    }
}
