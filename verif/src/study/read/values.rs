//! Fields of a table of TOML, in the order in which they stand there.

use super::Source;
use blockyard_sim::diagnostic::InputError;
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The key.
    pub name: &'a str,
    /// Where the key stands, in bytes.
    pub place: Range<usize>,
    /// The value, and where it stands.
    pub value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Field<'a> {
    /// Those of `table`.
    pub fn all(table: &'a DeTable<'a>) -> Vec<Self> {
        let field = |(key, value): (&'a Spanned<_>, _)| Field {
            name: AsRef::<str>::as_ref(key.get_ref()),
            place: key.span(),
            value,
        };
        let mut fields: Vec<Self> = table.iter().map(field).collect();
        fields.sort_by_key(|field| field.place.start);
        fields
    }

    /// Its value, which must be a table.
    ///
    /// # Errors
    /// It is none.
    pub fn table(&self, source: &Source) -> Result<&'a DeTable<'a>, InputError> {
        self.value.get_ref().as_table().ok_or_else(|| self.expected(source, "a table"))
    }

    /// The complaint that its value is something else.
    pub fn expected(&self, source: &Source, what: &str) -> InputError {
        expected(source, self.name, self.value, what)
    }

    /// The complaint that its key is none of `known`.
    pub fn unknown(&self, source: &Source, known: &[&str]) -> InputError {
        let wrong = source.wrong(self.place.clone(), format!("unknown key `{}`", self.name));
        wrong.help(format!("expected one of {}", known.join(", ")))
    }
}

/// The complaint that `value`, of the key `name`, is not `what`.
pub fn expected(
    source: &Source,
    name: &str,
    value: &Spanned<DeValue<'_>>,
    what: &str,
) -> InputError {
    let found = source.text.get(value.span()).unwrap_or_default();
    let found: String = found.chars().take(40).collect();
    source.wrong(value.span(), format!("{name}: found `{found}`, expected {what}"))
}

/// A text.
///
/// # Errors
/// It is none.
pub fn text(source: &Source, field: &Field<'_>) -> Result<String, InputError> {
    let text = field.value.get_ref().as_str();
    text.map(str::to_owned).ok_or_else(|| field.expected(source, "a text in quotes"))
}

/// A whole number from 0.
///
/// # Errors
/// It is none.
pub fn number(source: &Source, field: &Field<'_>) -> Result<u64, InputError> {
    let number = field.value.get_ref().as_integer();
    let number =
        number.and_then(|digits| u64::from_str_radix(digits.as_str(), digits.radix()).ok());
    number.ok_or_else(|| field.expected(source, "a whole number from 0"))
}

/// `true` or `false`.
///
/// # Errors
/// It is neither.
pub fn flag(source: &Source, field: &Field<'_>) -> Result<bool, InputError> {
    field.value.get_ref().as_bool().ok_or_else(|| field.expected(source, "true or false"))
}

/// One value of the key `name`, as `--set` takes it.
///
/// # Errors
/// It is a list, a table or a time.
pub fn scalar(
    source: &Source,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<String, InputError> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.clone().into_owned()),
        DeValue::Integer(digits) => match i128::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) => Ok(number.to_string()),
            Err(_) => Err(expected(source, name, value, "a smaller number")),
        },
        DeValue::Float(digits) => Ok(digits.as_str().to_owned()),
        DeValue::Boolean(flag) => Ok(flag.to_string()),
        DeValue::Table(_) => {
            let wrong = expected(source, name, value, "a text, a number, true or false");
            Err(wrong.help("a key with a dot stands in quotes: \"smx.count\" = 4"))
        }
        _ => Err(expected(source, name, value, "a text, a number, true or false")),
    }
}

/// One value of the key `name`, or a list of them, each with its place.
///
/// # Errors
/// As [`scalar`], or an empty list.
pub fn scalars(
    source: &Source,
    field: &Field<'_>,
) -> Result<Vec<(String, Range<usize>)>, InputError> {
    let Some(list) = field.value.get_ref().as_array() else {
        return Ok(vec![(scalar(source, field.name, field.value)?, field.value.span())]);
    };
    if list.is_empty() {
        return Err(field.expected(source, "at least one value"));
    }
    let one = |value| Ok((scalar(source, field.name, value)?, value.span()));
    list.iter().map(one).collect()
}
