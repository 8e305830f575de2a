//! `bit_cast` as a concatenation or a slice.
//!
//! rust-hdl prints `bit_cast::<13, 12>(x)` as `((x) & 13'h1fff)`, which mixes widths. With the
//! width of `x` known from its declaration (or from its own slice) it is `{1'h0, x}`, and a
//! narrowing cast is `x[0 +: 12]`.

use super::text::in_identifier;
use std::collections::HashMap;

/// Rewrites the casts of one module's text whose operand is a signal or a slice of one.
pub fn rewrite(module: &str) -> String {
    let widths = widths(module);
    let mut out = String::with_capacity(module.len());
    let mut rest = module;
    while let Some(start) = rest.find("((") {
        let (before, cast) = rest.split_at(start);
        out.push_str(before);
        match parse(cast, &widths) {
            Some((text, length)) => {
                out.push_str(&text);
                rest = &cast[length..];
            }
            None => {
                out.push('(');
                rest = &cast[1..];
            }
        }
    }
    out + rest
}

/// Widths of the declared signals.
fn widths(module: &str) -> HashMap<&str, usize> {
    let mut widths = HashMap::new();
    for line in module.lines() {
        let words: Vec<&str> = line.trim().trim_end_matches(';').split_whitespace().collect();
        let is_signal = matches!(words.first(), Some(&"input" | &"output" | &"reg" | &"wire"));
        if !is_signal || words.len() < 2 {
            continue;
        }
        let width = words.iter().find_map(|word| word.strip_prefix('[')?.strip_suffix(":0]"));
        let width = width.map_or(Some(1), |high| high.parse::<usize>().ok().map(|high| high + 1));
        if let Some(width) = width {
            widths.insert(words[words.len() - 1], width);
        }
    }
    widths
}

/// The replacement and the length of a cast `((operand) & 13'h1fff)` at the start of `text`.
fn parse(text: &str, widths: &HashMap<&str, usize>) -> Option<(String, usize)> {
    let close = text.find(')')?;
    let operand = &text[2..close];
    let mask = text[close..].strip_prefix(") & ")?;
    let end = mask.find(')')?;
    let (bits, digits) = mask[..end].split_once("'h")?;
    let to: usize = bits.parse().ok()?;
    let all_ones = digits.bytes().skip(1).all(|digit| digit == b'f');
    if !all_ones || digits.len() != to.div_ceil(4) {
        return None;
    }
    let name_end = operand.bytes().position(|byte| !in_identifier(byte)).unwrap_or(operand.len());
    let (name, slice) = operand.split_at(name_end);
    let (offset, from) = match slice.strip_prefix('[') {
        None if slice.is_empty() => (0, *widths.get(name)?),
        None => return None,
        Some(slice) => {
            let (offset, width) = slice.strip_suffix(']')?.split_once(" +: ")?;
            (offset.parse::<usize>().ok()?, width.parse::<usize>().ok()?)
        }
    };
    let replaced = match to.cmp(&from) {
        std::cmp::Ordering::Equal => operand.to_owned(),
        std::cmp::Ordering::Greater => format!("{{{}'h0, {operand}}}", to - from),
        std::cmp::Ordering::Less => format!("{name}[{offset} +: {to}]"),
    };
    Some((replaced, close + ") & ".len() + end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARATIONS: &str = "    input wire  [11:0] a;\n    reg  b;\n";

    fn rewritten(line: &str) -> String {
        rewrite(&format!("{DECLARATIONS}{line}")).replace(DECLARATIONS, "")
    }

    #[test]
    fn a_widening_cast_puts_zeros_in_front() {
        assert_eq!(rewritten("c = ((a) & 13'h1fff) + d;"), "c = {1'h0, a} + d;");
        assert_eq!(rewritten("c = ((b) & 8'hff);"), "c = {7'h0, b};");
        assert_eq!(rewritten("c = ((a[3 +: 2]) & 4'hf);"), "c = {2'h0, a[3 +: 2]};");
    }

    #[test]
    fn a_narrowing_cast_is_a_slice() {
        assert_eq!(rewritten("c = ((a) & 5'h1f);"), "c = a[0 +: 5];");
        assert_eq!(rewritten("c = ((a[4 +: 6]) & 5'h1f);"), "c = a[4 +: 5];");
    }

    #[test]
    fn other_masks_and_unknown_signals_stay() {
        for line in [
            "c = ((a) & 12'hffe);",
            "c = ((z) & 5'h1f);",
            "if ((a) & (b)) begin",
            "c = ((a + a) & 5'h1f);",
        ] {
            assert_eq!(rewritten(line), line);
        }
    }
}
