//! `printf` on the device: a format, and a buffer with the arguments at their alignment.

/// The arguments of a call, read one after the other.
pub(crate) struct Arguments<'a> {
    /// Gives the bytes at an offset, up to 8 of them.
    pub word: &'a mut dyn FnMut(u64, u64) -> Option<u64>,
    /// Gives the string at a generic address.
    pub string: &'a mut dyn FnMut(u64) -> Option<String>,
    /// Where the next one is.
    pub offset: u64,
}

impl Arguments<'_> {
    fn next(&mut self, bytes: u64) -> Option<u64> {
        let at = self.offset.next_multiple_of(bytes);
        self.offset = at + bytes;
        (self.word)(at, bytes)
    }
}

/// One conversion of a format: `%-08.3lld`.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
}

/// The text of `format` with `arguments`, as C prints it. `None`: an argument cannot be read.
pub(crate) fn format(format: &str, arguments: &mut Arguments<'_>) -> Option<String> {
    let mut text = String::new();
    let mut rest = format.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let mut conversion = Conversion::default();
        let number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
                      arguments: &mut Arguments<'_>| {
            if rest.next_if_eq(&'*').is_some() {
                return arguments.next(4).map(|value| value as usize & 0xffff);
            }
            let mut value = 0_usize;
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                value = (10 * value + digit as usize - '0' as usize).min(0xffff);
            }
            Some(value)
        };
        while let Some(flag) = rest.next_if(|letter| "-0+ #".contains(*letter)) {
            match flag {
                '-' => conversion.left = true,
                '0' => conversion.zeros = true,
                '+' => conversion.plus = true,
                ' ' => conversion.space = true,
                _ => conversion.alternative = true,
            }
        }
        conversion.width = number(&mut rest, arguments)?;
        if rest.next_if_eq(&'.').is_some() {
            conversion.precision = Some(number(&mut rest, arguments)?);
        }
        while let Some(size) = rest.next_if(|letter| "hlzjtL".contains(*letter)) {
            conversion.long |= size != 'h';
        }
        match rest.next() {
            None => break,
            Some('%') => text.push('%'),
            Some(kind) => text.push_str(&conversion.text(kind, arguments)?),
        }
    }
    Some(text)
}

impl Conversion {
    fn text(&self, kind: char, arguments: &mut Arguments<'_>) -> Option<String> {
        let bytes = if self.long { 8 } else { 4 };
        let digits = |value: String| match self.precision {
            Some(least) => format!("{value:0>least$}"),
            None => value,
        };
        let (sign, body) = match kind {
            'd' | 'i' => {
                let value = arguments.next(bytes)?;
                let value = if self.long { value as i64 } else { i64::from(value as i32) };
                (self.sign(value < 0), digits(value.unsigned_abs().to_string()))
            }
            'u' => ("", digits(arguments.next(bytes)?.to_string())),
            'x' | 'X' | 'o' => {
                let value = arguments.next(bytes)?;
                let (prefix, text) = match kind {
                    'x' => ("0x", format!("{value:x}")),
                    'X' => ("0X", format!("{value:X}")),
                    _ => ("0", format!("{value:o}")),
                };
                (if self.alternative && value != 0 { prefix } else { "" }, digits(text))
            }
            'p' => ("", format!("{:#x}", arguments.next(8)?)),
            'c' => ("", char::from(arguments.next(4)? as u8).to_string()),
            's' => {
                let address = arguments.next(8)?;
                let string = (arguments.string)(address)?;
                ("", string.chars().take(self.precision.unwrap_or(usize::MAX)).collect())
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => {
                let value = f64::from_bits(arguments.next(8)?);
                let text = float(value.abs(), kind.to_ascii_lowercase(), self.precision);
                let text = if kind.is_uppercase() { text.to_uppercase() } else { text };
                (self.sign(value.is_sign_negative()), text)
            }
            other => ("", format!("%{other}")),
        };
        let missing = self.width.saturating_sub(sign.len() + body.chars().count());
        Some(if self.left {
            format!("{sign}{body}{}", " ".repeat(missing))
        } else if self.zeros && kind != 's' {
            format!("{sign}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{sign}{body}", " ".repeat(missing))
        })
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

fn float(value: f64, kind: char, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return "inf".to_owned();
    }
    let precision = precision.unwrap_or(6);
    match kind {
        'f' => format!("{value:.precision$}"),
        'e' => exponential(value, precision),
        _ => {
            let digits = precision.max(1);
            let scientific = exponential(value, digits - 1);
            let exponent: i32 =
                scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
            let text = if (-4..digits as i32).contains(&exponent) {
                let behind = (digits as i32 - 1 - exponent).max(0) as usize;
                format!("{value:.behind$}")
            } else {
                scientific
            };
            without_zeros(&text)
        }
    }
}

/// `1.5e+00`, as C writes it.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// Without zeros at the end of a fraction.
fn without_zeros(text: &str) -> String {
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    format!("{mantissa}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `format` with the arguments in `bytes`; strings are at offsets of `strings`.
    fn printed(text: &str, bytes: &[u8], strings: &str) -> String {
        let mut word = |at: u64, count: u64| {
            let bytes = bytes.get(at as usize..(at + count) as usize)?;
            Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        };
        let mut string = |at: u64| Some(strings[at as usize..].to_owned());
        let arguments = &mut Arguments { word: &mut word, string: &mut string, offset: 0 };
        format(text, arguments).expect("all arguments are there")
    }

    #[test]
    fn integers_have_widths_zeros_and_signs_as_in_c() {
        let bytes = (-42_i32).to_le_bytes();
        assert_eq!(printed("%d|%%", &bytes, ""), "-42|%");
        assert_eq!(printed("%6d|", &bytes, ""), "   -42|");
        assert_eq!(printed("%-6d|", &bytes, ""), "-42   |");
        assert_eq!(printed("%06d|", &bytes, ""), "-00042|");
        assert_eq!(printed("%u", &bytes, ""), "4294967254");
        assert_eq!(printed("%#x", &255_u32.to_le_bytes(), ""), "0xff");
        assert_eq!(printed("%+.3d", &7_u32.to_le_bytes(), ""), "+007");
    }

    #[test]
    fn arguments_are_at_their_alignment() {
        let mut bytes = 5_u32.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        bytes.extend((-1_i64).to_le_bytes());
        bytes.extend(2.5_f64.to_le_bytes());
        assert_eq!(printed("%d %lld %f", &bytes, ""), "5 -1 2.500000");
    }

    #[test]
    fn floats_are_as_in_c() {
        let of = |text: &str, value: f64| printed(text, &value.to_le_bytes(), "");
        assert_eq!(of("%g", 0.0001), "0.0001");
        assert_eq!(of("%g", 100_000.0), "100000");
        assert_eq!(of("%g", 1e6), "1e+06");
        assert_eq!(of("%.2e", 12_345.0), "1.23e+04");
        assert_eq!(of("%8.3f|", -1.5), "  -1.500|");
        assert_eq!(of("%f", f64::NAN), "nan");
        assert_eq!(of("%f", f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn strings_are_cut_off_at_their_precision() {
        assert_eq!(printed("%s!", &1_u64.to_le_bytes(), "abcd"), "bcd!");
        assert_eq!(printed("%.2s!", &0_u64.to_le_bytes(), "abcd"), "ab!");
    }
}
