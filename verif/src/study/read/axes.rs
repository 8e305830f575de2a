//! `[axes]`.

use super::values::{expected, number, scalar, scalars, Field};
use super::Source;
use crate::study::axis::{Axis, Step, Value, Values};
use blockyard_sim::diagnostic::InputError;
use toml::de::DeTable;

/// The axes that `fields` are.
///
/// # Errors
/// The first that is none.
pub fn axes(source: &Source, fields: Vec<Field<'_>>) -> Result<Vec<Axis>, InputError> {
    let axis = |field: Field<'_>| {
        let values = match field.value.get_ref().as_table() {
            None => listed(source, &field)?,
            Some(table) if table.keys().any(|key| key.get_ref() == "from") => {
                counted(source, &field, table)?
            }
            Some(table) => named(source, &field, table)?,
        };
        Ok(Axis { name: field.name.to_owned(), values, place: field.place })
    };
    fields.into_iter().map(axis).collect()
}

/// `[1, 2]` or `1`.
fn listed(source: &Source, field: &Field<'_>) -> Result<Values, InputError> {
    let mut values: Vec<Value> = Vec::new();
    for (label, place) in scalars(source, field)? {
        if values.iter().any(|value| value.label == label) {
            let message = format!("{}: `{label}` stands there twice", field.name);
            return Err(source.wrong(place, message));
        }
        let gives = vec![(field.name.to_owned(), label.clone())];
        values.push(Value { label, gives, place });
    }
    Ok(Values::Listed(values))
}

/// `{ from = 1, to = 9, step = 2 }` or `{ from = 1, to = 8, times = 2 }`.
fn counted<'a>(
    source: &Source,
    field: &Field<'a>,
    table: &'a DeTable<'a>,
) -> Result<Values, InputError> {
    let (mut from, mut to, mut stated) = (0, None, None);
    for field in Field::all(table) {
        match field.name {
            "from" => from = number(source, &field)?,
            "to" => to = Some(number(source, &field)?),
            "step" | "times" if stated.is_some() => {
                return Err(field.expected(source, "only one of step and times"));
            }
            "step" => stated = Some(Step::Plus(number(source, &field)?)),
            "times" => stated = Some(Step::Times(number(source, &field)?)),
            _ => return Err(field.unknown(source, &["from", "to", "step", "times"])),
        }
    }
    let step = stated.unwrap_or(Step::Plus(1));
    let right = match step {
        Step::Plus(step) => step >= 1,
        Step::Times(factor) => factor >= 2 && from >= 1,
    };
    match to {
        Some(to) if right && from <= to => {
            Ok(Values::Counted { from, to, step, place: field.value.span() })
        }
        _ => {
            let wrong = field.expected(source, "numbers from one up to another one");
            Err(wrong.help("as { from = 1, to = 9, step = 2 } or { from = 1, to = 8, times = 2 }"))
        }
    }
}

/// `name = { "graph.kind" = "road", input = "" }`, for each value.
fn named<'a>(
    source: &Source,
    field: &Field<'a>,
    table: &'a DeTable<'a>,
) -> Result<Values, InputError> {
    let mut values = Vec::new();
    for named in Field::all(table) {
        let Some(settings) = named.value.get_ref().as_table() else {
            let name = format!("{}.{}", field.name, named.name);
            let wrong = expected(source, &name, named.value, "a table of what this value sets");
            let help =
                "a key with a dot stands in quotes; numbers are a list, or { from, to, step }";
            return Err(wrong.help(help));
        };
        let mut gives = Vec::new();
        for setting in Field::all(settings) {
            let value = scalar(source, setting.name, setting.value)?;
            gives.push((setting.name.to_owned(), value));
        }
        values.push(Value { label: named.name.to_owned(), gives, place: named.value.span() });
    }
    if values.is_empty() {
        return Err(field.expected(source, "at least one value"));
    }
    Ok(Values::Listed(values))
}
