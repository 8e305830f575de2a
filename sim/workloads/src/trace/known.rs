//! A line that was read, and what it says.

use super::addresses::Addresses;
use super::fault::Parsed;
use super::header::Header;
use super::hex;
use super::instruction::{conclude, quick_rest, read_rest, Head, Traced};

/// Digits of an address that may be others in each line.
pub(super) const LOW: usize = 8;

/// Most bytes behind the begin of a line that are compared with another's.
const MOST_COMPARED: usize = 64;

/// What follows the begin of a line with addresses.
#[derive(Debug, Default)]
enum Rest {
    /// Like this, but for the [`LOW`] last digits of the address of the first lane, which begin at
    /// `low`.
    Like { text: Vec<u8>, low: usize },
    /// It is read each time.
    #[default]
    Varies,
}

impl Rest {
    /// Like `text`, which is mode, base and stride and what may follow; other modes have more
    /// addresses than one.
    fn like(text: &[u8]) -> Self {
        let digits = text.strip_prefix(b" 1 0x").unwrap_or_default();
        let end = 5 + digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if end < 5 + LOW || text.len() > MOST_COMPARED {
            return Self::Varies;
        }
        Self::Like { text: text.to_vec(), low: end - LOW }
    }

    fn fits(&self, other: &[u8]) -> bool {
        match self {
            Self::Like { text, low } => {
                let behind = low + LOW;
                other.len() == text.len()
                    && other[..*low] == text[..*low]
                    && other[behind..] == text[behind..]
            }
            Self::Varies => true,
        }
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The whole line, or what comes before its addresses; empty before the first line.
    text: Vec<u8>,
    /// Only of a line with addresses.
    head: Option<Head>,
    rest: Rest,
    /// Whether it was the warp's last one: that may say something else.
    last: bool,
    traced: Traced,
}

impl Known {
    /// The line `text` says `head` and `traced`.
    pub fn learn(&mut self, last: bool, text: &[u8], head: Head, traced: &Traced) {
        let addresses = traced.addresses != Addresses::None;
        self.text.clear();
        self.text.extend_from_slice(if addresses { &text[..head.end] } else { text });
        self.rest = if addresses { Rest::like(&text[head.end..]) } else { Rest::Varies };
        self.head = addresses.then_some(head);
        self.last = last;
        self.traced = traced.clone();
    }

    /// Whether a line was learnt that was the warp's last one if `last`, and another if not.
    pub fn is_of(&self, last: bool) -> bool {
        self.last == last && !self.text.is_empty()
    }

    /// The whole line, or what comes before its addresses.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether the line has addresses.
    pub fn has_addresses(&self) -> bool {
        self.head.is_some()
    }

    /// What is before and behind the last [`LOW`] digits of the line's one address, up to its end;
    /// `None` if it is not always that, or there are other addresses.
    pub fn around_low(&self) -> Option<(&[u8], &[u8])> {
        match &self.rest {
            Rest::Like { text, low } => Some((&text[..*low], &text[low + LOW..])),
            Rest::Varies => None,
        }
    }

    /// What the line says that was read last.
    pub fn traced(&self) -> &Traced {
        &self.traced
    }

    /// Whether the line `text` is this one, or begins like it before its addresses.
    pub fn begins(&self, text: &[u8]) -> bool {
        if self.head.is_none() {
            return self.text == text;
        }
        let end = text.get(self.text.len());
        text.starts_with(&self.text) && matches!(end, None | Some(b' ' | b'\t'))
    }

    /// Reads the line `text`, which [`Known::begins`].
    ///
    /// # Errors
    /// When the rest of the line is not that of an instruction.
    pub fn read(&mut self, text: &[u8], header: &Header) -> Parsed<&Traced> {
        if let Some(head) = &self.head {
            if !self.rest.fits(&text[head.end..]) {
                self.rest = Rest::Varies;
            }
            read_rest(text, head, header, self.last, &mut self.traced)?;
        }
        Ok(&self.traced)
    }

    /// Reads a line of which `text` is what follows its begin, and further lines. Gives the bytes
    /// up to the next line; `None` if it is not as tracers print it, or its end is not in `text`.
    #[inline]
    pub fn read_ahead(&mut self, text: &[u8], header: &Header) -> Option<usize> {
        let behind = quick_rest(text, self.head.as_ref()?, header, self.last, &mut self.traced)?;
        behind.starts_with(b"\n").then_some(text.len() - behind.len() + 1)
    }

