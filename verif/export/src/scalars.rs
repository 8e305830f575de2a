//! One-bit signals whose bit is selected become vectors.
//!
//! A word of one bit is printed as a scalar, and `a[0]` of a scalar is an error in Verilog. It
//! comes up where a module is built for a single SMX.

use super::text::in_identifier;

/// Declares as `[0:0]` what one module's text declares without a range and selects bits of.
pub fn vectors(module: &str) -> String {
    let mut out = String::with_capacity(module.len());
    for line in module.lines() {
        match scalar(line.trim()) {
            Some(name) if is_selected(module, name) => {
                let at = line.rfind(name).unwrap_or(0);
                out.push_str(&line[..at]);
                out.push_str("[0:0] ");
                out.push_str(&line[at..]);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The name that a line declares without a range.
fn scalar(line: &str) -> Option<&str> {
    let mut words = line.strip_suffix(';')?.split_whitespace();
    let name = match (words.next()?, words.next()?, words.next(), words.next()) {
        ("input" | "output", "wire" | "reg", Some(name), None) => name,
        ("wire" | "reg", name, None, None) => name,
        _ => return None,
    };
    name.bytes().all(in_identifier).then_some(name)
}

fn is_selected(module: &str, name: &str) -> bool {
    module.match_indices(name).any(|(at, _)| {
        let before = module[..at].bytes().last().is_some_and(in_identifier);
        !before && module[at + name.len()..].starts_with('[')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_whose_bit_is_selected_becomes_a_vector() {
        let text = "    input wire  a;\n    reg  b$c;\n        b$c = a[0];\n";
        let expected = "    input wire  [0:0] a;\n    reg  b$c;\n        b$c = a[0];\n";
        assert_eq!(vectors(text), expected);
    }

    #[test]
    fn a_local_becomes_one_as_well() {
        let text = "    reg  a;\n    wire  b;\n        c = a[0] & b[0];\n";
        assert_eq!(
            vectors(text),
            "    reg  [0:0] a;\n    wire  [0:0] b;\n        c = a[0] & b[0];\n"
        );
    }

    #[test]
    fn other_names_that_end_alike_do_not_count() {
        let text = "    reg  a;\n    reg [1:0] b$a;\n        a = b$a[1];\n";
        assert_eq!(vectors(text), text);
    }

    #[test]
    fn vectors_and_memories_stay() {
        let text = "    reg [7:0] a;\n    reg [7:0] m [0:3];\n        a[0] = m[a];\n";
        assert_eq!(vectors(text), text);
    }
}
