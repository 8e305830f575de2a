//! `[search]`.

use super::values::{flag, number, scalars, text, Field};
use super::Source;
use crate::study::search::{Method, Search};
use blockyard_sim::diagnostic::InputError;

const KEYS: [&str; 7] =
    ["axes", "goal", "maximise", "method", "budget", "seed", "max_storage_bits"];

/// The search that `field` describes.
///
/// # Errors
/// It is none.
pub fn search(source: &Source, field: &Field<'_>) -> Result<Search, InputError> {
    let mut search = Search {
        axes: Vec::new(),
        goal: "ipc".to_owned(),
        maximise: true,
        method: Method::Random,
        budget: 0,
        seed: 1,
        max_storage_bits: None,
        place: field.place.clone(),
    };
    for field in Field::all(field.table(source)?) {
        match field.name {
            "axes" => {
                for (name, place) in scalars(source, &field)? {
                    if search.axes.contains(&name) {
                        let message = format!("search: `{name}` stands in axes twice");
                        return Err(source.wrong(place, message));
                    }
                    search.axes.push(name);
                }
            }
            "goal" => search.goal = text(source, &field)?,
            "maximise" => search.maximise = flag(source, &field)?,
            "method" => {
                search.method = match text(source, &field)?.as_str() {
                    "random" => Method::Random,
                    "halving" => Method::Halving,
                    "bayesian" => Method::Bayesian,
                    _ => {
                        let known = "\"random\", \"halving\" or \"bayesian\"";
                        return Err(field.expected(source, known));
                    }
                }
            }
            "budget" => search.budget = number(source, &field)?,
            "seed" => search.seed = number(source, &field)?,
            "max_storage_bits" => search.max_storage_bits = Some(number(source, &field)?),
            _ => return Err(field.unknown(source, &KEYS)),
        }
    }
    if search.budget == 0 || search.axes.is_empty() {
        let help = "[search] needs axes = [\"pa\", \"pl\"] and budget = 20, the candidates to try";
        return Err(source.wrong(field.place.clone(), "search: no axes or no budget").help(help));
    }
    Ok(search)
}
