//! Buffers and variables of the module: types, sizes, what they hold at first.

use toml::Spanned;

use super::contents::{self, Contents};
use super::element::{Element, Number};
use super::file::{RawData, Table};
use super::{Source, Span};
use crate::diagnostic::InputError;

/// Most bytes of a buffer.
const MOST_BYTES: u64 = 1 << 32;
/// What an argument's string means that is no buffer.
pub const ROUND: &str = "round";

/// A buffer, or what a variable is set to.
#[derive(Clone, Debug)]
pub struct Data {
    /// Its name.
    pub name: String,
    /// Of what it consists.
    pub element: Element,
    /// How many of them.
    pub count: usize,
    /// What it holds at first.
    pub contents: Contents,
    /// Where its name stands.
    pub span: Span,
}

impl Data {
    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.count as u64 * self.element.bytes() as u64
    }

    /// Whether its first element is there and has 32 bits.
    pub fn begins_with_word(&self) -> bool {
        self.count > 0 && self.element.bytes() == 4
    }

    /// What it holds at first, under `seed`.
    pub fn initial(&self, seed: u64) -> Vec<u8> {
        self.contents.bytes(self.element, self.count, &self.name, seed)
    }
}

/// The entries of a table, in the order of the file.
pub fn in_order<T>(table: Table<T>) -> Vec<(Spanned<String>, Spanned<T>)> {
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// All of a table.
pub fn all(source: &Source, table: Table<RawData>) -> Result<Vec<Data>, InputError> {
    let check = |(name, raw): (Spanned<String>, Spanned<RawData>)| {
        if name.get_ref() == ROUND {
            let error = source.error(&name.span(), "`round` cannot be a name", "another name");
            return Err(error.help("as an argument, \"round\" is the number of the round"));
        }
        data(source, &name, &raw)
    };
    in_order(table).into_iter().map(check).collect()
}

fn data(
    source: &Source,
    name: &Spanned<String>,
    raw: &Spanned<RawData>,
) -> Result<Data, InputError> {
    let (whole, raw) = (raw.span(), raw.get_ref());
    only_one(source, raw)?;
    let stated = match &raw.ty {
        None => None,
        Some(ty) => {
            let element = Element::named(ty.get_ref()).ok_or_else(|| {
                let message = format!("`{}` is no type of elements", ty.get_ref());
                let expected = format!("expected one of {}", Element::names());
                source.error(&ty.span(), message, &expected)
            })?;
            Some((element, ty.span()))
        }
    };
    let typed = || {
        stated.as_ref().map(|(element, _)| *element).ok_or_else(|| {
            let message = format!("the type of `{}` is not stated", name.get_ref());
            let expected = format!("expected `type`: one of {}", Element::names());
            source.error(&whole, message, &expected)
        })
    };
    let (element, contents) = if let Some(file) = &raw.file {
        let (element, bytes) = contents::file(source, file, stated.clone())?;
        (element, Contents::Bytes(bytes))
    } else if let Some(values) = &raw.values {
        let element = typed()?;
        (element, Contents::Bytes(contents::listed(source, element, values.get_ref())?))
    } else if let Some(value) = &raw.value {
        let element = typed()?;
        (element, Contents::Value(contents::single(source, element, value)?))
    } else {
        let element = typed()?;
        (element, rule(source, element, raw)?)
    };
    let count = count(source, name, raw, &whole, (element, &contents))?;
    let fits = match contents {
        Contents::Index | Contents::Permutation => {
            element.tells_apart(count.saturating_sub(1) as i128)
        }
        _ => true,
    };
    if !fits {
        let message = format!("{} has no {count} different values", element.name());
        return Err(source.error(&whole, message, "expected fewer elements, or a wider type"));
    }
    let (name, span) = (name.get_ref().clone(), name.span());
    Ok(Data { name, element, count, contents, span })
}

/// Refuses two answers to what a buffer holds.
fn only_one(source: &Source, raw: &RawData) -> Result<(), InputError> {
    let keys = [
        ("file", raw.file.as_ref().map(Spanned::span)),
        ("values", raw.values.as_ref().map(Spanned::span)),
        ("value", raw.value.as_ref().map(Spanned::span)),
        ("fill", raw.fill.as_ref().map(Spanned::span)),
    ];
    let given: Vec<_> = keys.into_iter().filter_map(|(key, span)| Some((key, span?))).collect();
    if let [(first, _), (second, span), ..] = &given[..] {
        let message = format!("`{second}` is given beside `{first}`");
        return Err(source.error(span, message, "expected one of file, values, value, fill"));
    }
    let uniform = raw.fill.as_ref().is_some_and(|fill| fill.get_ref() == "uniform");
    let bound = raw.from.as_ref().or(raw.to.as_ref());
    match bound {
        Some(bound) if !uniform => {
            let message = "`from` and `to` do nothing here";
            Err(source.error(&bound.span(), message, "expected them beside fill = \"uniform\""))
        }
        _ => Ok(()),
    }
}

/// What `fill` says.
fn rule(source: &Source, element: Element, raw: &RawData) -> Result<Contents, InputError> {
    let Some(fill) = &raw.fill else { return Ok(Contents::Zero) };
    match fill.get_ref().as_str() {
        "zero" => Ok(Contents::Zero),
        "index" => Ok(Contents::Index),
        "permutation" if matches!(element, Element::Float(_)) => {
            let message = format!("a permutation of {}", element.name());
            Err(source.error(&fill.span(), message, "expected a type of whole numbers"))
        }
        "permutation" => Ok(Contents::Permutation),
        "uniform" => uniform(source, element, raw, &fill.span()),
        other => {
            let message = format!("`fill` is {other:?}");
            let expected = "expected zero, index, uniform or permutation";
            Err(source.error(&fill.span(), message, expected))
        }
    }
}

fn uniform(
    source: &Source,
    element: Element,
    raw: &RawData,
    span: &Span,
) -> Result<Contents, InputError> {
    let whole = !matches!(element, Element::Float(_));
    let (Some(from), Some(to)) = (&raw.from, &raw.to) else {
        let message = "a range to draw from is missing";
        return Err(source.error(span, message, "expected `from` and `to` beside it"));
    };
    let number = |bound: &Spanned<toml::Value>| {
        contents::single(source, element, bound)?;
        Ok::<Number, InputError>(Number::of(bound.get_ref()).unwrap_or(Number::Integer(0)))
    };
    let first = number(from)?;
    // The end itself is not drawn: it may be one more than the greatest value.
    let end = match Number::of(to.get_ref()) {
        Some(end @ Number::Integer(value)) if whole => {
            if element.encode(Number::Integer(value - 1)).is_none() {
                number(to)?;
            }
            end
        }
        _ => number(to)?,
    };
    let (low, high) = (first.float(), end.float());
    if !(high - low).is_finite() {
        let message = format!("the range from {low:e} to {high:e} is too wide");
        return Err(source.error(&to.span(), message, "expected a difference that an f64 holds"));
    }
    if low < high && (whole || low <= element.below(high)) {
        return Ok(Contents::Uniform(first, end));
    }
    let message = format!("the range from {low} to {high} is empty");
    Err(source.error(&to.span(), message, "expected more than `from`"))
}

/// How many elements: as stated, or as many as there are in a file or a list.
fn count(
    source: &Source,
    name: &Spanned<String>,
    raw: &RawData,
    whole: &Span,
    (element, contents): (Element, &Contents),
) -> Result<usize, InputError> {
    let found = match contents {
        Contents::Bytes(bytes) => Some(bytes.len() / element.bytes()),
        _ => None,
    };
    let Some(stated) = &raw.count else {
        return found.ok_or_else(|| {
            let message = format!("the size of `{}` is not stated", name.get_ref());
            source.error(whole, message, "expected `count`: how many elements")
        });
    };
    let most = MOST_BYTES / element.bytes() as u64;
    let count = source.number(stated, "count", 0..=most)? as usize;
    match found {
        Some(found) if found != count => {
            let message = format!("`count` is {count}, but there are {found} elements");
            Err(source.error(&stated.span(), message, &format!("expected {found}, or nothing")))
        }
        _ => Ok(count),
    }
}
