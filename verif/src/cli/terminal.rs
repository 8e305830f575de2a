//! Text that fits the terminal. Where standard output is none, as in a pipe, lines are as long as
//! they are.

use comfy_table::{ContentArrangement, Table};
use std::io::{stdout, IsTerminal};
use terminal_size::{terminal_size_of, Width};

/// Columns of the terminal; `None` if there is none.
fn width() -> Option<u16> {
    let out = stdout();
    let size = out.is_terminal().then(|| terminal_size_of(&out)).flatten();
    size.map(|(Width(columns), _)| columns)
}

/// Breaks the cells of `table` so that it is no wider than the terminal.
pub fn fit(table: &mut Table) {
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
}

/// `line`, broken between words where it is wider than the terminal; what follows is indented by
/// `indent`.
pub fn wrapped(line: &str, indent: usize) -> String {
    width().map_or_else(|| line.to_owned(), |width| wrapped_at(line, indent, width.into()))
}

fn wrapped_at(line: &str, indent: usize, width: usize) -> String {
    if line.chars().count() <= width || width <= indent {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let bare = word.trim_end().chars().count();
        if column > indent && column + bare > width {
            text.truncate(text.trim_end().len());
            text += "\n";
            text += &" ".repeat(indent);
            column = indent;
        }
        text += word;
        column += word.chars().count();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::wrapped_at;

    #[test]
    fn lines_are_broken_between_words_and_not_within() {
        assert_eq!(wrapped_at("name  one two three", 6, 13), "name  one two\n      three");
        assert_eq!(wrapped_at("name  one two three", 6, 12), "name  one\n      two\n      three");
        assert_eq!(
            wrapped_at("name  incomprehensibilities x", 6, 12),
            "name  incomprehensibilities\n      x"
        );
        assert_eq!(wrapped_at("name  one", 6, 9), "name  one");
        assert_eq!(wrapped_at("name  one", 6, 5), "name  one", "there is no room for anything");
    }
}
