//! The figures of a run, by name.

use crate::session::Report;
use serde_json::Value;
use std::collections::BTreeMap;

/// The mean of cycles from a kernel's arrival to its end, if all have ended.
const TURNAROUND: &str = "mean_turnaround";

/// Every single number of the statistics by its dotted path, and `mean_turnaround`; what is there
/// for each SMX and each kernel, or is not defined, is not among them.
///
/// # Panics
/// Never: statistics are plain data.
pub fn figures(report: &Report) -> BTreeMap<String, f64> {
    let mut figures = BTreeMap::new();
    collect("", &serde_json::to_value(&report.stats).expect("plain data"), &mut figures);
    let ended = report.stats.kernels.iter().map(|kernel| Some(kernel.finish? - kernel.arrive));
    if let Some(cycles) = ended.collect::<Option<Vec<u64>>>().filter(|cycles| !cycles.is_empty()) {
        let mean = cycles.iter().sum::<u64>() as f64 / cycles.len() as f64;
        figures.insert(TURNAROUND.to_owned(), rounded(mean));
    }
    figures
}

fn collect(path: &str, value: &Value, figures: &mut BTreeMap<String, f64>) {
    match value {
        Value::Object(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(&path, value, figures);
            }
        }
        Value::Number(number) => {
            figures.extend(number.as_f64().map(|number| (path.to_owned(), rounded(number))));
        }
        _ => {}
    }
}

/// `number` to 12 digits, which text keeps to the last bit: a row is the same wherever it was run
/// and however often it was written and read.
pub fn rounded(number: f64) -> f64 {
    if number.fract() == 0.0 {
        return number;
    }
    format!("{number:.11e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_their_paths_and_lists_are_left_out() {
        let stats = serde_json::json!({
            "cycles": 12, "l1": { "hit_rate": 0.1, "deep": { "hits": 3 } }, "smx": [{ "busy": 4 }],
            "rate": null, "name": "k"
        });
        let mut figures = BTreeMap::new();
        collect("", &stats, &mut figures);
        let expected = [("cycles", 12.0), ("l1.deep.hits", 3.0), ("l1.hit_rate", 0.1)];
        assert_eq!(figures, expected.map(|(path, number)| (path.to_owned(), number)).into());
    }

    proptest! {
        #[test]
        fn a_rounded_number_survives_text(number in -1e9_f64..1e9, small in 0.0_f64..1.0) {
            for number in [rounded(number), rounded(small), rounded(small / 1e6)] {
                let text = serde_json::to_string(&number).expect("a number");
                prop_assert_eq!(serde_json::from_str::<f64>(&text).expect("the same"), number);
            }
        }
    }
}