    /// Reads a line that was [`Known::around_low`], with `digits` between; `None` if these are no
    /// digits, or if a line that was not like that was read since.
    #[inline]
    pub fn read_low(&mut self, digits: &[u8; LOW], header: &Header) -> Option<()> {
        // Else its stride, or its list, would stay.
        self.around_low()?;
        let low = hex::eight_digits(u64::from_le_bytes(*digits))?;
        let traced = &mut self.traced;
        if let Addresses::Stride { base, stride } = traced.addresses {
            // That of the first lane is the one whose digits these are.
            let first = traced.first_address()?;
            let now = first & !u64::from(u32::MAX) | u64::from(low);
            let base = base.wrapping_add(now.wrapping_sub(first));
            traced.addresses = Addresses::Stride { base, stride };
            // Nothing else follows from where in one kind of memory an address is.
            if header.is_shared(now) != header.is_shared(first) {
                conclude(self.head.as_ref()?, header, self.last, traced);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Operation, Space};
    use crate::trace::instruction;
    use crate::trace::opcode::{Architecture, Decoder};
    use crate::trace::tests::plain_header;
    use proptest::prelude::*;

    fn learnt(text: &str) -> Known {
        let (mut known, mut traced) = (Known::default(), Traced::default());
        let mut decoder = Decoder::new(Architecture::Kepler, Default::default());
        let text = text.as_bytes();
        let head = instruction::read(text, &plain_header(), &mut decoder, false, &mut traced);
        known.learn(false, text, head.unwrap(), &traced);
        known
    }

    fn line(active: u32, address: u64) -> String {
        format!("0010 {active:08x} 1 R1 LD.E 1 R2 4 1 {address:#x} -12 0 ")
    }

    #[test]
    fn only_the_low_digits_of_a_base_are_left_out() {
        let around = |text: &str| {
            let known = learnt(text);
            known.around_low().map(|around| <[&[u8]; 2]>::from(around).map(<[u8]>::to_vec))
        };
        let expected = [&b" 1 0x7f40"[..], &b" -12 0 "[..]].map(<[u8]>::to_vec);
        assert_eq!(around(&line(1, 0x7f40_0123_4567)), Some(expected));
        let expected = [&b" 1 0x"[..], &b" -12 0 "[..]].map(<[u8]>::to_vec);
        assert_eq!(around(&line(1, 0x8123_4567)), Some(expected), "eight digits");
        assert_eq!(around(&line(1, 0x123_4567)), None, "seven digits");
        assert_eq!(around("0010 1 1 R1 LD.E 1 R2 4 0 0x7f4001234567 0"), None);
        assert_eq!(around("0010 1 1 R1 LD.E 1 R2 4 2 0x7f4001234567 0"), None);
    }

    #[test]
    fn a_line_ahead_ends_behind_its_lf() {
        let mut known = learnt(&line(3, 0x7f40_0000_0000));
        let mut ahead = |text: &str| known.read_ahead(text.as_bytes(), &plain_header());
        assert_eq!(ahead(" 1 0x7f4000000008 4 0 \n0018 "), Some(23));
        assert_eq!(ahead(" 1 0x7f4000000008 4 0 "), None, "its end is not there");
    }

    #[test]
    fn a_line_that_was_another_once_is_read_each_time() {
        let mut known = learnt(&line(3, 0x7f40_0000_0000));
        known.read(line(3, 0x7f40_ffff_0000).as_bytes(), &plain_header()).unwrap();
        assert!(known.around_low().is_some());
        known.read(line(3, 0x7f41_0000_0000).as_bytes(), &plain_header()).unwrap();
        assert!(known.around_low().is_none());
    }

    #[test]
    fn what_another_line_said_does_not_stay_for_low_digits() {
        for rest in ["0 0x7f4000000000 0x7f4000000000 0 ", "1 0x7f4000000000 8 0 "] {
            let mut known = learnt(&line(3, 0x7f40_0000_0000));
            assert!(known.read_low(b"00000010", &plain_header()).is_some());
            let other = format!("0010 00000003 1 R1 LD.E 1 R2 4 {rest}");
            known.read(other.as_bytes(), &plain_header()).unwrap();
            assert!(known.read_low(b"00000010", &plain_header()).is_none(), "{rest}");
        }
    }

    #[test]
    fn low_digits_decide_between_shared_and_global_memory() {
        let space = |known: &Known| match known.traced().operation {
            Operation::Memory { space, .. } => space,
            other => panic!("{other:?}"),
        };
        // The header's window of shared memory begins at 0x7f0000000000 and has 16 MiB.
        let mut known = learnt(&line(3, 0x7f00_0000_0010));
        assert_eq!(space(&known), Space::Shared);
        known.read_low(b"01000000", &plain_header()).unwrap();
        assert_eq!(space(&known), Space::Global);
        known.read_low(b"00ffffff", &plain_header()).unwrap();
        assert_eq!(space(&known), Space::Shared);
    }

    proptest! {
        #[test]
        fn low_digits_alone_say_the_same_as_the_line(
            active in 1_u32.., high in 0_u32..0x1_0000, lows: [u32; 2],
        ) {
            let [before, after] =
                lows.map(|low| line(active, u64::from(high) << 32 | u64::from(low | 1 << 31)));
            let mut known = learnt(&before);
            let digits = format!("{:08x}", lows[1] | 1 << 31);
            let digits: &[u8; LOW] = digits.as_bytes().try_into().unwrap();
            prop_assert!(known.read_low(digits, &plain_header()).is_some());
            let expected = learnt(&after);
            prop_assert_eq!(known.traced().addresses, expected.traced().addresses);
            prop_assert_eq!(known.traced().operation, expected.traced().operation);
            prop_assert!(known.read_low(b"0000000 ", &plain_header()).is_none());
        }
    }
}
