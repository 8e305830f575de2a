//! How kernels of one stream overlap: programmatic dependent launches (`docs/dependent.md`).

use toml::Spanned;

use super::check::{number, Named};
use super::file::RawKernel;
use super::{DurationSpec, KernelSpec, Source, Span, MAX_CYCLES};
use crate::diagnostic::InputError;
use crate::gpu::host::Overlap;

/// What the kernel named `kernel` states, whose blocks run for `duration`.
pub fn overlap(
    source: &Source,
    kernel: &str,
    raw: &RawKernel,
    duration: &DurationSpec,
) -> Result<Overlap, InputError> {
    let dependent = raw.dependent.as_ref().is_some_and(|dependent| *dependent.get_ref());
    let longest = longest(duration);
    let cycles = |value: &Option<Spanned<i64>>, what, least| {
        let within = |value| number(source, value, Named { what, kernel }, least..=longest);
        value.as_ref().map(within).transpose()
    };
    if let (false, Some(prologue)) = (dependent, &raw.prologue) {
        let message = format!("kernel `{kernel}` has a prologue, but is no dependent");
        let expected = "expected `dependent = true` with it";
        return Err(source.error(&prologue.span(), message, expected));
    }
    Ok(Overlap {
        dependent,
        trigger: cycles(&raw.trigger, "trigger", 1)?,
        prologue: cycles(&raw.prologue, "prologue", 0)?,
    })
}

/// The longest that a block can run for `duration`, or what is beyond all where that is drawn: what
/// comes after the end of a block counts as that.
pub fn longest(duration: &DurationSpec) -> u64 {
    match duration {
        DurationSpec::Uniform(cycles) => *cycles,
        DurationSpec::Each(list) => list.iter().copied().max().unwrap_or(MAX_CYCLES),
        DurationSpec::Normal { .. } => MAX_CYCLES,
    }
}

/// Whether a kernel that states in `span` to be a dependent has one before it in its stream, among
/// those `before` it.
pub fn follows(
    source: &Source,
    before: &[KernelSpec],
    kernel: &KernelSpec,
    span: &Span,
) -> Result<(), InputError> {
    let name = &kernel.name;
    let Some(stream) = kernel.stream else {
        let message = format!("kernel `{name}` is a dependent and has a stream of its own");
        let error = source.error(span, message, "expected `stream` with it");
        return Err(error.help("a dependent follows the kernel before it in its stream"));
    };
    if before.iter().any(|other| other.stream == Some(stream)) {
        return Ok(());
    }
    let message = format!("kernel `{name}` is a dependent, and the first one of stream {stream}");
    let error = source.error(span, message, "expected a kernel of that stream before it");
    Err(error.help("a dependent follows the kernel before it in its stream"))
}
