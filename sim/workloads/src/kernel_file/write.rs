//! What the host writes into buffers before a launch.

use toml::Spanned;

use super::contents;
use super::file::RawWrite;
use super::launch::Checker;
use crate::diagnostic::InputError;

/// A part of a buffer that is overwritten.
#[derive(Clone, Debug)]
pub struct WriteSpec {
    /// The buffer.
    pub buffer: usize,
    /// Its first byte there.
    pub offset: u64,
    /// What is written.
    pub bytes: Vec<u8>,
}

impl Checker<'_> {
    pub(super) fn write(&self, raw: &Spanned<RawWrite>) -> Result<WriteSpec, InputError> {
        let (span, raw) = (raw.span(), raw.get_ref());
        let number = self.source.buffer(self.buffers, &raw.buffer)?;
        let buffer = &self.buffers[number];
        let (all, bytes) = (buffer.count as u64, buffer.element.bytes() as u64);
        let (first, given) = match &raw.element {
            Some(element) => (self.source.number(element, "element", 0..=all)?, element.span()),
            None => (0, raw.buffer.span()),
        };
        let written = match (&raw.values, &raw.value, &raw.count) {
            (Some(values), None, None) => {
                contents::listed(self.source, buffer.element, values.get_ref())?
            }
            (None, Some(value), count) => {
                let count = match count {
                    Some(count) => self.source.number(count, "count", 1..=all)?,
                    None => 1,
                };
                let one = contents::single(self.source, buffer.element, value)?;
                one.to_le_bytes()[..bytes as usize].repeat(count as usize)
            }
            _ => {
                let message =
                    format!("what is written into `{}` is not stated, or twice", buffer.name);
                let expected = "expected `values`, or `value` and, if wanted, `count`";
                return Err(self.source.error(&span, message, expected));
            }
        };
        let end = first + written.len() as u64 / bytes;
        if end > all {
            let message =
                format!("elements {first} to {} of `{}` are written", end - 1, buffer.name);
            return Err(self.source.error(&given, message, &format!("expected some of its {all}")));
        }
        Ok(WriteSpec { buffer: number, offset: first * bytes, bytes: written })
    }
}
