//! Signals as RTLIL writes them: `\a.q`, `\a.q [4:0]`, `4'0010`, `{ \a.q [3] \b.q }`.

use std::collections::HashMap;

/// A bit of a wire, or a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bit {
    /// Of the wire of this name, this one.
    Wire(String, u64),
    /// `0`, `1`, `x`, `z`.
    Constant(char),
}

impl Bit {
    /// The wire's name.
    pub fn wire(&self) -> Option<&str> {
        match self {
            Self::Wire(name, _) => Some(name),
            Self::Constant(_) => None,
        }
    }
}

/// The bits of a signal, the least significant first. Wires of unknown width have `otherwise` bits.
pub fn bits(signal: &str, widths: &HashMap<&str, u64>, otherwise: u64) -> Vec<Bit> {
    let mut words = signal.split_whitespace().filter(|word| !["{", "}"].contains(word)).peekable();
    let mut parts = Vec::new();
    while let Some(word) = words.next() {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            parts.push(constant(word));
            continue;
        }
        let slice = words.next_if(|word| word.starts_with('['));
        let (high, low) = match slice.and_then(range) {
            Some(range) => range,
            None => (widths.get(word).copied().unwrap_or(otherwise).max(1) - 1, 0),
        };
        parts.push((low..=high).map(|bit| Bit::Wire(word.to_owned(), bit)).collect());
    }
    parts.into_iter().rev().flatten().collect()
}

/// `4'0010`; a plain number is one of 32 bits.
fn constant(word: &str) -> Vec<Bit> {
    match word.split_once('\'') {
        Some((_, digits)) => digits.chars().rev().map(Bit::Constant).collect(),
        None => {
            let number: u64 = word.parse().unwrap_or(0);
            let digit = |bit: u64| if (number >> bit) % 2 == 1 { '1' } else { '0' };
            (0..32).map(|bit| Bit::Constant(digit(bit))).collect()
        }
    }
}

/// `[4:0]` or `[3]`.
fn range(slice: &str) -> Option<(u64, u64)> {
    let inner = slice.trim_matches(['[', ']']);
    let (high, low) = inner.split_once(':').unwrap_or((inner, inner));
    Some((high.parse().ok()?, low.parse().ok()?))
}

/// The place of a flattened name, without its last part: `\a.smx$3.in_use.q` is at
/// `a.smx[*].in_use`.
pub fn place(name: &str) -> String {
    let name = name.strip_prefix("$flatten").unwrap_or(name).replace('\\', "");
    let Some((path, _)) = name.rsplit_once('.') else { return String::new() };
    let parts = path.split('.').map(|part| match part.split_once('$') {
        Some((name, _)) => format!("{name}[*]"),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_from_the_least_significant_upwards() {
        let widths = HashMap::from([("\\b", 2)]);
        let shown = |signal: &str| -> Vec<String> {
            let show = |bit: &Bit| match bit {
                Bit::Wire(name, bit) => format!("{name}{bit}"),
                Bit::Constant(digit) => digit.to_string(),
            };
            bits(signal, &widths, 3).iter().map(show).collect()
        };
        assert_eq!(shown("\\a"), ["\\a0", "\\a1", "\\a2"]);
        assert_eq!(shown("\\a [4:3]"), ["\\a3", "\\a4"]);
        assert_eq!(shown("{ \\a [7] \\b 2'1x }"), ["x", "1", "\\b0", "\\b1", "\\a7"]);
        assert_eq!(shown("5").len(), 32);
        assert_eq!(shown("5")[..3], ["1", "0", "1"]);
    }
}
