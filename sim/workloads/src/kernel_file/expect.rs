//! What buffers must hold in the end.

use toml::Spanned;

use super::contents::{self, Contents};
use super::data::{in_order, Data};
use super::element::{Element, Number};
use super::file::{RawExpect, Table};
use super::Source;
use crate::diagnostic::InputError;

/// What a buffer must hold in the end.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The number of the buffer.
    pub buffer: usize,
    /// What its elements are.
    contents: Contents,
    /// How far an element may be off; of floating point times its expected value if that is more
    /// than 1.
    tolerance: f64,
}

/// All of them.
pub fn all(
    source: &Source,
    buffers: &[Data],
    table: Table<RawExpect>,
) -> Result<Vec<Expectation>, InputError> {
    let check = |(name, raw): (Spanned<String>, Spanned<RawExpect>)| {
        expectation(source, buffers, &name, &raw)
    };
    in_order(table).into_iter().map(check).collect()
}

fn expectation(
    source: &Source,
    buffers: &[Data],
    name: &Spanned<String>,
    raw: &Spanned<RawExpect>,
) -> Result<Expectation, InputError> {
    let number = source.buffer(buffers, name)?;
    let (buffer, span, raw) = (&buffers[number], raw.span(), raw.get_ref());
    let element = buffer.element;
    let contents = match (&raw.file, &raw.values, &raw.value, &raw.fill) {
        (Some(file), None, None, None) => {
            Contents::Bytes(contents::file(source, file, Some((element, file.span())))?.1)
        }
        (None, Some(values), None, None) => {
            Contents::Bytes(contents::listed(source, element, values.get_ref())?)
        }
        (None, None, Some(value), None) => {
            Contents::Value(contents::single(source, element, value)?)
        }
        (None, None, None, Some(fill)) if fill.get_ref() == "zero" => Contents::Zero,
        (None, None, None, Some(fill)) if fill.get_ref() == "index" => Contents::Index,
        _ => {
            let message = format!("what `{}` must hold is not stated, or twice", name.get_ref());
            let expected = "expected one of file, values, value, fill = \"zero\" or \"index\"";
            return Err(source.error(&span, message, expected));
        }
    };
    if let Contents::Bytes(bytes) = &contents {
        let found = bytes.len() / element.bytes();
        if found != buffer.count {
            let message = format!("`{}` is compared with {found} elements", buffer.name);
            return Err(source.error(&span, message, &format!("expected {}", buffer.count)));
        }
    }
    let tolerance = match &raw.tolerance {
        None => 0.0,
        Some(tolerance) if tolerance.get_ref().is_finite() && *tolerance.get_ref() >= 0.0 => {
            *tolerance.get_ref()
        }
        Some(tolerance) => {
            let message = format!("`tolerance` is {}", tolerance.get_ref());
            return Err(source.error(&tolerance.span(), message, "expected 0 or more"));
        }
    };
    Ok(Expectation { buffer: number, contents, tolerance })
}

impl Expectation {
    /// Compares what `buffer` holds.
    ///
    /// # Errors
    /// The first element that is off.
    pub fn compare(&self, buffer: &Data, got: &[u8]) -> Result<(), String> {
        let Data { name, element, count, .. } = buffer;
        let wanted = self.contents.bytes(*element, *count, name, 0);
        let width = element.bytes();
        let mut off = got
            .chunks_exact(width)
            .zip(wanted.chunks_exact(width))
            .enumerate()
            .filter(|(_, (got, wanted))| !self.is_near(*element, got, wanted));
        let Some((index, (got, wanted))) = off.next() else { return Ok(()) };
        let all = 1 + off.count();
        let within = match self.tolerance {
            0.0 => String::new(),
            tolerance => format!(" within {tolerance:e}"),
        };
        Err(format!(
            "element {index} of buffer `{name}` is {}, expected {}{within}; {all} of {count} differ",
            element.text(got),
            element.text(wanted),
        ))
    }

    fn is_near(&self, element: Element, got: &[u8], wanted: &[u8]) -> bool {
        if got == wanted {
            return true;
        }
        match (element.decode(got), element.decode(wanted)) {
            (Number::Integer(got), Number::Integer(wanted)) => {
                got.abs_diff(wanted) as f64 <= self.tolerance
            }
            (got, wanted) => {
                let (got, wanted) = (got.float(), wanted.float());
                let most = self.tolerance * wanted.abs().max(1.0);
                // No number is as good as any other.
                got == wanted
                    || (got.is_nan() && wanted.is_nan())
                    || (wanted.is_finite() && (got - wanted).abs() <= most)
            }
        }
    }
}
