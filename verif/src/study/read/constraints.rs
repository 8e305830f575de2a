//! `baseline` and `[[constraint]]`.

use super::values::{scalar, scalars, Field};
use super::Source;
use crate::study::constraint::{Constraint, Where};
use blockyard_sim::diagnostic::InputError;

/// `baseline = { scheduler = "rr" }`.
///
/// # Errors
/// It is no table of single values.
pub fn baseline(source: &Source, field: &Field<'_>) -> Result<Vec<(String, String)>, InputError> {
    let fields = Field::all(field.table(source)?).into_iter();
    let one = |axis: Field<'_>| Ok((axis.name.to_owned(), scalar(source, axis.name, axis.value)?));
    fields.map(one).collect()
}

/// All of `[[constraint]]`.
///
/// # Errors
/// The first that is none.
pub fn constraints(source: &Source, field: &Field<'_>) -> Result<Vec<Constraint>, InputError> {
    let Some(list) = field.value.get_ref().as_array() else {
        return Err(field.expected(source, "[[constraint]] above each of them"));
    };
    let mut constraints = Vec::new();
    for value in list.iter() {
        let whole = Field { value, ..field.clone() };
        let mut constraint = Constraint { place: value.span(), ..Constraint::default() };
        let rules = Field::all(whole.table(source)?);
        for rule in &rules {
            match rule.name {
                "when" => constraint.when = place(source, rule)?,
                "only" => constraint.only = place(source, rule)?,
                "not" => constraint.not = place(source, rule)?,
                "without" => {
                    let names = scalars(source, rule)?.into_iter();
                    constraint.without = names.map(|(name, _)| name).collect();
                }
                _ => return Err(rule.unknown(source, &["when", "only", "not", "without"])),
            }
        }
        if !rules.iter().any(|rule| rule.name != "when") {
            return Err(whole.expected(source, "what holds: only, not or without"));
        }
        constraints.push(constraint);
    }
    Ok(constraints)
}

/// `{ scheduler = "rr", seed = [1, 2] }`.
fn place(source: &Source, field: &Field<'_>) -> Result<Where, InputError> {
    let fields = Field::all(field.table(source)?).into_iter();
    let axis = |axis: Field<'_>| {
        let values = scalars(source, &axis)?.into_iter();
        Ok((axis.name.to_owned(), values.map(|(label, _)| label).collect()))
    };
    fields.map(axis).collect()
}
