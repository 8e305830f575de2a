//! The files that a compiler has read, as it tells `make`.

use std::path::PathBuf;

/// Those on the right of the rule `ptx: a.cu b.h`: lines end in a backslash to go on, a blank or
/// `#` in a name has one before it, and a `$` stands there twice.
pub fn dependencies(rule: &str) -> Vec<PathBuf> {
    let names = rule.split_once(':').map_or("", |(_, names)| names);
    let names = names.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut files = vec![String::new()];
    let mut letters = names.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = match (letter, letters.peek()) {
            ('\\', Some(&(' ' | '#'))) | ('$', Some('$')) => letters.next(),
            _ => None,
        };
        match (escaped, files.last_mut()) {
            (None, _) if letter.is_whitespace() => files.push(String::new()),
            (letter_meant, Some(file)) => file.push(letter_meant.unwrap_or(letter)),
            (_, None) => {}
        }
    }
    files.into_iter().filter(|file| !file.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_blanks_that_no_backslash_stands_before() {
        let rule = "ptx: a.cu \\\n  /usr/b.h c\\ d\\#.h \\\n  e$$.h\n";
        let names = ["a.cu", "/usr/b.h", "c d#.h", "e$.h"];
        assert_eq!(dependencies(rule), names.map(PathBuf::from));
        assert_eq!(dependencies("ptx:\n"), Vec::<PathBuf>::new());
        assert_eq!(dependencies(""), Vec::<PathBuf>::new());
    }
}
