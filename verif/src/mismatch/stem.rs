//! How the files of a report are called, so that those of another failure stay.

use std::fs;
use std::path::Path;

const STEM: &str = "mismatch";

/// `mismatch`, or the first of `mismatch-2`, `mismatch-3` and so on that is free in `folder`, or
/// whose text has all lines of `identity`: then it is of the same failure.
pub fn choose(folder: &Path, identity: &[String]) -> String {
    let stems = (2..).map(|number| format!("{STEM}-{number}"));
    let mut stems = std::iter::once(STEM.to_owned()).chain(stems);
    let is_ours = |stem: &String| match fs::read_to_string(folder.join(format!("{stem}.txt"))) {
        Ok(text) => identity.iter().all(|line| text.lines().any(|found| found == line)),
        Err(_) => true,
    };
    stems.find(is_ours).expect("there is always a next one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(port: &str) -> Vec<String> {
        vec!["mismatch in cycle 7".to_owned(), format!("  port      {port}")]
    }

    #[test]
    fn the_same_failure_has_the_same_name_and_another_one_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |stem: &str, port: &str| {
            let text = format!("{}\n  made by   anyone\n", lines(port).join("\n"));
            fs::write(folder.path().join(format!("{stem}.txt")), text).expect("written");
        };
        assert_eq!(choose(folder.path(), &lines("a")), "mismatch");
        write("mismatch", "a");
        assert_eq!(choose(folder.path(), &lines("a")), "mismatch");
        assert_eq!(choose(folder.path(), &lines("b")), "mismatch-2");
        write("mismatch-2", "b");
        assert_eq!(choose(folder.path(), &lines("a")), "mismatch");
        assert_eq!(choose(folder.path(), &lines("b")), "mismatch-2");
        assert_eq!(choose(folder.path(), &lines("c")), "mismatch-3");
    }
}
