//! Whole numbers of any size, as little as exact sums of floats need.

use std::cmp::Ordering;

/// A whole number, not negative: its bits, the lowest first, without zeros at the top.
///
/// One entry a bit is slow, and leaves nothing to get wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Natural(Vec<bool>);

impl Natural {
    /// That number.
    pub fn from(mut value: u128) -> Self {
        let mut bits = Vec::new();
        while value != 0 {
            bits.push(value % 2 == 1);
            value /= 2;
        }
        Self(bits)
    }

    /// How many bits it takes to write.
    pub fn length(&self) -> i64 {
        self.0.len() as i64
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// One of its bits.
    pub fn bit(&self, place: usize) -> bool {
        self.0.get(place).copied().unwrap_or(false)
    }

    /// Whether it has a one below that place.
    pub fn any_below(&self, place: usize) -> bool {
        self.0.iter().take(place).any(|bit| *bit)
    }

    /// Times two to the power of `places`.
    pub fn up(&self, places: usize) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        let mut bits = vec![false; places];
        bits.extend(&self.0);
        Self(bits)
    }

    /// Divided by two to the power of `places`, rounded down.
    pub fn down(&self, places: usize) -> Self {
        Self(self.0.iter().skip(places).copied().collect())
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let mut bits = Vec::new();
        let mut carry = false;
        for place in 0..=self.0.len().max(other.0.len()) {
            let (a, b) = (self.bit(place), other.bit(place));
            bits.push(a ^ b ^ carry);
            carry = u8::from(a) + u8::from(b) + u8::from(carry) >= 2;
        }
        Self(bits).trimmed()
    }

    /// The difference; `other` is not more.
    pub fn minus(&self, other: &Self) -> Self {
        let mut bits = Vec::new();
        let mut borrow = false;
        for place in 0..self.0.len() {
            let (a, b) = (self.bit(place), other.bit(place));
            bits.push(a ^ b ^ borrow);
            borrow = u8::from(a) < u8::from(b) + u8::from(borrow);
        }
        Self(bits).trimmed()
    }

    /// Which is more.
    pub fn compare(&self, other: &Self) -> Ordering {
        let places = (0..self.0.len().max(other.0.len())).rev();
        places
            .map(|place| self.bit(place).cmp(&other.bit(place)))
            .find(|it| it.is_ne())
            .map_or(Ordering::Equal, |it| it)
    }

    /// As a number; `None` if it takes more than 127 bits.
    pub fn small(&self) -> Option<u128> {
        if self.0.len() > 127 {
            return None;
        }
        Some(self.0.iter().rev().fold(0, |value, bit| value * 2 + u128::from(*bit)))
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&false) {
            self.0.pop();
        }
        self
    }
}
