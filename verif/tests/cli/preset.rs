//! `blockyard preset --show`, as text and as JSON.

use super::command::Place;
use serde_json::Value;

#[test]
fn each_value_is_shown_with_its_source_and_what_that_is_worth() {
    let text = Place::new().fine(&["preset", "--show", "h100"]).stdout;
    let line = |key: &str| {
        let found = text.lines().find(|line| line.contains(&format!("  {key} = ")));
        found.unwrap_or_else(|| panic!("no line {key}: {text}"))
    };
    assert!(text.lines().next().is_some_and(|title| title.contains("Not validated")), "{text}");
    assert!(line("smx.count").starts_with("stated  smx.count = 132 "));
    assert!(line("l2.latency").starts_with("fitted  l2.latency = "));
    assert!(line("l1.ways").starts_with("chosen  l1.ways = 16 "));
    assert!(text.ends_with(" chosen\n"), "{text}");
}

#[test]
fn the_json_has_the_same_values() {
    let printed = Place::new().fine(&["preset", "--show", "k20c", "--json"]).stdout;
    let preset: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(preset["name"], "k20c");
    let values = preset["values"].as_array().expect("a list");
    let count = values.iter().find(|value| value["key"] == "smx.count").expect("the key");
    assert_eq!((&count["value"], &count["standing"]), (&"13".into(), &"stated".into()));
    assert!(count["source"].as_str().is_some_and(|source| source.contains("DTBL")), "{count}");
}

#[test]
fn a_preset_that_is_not_there_is_refused_with_those_that_are() {
    Place::new().refused(&["preset", "--show", "k40"], &["there is no GPU `k40`", "h100"]);
}
