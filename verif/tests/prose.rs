//! Lines of prose have at most 100 columns: pages outside tables and code, comments outside
//! pictures.

use std::fs;
use std::path::{Path, PathBuf};

const COLUMNS: usize = 100;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The files below `folder` whose names end with `.end`, without what tools made.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            found.extend(files(&path, end));
        } else if path.extension().is_some_and(|ending| ending == end) {
            found.push(path);
        }
    }
    found
}

/// `line` without what stands between two backquotes, which is not broken.
fn words(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    // Behind a backquote that no other one follows all is prose.
    let open = parts.last().filter(|_| parts.len().is_multiple_of(2));
    parts.iter().step_by(2).chain(open).copied().collect()
}

/// The numbers of the lines of `text` that are too long, from 1. Each is prose as `body` says, which
/// gives a line without what stands before its words.
fn too_long<'a>(text: &'a str, body: impl Fn(&'a str) -> Option<&'a str>) -> Vec<usize> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(body) = body(line) else {
            fenced = false;
            continue;
        };
        if body.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let kept = body.trim_start().starts_with(['|', '#']) || body.starts_with("    ");
        let columns = line.chars().count() - body.chars().count() + words(body).chars().count();
        if columns > COLUMNS && !fenced && !kept {
            found.push(number);
        }
    }
    found
}

fn comment(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']);
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

#[track_caller]
fn all_are_short(end: &str, least: usize, of: impl Fn(&str) -> Vec<usize>) {
    let files = files(root(), end);
    assert!(files.len() >= least, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a text file");
        found.extend(of(&text).into_iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(found.is_empty(), "longer than {COLUMNS} columns:\n{}", found.join("\n"));
}

#[test]
fn lines_of_pages_have_at_most_100_columns() {
    all_are_short("md", 30, |text| too_long(text, Some));
}

#[test]
fn lines_of_comments_have_at_most_100_columns() {
    all_are_short("rs", 500, |text| too_long(text, comment));
}

#[test]
fn a_line_of_100_columns_is_short_and_one_of_101_is_not() {
    let of = |columns: usize| "a ".repeat(columns / 2) + &"b".repeat(columns % 2);
    assert_eq!(too_long(&of(100), Some), [0; 0]);
    assert_eq!(too_long(&of(101), Some), [1]);
    let commented = |columns: usize| format!("let a;\n    /// {}", of(columns - 8));
    assert_eq!(too_long(&commented(100), comment), [0; 0]);
    assert_eq!(too_long(&commented(101), comment), [2]);
}

#[test]
fn tables_code_and_pictures_may_be_wide() {
    let wide = "a ".repeat(60);
    for kept in [
        format!("| {wide}|"),
        format!("    {wide}"),
        format!("```text\n{wide}\n```"),
        format!("`{wide}`"),
    ] {
        assert_eq!(too_long(&kept, Some), [0; 0], "{kept}");
    }
    assert_eq!(too_long(&format!("`{wide}"), Some), [1], "nothing closes it");
    let behind = format!("```text\n{wide}\n```\n{wide}");
    assert_eq!(too_long(&behind, Some), [4]);
}
