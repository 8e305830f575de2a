//! Patterns: characters and classes one after the other, each with a repetition or none.

use std::ops::RangeInclusive;

/// A place of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The bytes that fit.
    pub class: Vec<RangeInclusive<u8>>,
    /// None need be there: `?` and `*`.
    pub optional: bool,
    /// Any number may be there: `+` and `*`.
    pub repeated: bool,
}

impl Item {
    /// Whether `byte` fits.
    pub fn takes(&self, byte: u8) -> bool {
        self.class.iter().any(|range| range.contains(&byte))
    }
}

/// The items of `text`: a character stands for itself, `[a-z.]` for one of several, and `?`, `+` or
/// `*` behind either for none or one, one or more, any number.
///
/// # Panics
/// When a class does not end.
pub(super) fn items(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, items.last_mut()) {
            (b'?' | b'+' | b'*', Some(last)) => {
                last.optional |= byte != b'+';
                last.repeated |= byte != b'?';
            }
            (b'[', _) => {
                let inside: Vec<u8> = bytes.by_ref().take_while(|&byte| byte != b']').collect();
                items.push(item(class(&inside)));
            }
            _ => items.push(item(vec![byte..=byte])),
        }
    }
    items
}

fn item(class: Vec<RangeInclusive<u8>>) -> Item {
    Item { class, optional: false, repeated: false }
}

fn class(inside: &[u8]) -> Vec<RangeInclusive<u8>> {
    match inside {
        [] => Vec::new(),
        [first, b'-', last, rest @ ..] => [vec![*first..=*last], class(rest)].concat(),
        [only, rest @ ..] => [vec![*only..=*only], class(rest)].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_belong_to_what_is_before_them() {
        let found = items("a+[0-9.]*c?d");
        let flags: Vec<_> = found.iter().map(|item| (item.optional, item.repeated)).collect();
        assert_eq!(flags, [(false, true), (true, true), (true, false), (false, false)]);
    }

    #[test]
    fn a_class_takes_its_ranges_with_both_ends_and_single_bytes() {
        let class = &items("[b-d.]")[0];
        let taken: Vec<u8> = (0..=255).filter(|&byte| class.takes(byte)).collect();
        assert_eq!(taken, b".bcd");
        assert!(items("x")[0].takes(b'x') && !items("x")[0].takes(b'y'));
    }
}
