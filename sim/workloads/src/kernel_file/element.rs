//! Types of elements, and numbers as their bits.

use toml::Value;

/// The type of a buffer's elements; the number is its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// 1, 2, 4 or 8 bytes.
    Unsigned(u8),
    /// In two's complement.
    Signed(u8),
    /// 4 or 8 bytes.
    Float(u8),
}

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole one.
    Integer(i128),
    /// One with a point, or that is infinite or no number.
    Float(f64),
}

const NAMES: [(&str, Element); 10] = [
    ("u8", Element::Unsigned(1)),
    ("u16", Element::Unsigned(2)),
    ("u32", Element::Unsigned(4)),
    ("u64", Element::Unsigned(8)),
    ("i8", Element::Signed(1)),
    ("i16", Element::Signed(2)),
    ("i32", Element::Signed(4)),
    ("i64", Element::Signed(8)),
    ("f32", Element::Float(4)),
    ("f64", Element::Float(8)),
];

impl Element {
    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, element)| *element)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// All names, for messages.
    pub fn names() -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        let (Element::Unsigned(bytes) | Element::Signed(bytes) | Element::Float(bytes)) = self;
        usize::from(bytes)
    }

    /// The least and the greatest whole number.
    fn range(self) -> (i128, i128) {
        match self {
            Element::Unsigned(bytes) => (0, (1 << (8 * bytes)) - 1),
            Element::Signed(bytes) => (-(1 << (8 * bytes - 1)), (1 << (8 * bytes - 1)) - 1),
            Element::Float(_) => (i128::MIN, i128::MAX),
        }
    }

    /// The bits of `number`, or `None` if it is no value of the type.
    pub fn encode(self, number: Number) -> Option<u64> {
        match (self, number) {
            (Element::Float(4), Number::Integer(value)) => Some((value as f32).to_bits().into()),
            (Element::Float(_), Number::Integer(value)) => Some((value as f64).to_bits()),
            (Element::Float(4), Number::Float(value)) => {
                let single = value as f32;
                (single.is_finite() || !value.is_finite()).then(|| single.to_bits().into())
            }
            (Element::Float(_), Number::Float(value)) => Some(value.to_bits()),
            (_, Number::Float(_)) => None,
            (_, Number::Integer(value)) => {
                let (least, most) = self.range();
                let mask = u64::MAX >> (64 - 8 * self.bytes());
                (least..=most).contains(&value).then_some(value as u64 & mask)
            }
        }
    }

    /// The greatest value of a floating-point type that is less than `end`, as the type has that.
    pub fn below(self, end: f64) -> f64 {
        match self {
            Element::Float(4) => (end as f32).next_down().into(),
            _ => end.next_down(),
        }
    }

    /// Whether the whole numbers up to `last` are different values.
    pub fn tells_apart(self, last: i128) -> bool {
        let most = match self {
            Element::Float(4) => 1 << f32::MANTISSA_DIGITS,
            Element::Float(_) => 1 << f64::MANTISSA_DIGITS,
            _ => self.range().1,
        };
        last <= most
    }

    /// What [`Element::encode`] takes, for messages.
    pub fn expectation(self) -> String {
        match self {
            Element::Float(4) => format!("a number from {:e} to {:e}", f32::MIN, f32::MAX),
            Element::Float(_) => "a number".to_owned(),
            _ => {
                let (least, most) = self.range();
                format!("a whole number from {least} to {most}")
            }
        }
    }

    /// The number in the first bytes of `bytes`.
    pub fn decode(self, bytes: &[u8]) -> Number {
        let low = bytes.iter().take(self.bytes()).rev();
        let bits = low.fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        match self {
            Element::Unsigned(_) => Number::Integer(bits.into()),
            Element::Signed(width) => {
                let shift = 64 - 8 * u32::from(width);
                Number::Integer((((bits << shift) as i64) >> shift).into())
            }
            Element::Float(4) => Number::Float(f32::from_bits(bits as u32).into()),
            Element::Float(_) => Number::Float(f64::from_bits(bits)),
        }
    }

    /// The number that `word` is, as a value of the type.
    pub fn parse(self, word: &str) -> Option<u64> {
        match self {
            Element::Float(4) => {
                // By way of a double, what is between two singles might be rounded twice.
                let single = word.parse::<f32>().ok()?;
                let fits =
                    single.is_finite() || word.parse::<f64>().is_ok_and(|all| !all.is_finite());
                fits.then(|| single.to_bits().into())
            }
            Element::Float(_) => word.parse::<f64>().ok().map(f64::to_bits),
            _ => self.encode(Number::Integer(word.parse().ok()?)),
        }
    }

    /// The element in `bytes` as text that [`Element::parse`] takes back.
    pub fn text(self, bytes: &[u8]) -> String {
        match (self, self.decode(bytes)) {
            // The shortest text of a single, not that of the double of equal value.
            (Element::Float(4), Number::Float(value)) => format!("{:?}", value as f32),
            (_, Number::Float(value)) => format!("{value:?}"),
            (_, Number::Integer(value)) => value.to_string(),
        }
    }
}

impl Number {
    /// A number of a TOML file.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(value) => Some(Number::Integer((*value).into())),
            Value::Float(value) => Some(Number::Float(*value)),
            _ => None,
        }
    }

    /// As a float.
    pub fn float(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// `value` as a message shows it: a string in quotes, a number as it is.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
