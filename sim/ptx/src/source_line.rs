//! The lines of CUDA C++ of which PTX was made, where a compiler has written them down.

/// Where in its source the instruction at byte `at` of the module `text` comes from, as the last
/// `.loc` before it in its function says: `saxpy.cu:4:12`. `None` if nothing is said there.
pub(crate) fn of(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let mut found = None;
    for line in before.lines().map(str::trim_start) {
        let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        match words.next() {
            Some(".loc") => {
                let mut number = || words.next()?.parse::<u32>().ok();
                found = Some([number(), number(), number()]);
            }
            // Another function.
            Some(".visible" | ".entry" | ".func" | ".weak" | ".extern") => found = None,
            _ => {}
        }
    }
    let [Some(file), Some(line @ 1..), column] = found? else { return None };
    let name = name_of(text, file)?;
    let column = column.filter(|column| *column > 0);
    Some(match column {
        Some(column) => format!("{name}:{line}:{column}"),
        None => format!("{name}:{line}"),
    })
}

/// The name of the file with that number.
fn name_of(text: &str, number: u32) -> Option<&str> {
    text.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(".file")?.trim_start();
        let (found, rest) = rest.split_once([' ', '\t'])?;
        let (_, name) = rest.split_once('"')?;
        let (name, _) = name.split_once('"')?;
        (found.parse() == Ok(number)).then(|| name.strip_prefix("./").unwrap_or(name))
    })
}

/// What stands under the place at byte `at` of `text`, of which something is said.
pub(crate) fn label(text: &str, at: usize) -> String {
    match of(text, at) {
        Some(place) => format!("here, from {place}"),
        None => "here".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".version 4.2
.target sm_35
.visible .entry k()
{
first;
\t.loc\t2 7 0
second;
\t.loc\t1 8 12, function_name $L__info_string0, inlined_at 1 9 3
third; fourth;
\t.loc\t1 0 9
fifth;
\t.loc\t3 1 1
sixth;
\t.loc
seventh;
}
.visible .entry l()
{
eighth;
}
\t.file\t1 \"./k.cu\"
\t.file\t2 \"/include/k.h\", 123, 456
";

    #[test]
    fn the_last_line_before_an_instruction_in_its_function_counts() {
        let place = |word: &str| of(TEXT, TEXT.find(word).expect(word));
        assert_eq!(place("first"), None);
        assert_eq!(place("second"), Some("/include/k.h:7".to_owned()));
        assert_eq!(place("third"), Some("k.cu:8:12".to_owned()));
        assert_eq!(place("fourth"), Some("k.cu:8:12".to_owned()));
        // A line that the compiler does not know, a file without a name, nothing at all, another
        // function.
        for word in ["fifth", "sixth", "seventh", "eighth"] {
            assert_eq!(place(word), None, "{word}");
        }
        assert_eq!(of(TEXT, TEXT.len() + 1), None);
        assert_eq!(label(TEXT, TEXT.find("third").unwrap()), "here, from k.cu:8:12");
        assert_eq!(label(TEXT, 0), "here");
    }
}
