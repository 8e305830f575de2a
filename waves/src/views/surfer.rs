//! Surfer's command file, and the mappings that give values their names.
//!
//! A command file has one command a line; `#` begins a comment and `;` another command, and a
//! divider's name is one word.

use super::{Section, Shown, Trace, View};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where Surfer, started in the dump's folder, looks for mappings.
pub const MAPPINGS: &str = ".surfer/mappings";

/// The command file of a dump and the mappings that it names.
pub fn files(dump: &Path, view: &View) -> Vec<(PathBuf, String)> {
    let name = dump.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = dump.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut text = format!("# {}: surfer {name} --command-file {stem}.sucl\n", view.title);
    let mut items = Vec::new();
    for section in view.sections.iter().filter(|section| !section.is_raw) {
        list(section, &mut items);
    }
    let (mut formats, mut mappings) = (String::new(), BTreeMap::new());
    for (number, item) in items.iter().enumerate() {
        match item {
            Item::Divider(name) => text += &format!("divider_add {name}\n"),
            Item::Trace(trace) => {
                text += &format!("variable_add {}\n", trace.path);
                if let Some(format) = format(trace, &mut mappings) {
                    let place = place(number, items.len());
                    formats += &format!("item_focus {place}_\nitem_set_format {format}\n");
                }
            }
        }
    }
    // What is added goes behind what has the focus: formats come last.
    text += &formats;
    text += "item_unfocus\n";
    for marker in &view.markers {
        text += &format!("marker_set {} {}\n", word(&marker.name, "._:/(),"), marker.cycle);
    }
    text += "zoom_fit\n";
    let mut files = vec![(dump.with_extension("sucl"), text)];
    let folder = dump.with_file_name(MAPPINGS);
    files.extend(mappings.into_iter().map(|(name, text)| (folder.join(name + ".txt"), text)));
    files
}

enum Item<'a> {
    Divider(String),
    Trace(&'a Trace),
}

/// What a section shows, one after the other: Surfer's command files have no groups. Sections that
/// are closed in GTKWave are left out.
fn list<'a>(section: &'a Section, items: &mut Vec<Item<'a>>) {
    if !section.is_open {
        return;
    }
    if !section.name.is_empty() {
        items.push(Item::Divider(word(&section.name, "_")));
    }
    items.extend(section.traces.iter().map(Item::Trace));
    for section in &section.sections {
        list(section, items);
    }
}

/// The name of a trace's format; `None` where Surfer's own choice is right.
fn format(trace: &Trace, mappings: &mut BTreeMap<String, String>) -> Option<String> {
    Some(match &trace.shown {
        Shown::Binary if trace.width == 1 => return None,
        Shown::Binary => "Binary".to_owned(),
        Shown::Decimal => "Unsigned".to_owned(),
        Shown::Hexadecimal => "Hexadecimal".to_owned(),
        // A variable of text has no bits, and no choice.
        Shown::Text if trace.width < 8 => return None,
        Shown::Text => "ASCII".to_owned(),
        Shown::Names(names) => {
            let list: Vec<&str> = names.values().map(String::as_str).collect();
            let name = word(&format!("blockyard_{}", list.join("_")), "_");
            let mut text = format!("Name = {name}\nBits = {}\n", trace.width);
            for (number, value) in names {
                text += &format!("{number} {value}\n");
            }
            mappings.insert(name.clone(), text);
            name
        }
    })
}

/// How Surfer writes the place of one of `count` items: a hexadecimal number with the digits a to
/// p.
fn place(number: usize, count: usize) -> String {
    let width = count.max(1).ilog(16) as usize + 1;
    let letter = |digit: char| {
        let value = digit.to_digit(16).expect("a hexadecimal digit");
        char::from(b'a' + value as u8)
    };
    format!("{number:0width$x}").chars().map(letter).collect()
}

/// A name as one word: of letters, digits and `also`.
fn word(name: &str, also: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || also.contains(c) { c } else { '_' };
    name.chars().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_surfer_writes_them() {
        assert_eq!((place(0, 1), place(15, 15)), ("a".to_owned(), "p".to_owned()));
        assert_eq!((place(0, 16), place(31, 255)), ("aa".to_owned(), "bp".to_owned()));
        assert_eq!(place(16, 256), "aba");
    }

    #[test]
    fn a_trace_has_a_format_where_surfer_would_choose_another_one() {
        let format = |shown, width| {
            let trace = Trace { path: "top.a".to_owned(), label: String::new(), width, shown };
            super::format(&trace, &mut BTreeMap::new())
        };
        let named = |name: &str| Some(name.to_owned());
        assert_eq!((format(Shown::Binary, 1), format(Shown::Binary, 2)), (None, named("Binary")));
        assert_eq!((format(Shown::Text, 7), format(Shown::Text, 8)), (None, named("ASCII")));
        assert_eq!(format(Shown::Decimal, 1), named("Unsigned"));
        assert_eq!(format(Shown::Hexadecimal, 1), named("Hexadecimal"));
    }
}
