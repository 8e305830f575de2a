//! Chromium without a screen.

use blockyard::replay::{Tool, ToolStatus};
use std::path::Path;
use std::process::Command;

/// The document that the page `file#fragment` has become, after all its scripts; `None` where there
/// is no browser and none is required.
pub fn document(file: &Path, fragment: &str) -> Option<String> {
    let status = Tool::Chromium.status();
    if let Some(message) = status.message() {
        assert!(matches!(status, ToolStatus::Skipped(_)), "{message}");
        println!("{message}");
        return None;
    }
    let profile = tempfile::tempdir().expect("a folder");
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}#{fragment}", file.display()))
        .output()
        .expect("chromium starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("</html>"), "{output:?}");
    Some(text)
}

/// As [`document`], of a page that must have run to its end without an error.
pub fn loaded(file: &Path, fragment: &str) -> Option<String> {
    let text = document(file, fragment)?;
    assert_eq!(errors(&text), "");
    assert!(text.contains("data-ready=\"yes\""), "the last script ran to its end");
    Some(text)
}

/// What went wrong, as the page has noted it.
pub fn errors(document: &str) -> &str {
    between(document, "<pre id=\"errors\"", "</pre>").split_once('>').expect("a tag").1
}

/// The text between `from` and the next `to`.
pub fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from} is not in\n{text}"));
    rest.split_once(to).unwrap_or_else(|| panic!("{to} is not behind {from}")).0
}

/// The cells of a column of a table, from the top.
pub fn column(document: &str, table: &str, column: usize) -> Vec<String> {
    let body =
        between(between(document, &format!("id=\"{table}\""), "</table>"), "<tbody>", "</tbody>");
    let cell = |row: &str| {
        let cell = row.split("<td").nth(column + 1).unwrap_or_else(|| panic!("a cell in {row}"));
        between(cell, ">", "</td>").to_owned()
    };
    body.split("</tr>").filter(|row| row.contains("<td")).map(cell).collect()
}
