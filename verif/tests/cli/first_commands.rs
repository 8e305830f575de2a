//! The first commands of pages, as they stand; their scenarios are in `verif/scenarios`.

use super::command::{worked_example, Place};

/// The words of the first command of the page `docs/{name}.md`, behind `blockyard`.
fn first_command(name: &str) -> Vec<String> {
    let path = format!("{}/../docs/{name}.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = page.lines().skip_while(|line| !line.starts_with("    blockyard "));
    let lines = lines.take_while(|line| line.starts_with("    "));
    let command: String = lines.map(|line| line.trim().trim_end_matches('\\')).collect();
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    assert_eq!(words.remove(0), "blockyard");
    words
}

fn runs_as_it_stands(page: &str, scenario: &str) {
    let words = first_command(page);
    let file = format!("verif/scenarios/{scenario}.toml");
    assert!(words.contains(&file), "{words:?}");
    let place = Place::new();
    std::fs::create_dir_all(place.file("verif/scenarios")).expect("a folder");
    place.write(&file, std::fs::read_to_string(worked_example(scenario)).expect("a file"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = place.fine(&words).stdout;
    assert!(said.contains("cycles"), "{said}");
}

#[test]
fn that_of_partitions_runs() {
    runs_as_it_stands("partitions", "shared");
}

#[test]
fn that_of_dependent_runs() {
    runs_as_it_stands("dependent", "overlap");
}

#[test]
fn that_of_launch_control_runs() {
    runs_as_it_stands("launch-control", "persistent");
}

#[test]
fn that_of_domains_runs() {
    let words = first_command("domains");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert!(words.contains(&"smx.domains=[66, 66]"), "{words:?}");
    let said = Place::new().fine(&words).stdout;
    assert!(said.contains("cycles"), "{said}");
}
