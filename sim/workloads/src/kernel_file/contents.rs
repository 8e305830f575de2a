//! What a buffer holds: the bytes of a file, numbers, or what a rule gives.

use std::path::Path;

use toml::Spanned;

use super::element::{shown, Element, Number};
use super::{npy, Source, Span};
use crate::diagnostic::InputError;
use crate::hash::mix;

/// See the module.
#[derive(Clone, Debug)]
pub enum Contents {
    /// All zero.
    Zero,
    /// These, of a file or a list.
    Bytes(Vec<u8>),
    /// All elements have these bits.
    Value(u64),
    /// 0, 1, 2, ...
    Index,
    /// Drawn from the first up to, and without, the second.
    Uniform(Number, Number),
    /// 0, 1, 2, ... in an order that is drawn.
    Permutation,
}

/// What decides the numbers that are drawn for one buffer.
struct Draws(u64);

impl Draws {
    fn new(seed: u64, name: &str) -> Self {
        let hash = name.bytes().fold(mix(seed), |hash, byte| mix(hash ^ u64::from(byte)));
        Self(hash)
    }

    fn word(&self, index: u64) -> u64 {
        mix(self.0 ^ mix(index))
    }

    /// A whole number below `end`.
    fn below(&self, index: u64, end: u128) -> u128 {
        (u128::from(self.word(index)) * end) >> 64
    }
}

impl Contents {
    /// The bytes of `count` elements of the buffer `name`.
    pub fn bytes(&self, element: Element, count: usize, name: &str, seed: u64) -> Vec<u8> {
        let draws = Draws::new(seed, name);
        let each = |bits: &mut dyn FnMut(u64) -> u64| {
            let mut bytes = Vec::with_capacity(count * element.bytes());
            for index in 0..count as u64 {
                bytes.extend_from_slice(&bits(index).to_le_bytes()[..element.bytes()]);
            }
            bytes
        };
        let whole = |value: i128| element.encode(Number::Integer(value)).unwrap_or_default();
        match *self {
            Contents::Zero => vec![0; count * element.bytes()],
            Contents::Bytes(ref bytes) => bytes.clone(),
            Contents::Value(bits) => each(&mut |_| bits),
            Contents::Index => each(&mut |index| whole(index.into())),
            Contents::Uniform(Number::Integer(from), Number::Integer(to))
                if !matches!(element, Element::Float(_)) =>
            {
                each(&mut |index| whole(from + draws.below(index, (to - from) as u128) as i128))
            }
            Contents::Uniform(from, to) => {
                let (from, to) = (from.float(), to.float());
                let last = element.below(to);
                each(&mut |index| {
                    let share = (draws.word(index) >> 11) as f64 / (1_u64 << 53) as f64;
                    // The end is not drawn, but what is drawn may be rounded to it.
                    let drawn = (from + (to - from) * share).min(last);
                    element.encode(Number::Float(drawn)).unwrap_or_default()
                })
            }
            Contents::Permutation => {
                let mut order: Vec<u32> = (0..count as u32).collect();
                for last in (1..count).rev() {
                    order.swap(last, draws.below(last as u64, last as u128 + 1) as usize);
                }
                each(&mut |index| whole(order[index as usize].into()))
            }
        }
    }
}

/// Numbers of a list.
pub fn listed(
    source: &Source,
    element: Element,
    values: &[Spanned<toml::Value>],
) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(values.len() * element.bytes());
    for value in values {
        bytes.extend_from_slice(&single(source, element, value)?.to_le_bytes()[..element.bytes()]);
    }
    Ok(bytes)
}

/// The bits of one number.
pub fn single(
    source: &Source,
    element: Element,
    value: &Spanned<toml::Value>,
) -> Result<u64, InputError> {
    let bits = Number::of(value.get_ref()).and_then(|number| element.encode(number));
    bits.ok_or_else(|| {
        let message = format!("{} is no {}", shown(value.get_ref()), element.name());
        source.error(&value.span(), message, &format!("expected {}", element.expectation()))
    })
}

/// The type and the bytes of the file `name`; a file of NumPy says its type itself.
pub fn file(
    source: &Source,
    name: &Spanned<String>,
    stated: Option<(Element, Span)>,
) -> Result<(Element, Vec<u8>), InputError> {
    let path = source.folder.join(name.get_ref());
    let bytes = std::fs::read(&path).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        source.error(&name.span(), message, "expected a file beside this one")
    })?;
    let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
    if kind == "npy" {
        let (element, body) = npy::read(&bytes).map_err(|(message, expected)| {
            let message = format!("{} {message}", path.display());
            source.error(&name.span(), message, &format!("expected {expected}"))
        })?;
        if let Some((stated, span)) = stated.filter(|(stated, _)| *stated != element) {
            let message = format!("{} has elements of type {}", path.display(), element.name());
            let _ = stated;
            return Err(source.error(&span, message, &format!("expected {}", element.name())));
        }
        return Ok((element, body.to_vec()));
    }
    let Some((element, _)) = stated else {
        let message = format!("the type of what is in {} is not stated", path.display());
        let error = source.error(&name.span(), message, "only .npy files state it");
        return Err(error.help(format!("expected `type`: one of {}", Element::names())));
    };
    if kind == "txt" {
        return text(&path, &bytes, element).map(|bytes| (element, bytes));
    }
    if bytes.len() % element.bytes() != 0 {
        let message = format!("{} has {} bytes", path.display(), bytes.len());
        let expected = format!("expected a multiple of {}", element.bytes());
        return Err(source.error(&name.span(), message, &expected));
    }
    Ok((element, bytes))
}

/// Numbers between white space.
fn text(path: &Path, bytes: &[u8], element: Element) -> Result<Vec<u8>, InputError> {
    let mut values = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let line = String::from_utf8_lossy(line);
        for word in line.split_whitespace() {
            let Some(bits) = element.parse(word) else {
                let start = word.as_ptr() as usize - line.as_ptr() as usize;
                let message = format!("`{word}` is no {}", element.name());
                let expected = format!("expected {}", element.expectation());
                let name = path.display().to_string();
                let span = start..start + word.len();
                return Err(InputError::new(message).at_line(
                    &name,
                    (number, &line),
                    span,
                    expected,
                ));
            };
            values.extend_from_slice(&bits.to_le_bytes()[..element.bytes()]);
        }
    }
    Ok(values)
}

/// `bytes` in the format that the name of the file asks for.
pub fn written(path: &Path, element: Element, bytes: &[u8]) -> Vec<u8> {
    match path.extension().and_then(|kind| kind.to_str()) {
        Some("npy") => npy::write(element, bytes),
        Some("txt") => {
            let mut text = String::new();
            for value in bytes.chunks_exact(element.bytes()) {
                text += &element.text(value);
                text.push('\n');
            }
            text.into_bytes()
        }
        _ => bytes.to_vec(),
    }
}

#[cfg(test)]
mod tests;
