//! Which literal is which bit of which signal: the file that `write_aiger -vmap` writes.

use std::collections::BTreeMap;

/// The literals of each signal's bits, the lowest first; a bit that no property depends on has
/// none.
pub type Signals = BTreeMap<String, Vec<Option<u32>>>;

/// Reads lines like `wire 18 3 queue.place`; signals without a name of the design's own are left
/// out.
pub fn parse(map: &str) -> Signals {
    let mut signals = Signals::new();
    for line in map.lines() {
        let mut words = line.split_whitespace();
        let wire = words.next() == Some("wire");
        let numbers =
            (words.next().and_then(|w| w.parse().ok()), words.next().and_then(|w| w.parse().ok()));
        let (true, (Some(literal), Some(bit)), Some(name)) = (wire, numbers, words.next()) else {
            continue;
        };
        let bit: usize = bit;
        // Yosys' own names begin so, at the top or below an instance.
        if name.starts_with('$') || name.contains(".$") {
            continue;
        }
        let bits = signals.entry(name.to_owned()).or_default();
        bits.resize(bits.len().max(bit + 1), None);
        bits[bit] = Some(literal);
    }
    signals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_in_order_and_generated_names_are_left_out() {
        let text =
            "input 0 0 clock\nwire 9 2 a.q\nwire 4 0 a.q\nwire 6 0 $auto$1\nwire 6 0 a.$auto$1\n";
        let signals = parse(text);
        assert_eq!(signals, Signals::from([("a.q".to_owned(), vec![Some(4), None, Some(9)])]));
    }
}
