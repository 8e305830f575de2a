//! The events around which something is dumped.

use super::Dumped;
use crate::story::{Event, Story};
use miette::{miette, Result};

/// Events that are told in words when signals say so; ports tell the others.
pub const SIGNALLED: [Event; 4] = [Event::Refill, Event::Refuse, Event::Steal, Event::Backup];

/// Whether the scheduler, behind this engine, has all these events.
///
/// # Errors
/// The first that it does not have, with those that it has.
pub fn check_events(on: &[Event], story: &Story, of: Dumped<'_>) -> Result<()> {
    let mut known = story.events();
    if of.is_lockstep {
        known.push(Event::Mismatch);
    }
    let Some(unknown) = on.iter().find(|event| !known.contains(event)) else { return Ok(()) };
    let known: Vec<String> = known.iter().map(Event::to_string).collect();
    Err(miette!(
        help = format!("expected one of: {}", known.join(", ")),
        "there is no event `{unknown}` in a run of {}",
        of.scheduler
    ))
}
