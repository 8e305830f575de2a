//! What blocks do when their work is done: `setup` and `cancels` (`docs/launch-control.md`).

use super::check::{number, Named};
use super::file::RawKernel;
use super::overlap::longest;
use super::{DurationSpec, Source};
use crate::diagnostic::InputError;
use crate::gpu::host::Persistence;

/// What the kernel named `kernel` states, whose blocks run for `duration`.
pub fn persistence(
    source: &Source,
    kernel: &str,
    raw: &RawKernel,
    duration: &DurationSpec,
) -> Result<Persistence, InputError> {
    let named = Named { what: "setup", kernel };
    let within = |value| number(source, value, named, 0..=longest(duration));
    Ok(Persistence {
        setup: raw.setup.as_ref().map(within).transpose()?.unwrap_or(0),
        cancels: raw.cancels.as_ref().is_some_and(|cancels| *cancels.get_ref()),
    })
}
