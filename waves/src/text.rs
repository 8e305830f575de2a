//! Texts beside the signals: what a reader should see at once, in words.

/// The scope, beside the hardware's top, in which all variables are texts.
///
/// VCD has variables of text. FST's writer has none: there a text is a word of ASCII characters,
/// and a reader knows it by this scope.
pub const TEXT_SCOPE: &str = "story";

/// A text that changes over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextVariable {
    /// Dotted path below [`TEXT_SCOPE`]: `smx_0.slot_1`.
    pub path: String,
    /// Most characters; longer texts end in `~`.
    pub length: usize,
}

/// `text` as a dump can hold it: `length` characters of ASCII at most, none of them a space.
pub(crate) fn fitted(text: &str, length: usize) -> String {
    let plain = |c: char| if c.is_ascii_graphic() { c } else { '_' };
    if text.chars().count() <= length {
        return text.chars().map(plain).collect();
    }
    text.chars().take(length.saturating_sub(1)).map(plain).chain(['~']).collect()
}

/// Overwrites `bits` with those of a text of at most `length` characters, the first character
/// highest; what is left is zero.
pub(crate) fn bits(text: &[u8], length: usize, bits: &mut Vec<u8>) {
    bits.clear();
    for byte in text.iter().take(length) {
        bits.extend((0..8).rev().map(|bit| b'0' + (byte >> bit & 1)));
    }
    bits.resize(8 * length, b'0');
}

/// The text that [`bits`] made them of; `None` for bits that are none.
pub(crate) fn from_bits(bits: &str) -> Option<String> {
    let bytes = bits.as_bytes().chunks(8).map(|byte| {
        let byte = std::str::from_utf8(byte).ok()?;
        u8::from_str_radix(byte, 2).ok()
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    Some(bytes.into_iter().filter(|byte| *byte != 0).map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_fits_its_length_and_one_character_more_is_cut_with_a_mark() {
        assert_eq!(fitted("abcd", 4), "abcd");
        assert_eq!(fitted("abcde", 4), "abc~");
        assert_eq!(fitted("a b\u{e9}", 4), "a_b_");
    }

    #[test]
    fn bits_give_their_text_back() {
        for text in ["", "a", "K#2(3,0,0)"] {
            let mut word = b"left over".to_vec();
            bits(text.as_bytes(), 12, &mut word);
            let word = String::from_utf8(word).expect("digits");
            assert_eq!((word.len(), from_bits(&word).as_deref()), (96, Some(text)));
        }
        assert_eq!(from_bits("xxxxxxxx"), None);
    }
}
