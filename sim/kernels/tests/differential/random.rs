//! Inputs.

use blockyard_workloads::hash::mix;

/// Numbers that look random.
pub struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { seed: mix(seed), drawn: 0 }
    }

    /// Any word.
    pub fn word(&mut self) -> u32 {
        self.drawn += 1;
        mix(self.seed ^ self.drawn) as u32
    }

    /// From `least` to `most`.
    pub fn within(&mut self, least: u32, most: u32) -> u32 {
        least + self.word() % (most - least + 1)
    }

    /// A size around those of a warp, or another one up to `most`.
    pub fn size(&mut self, most: u32) -> u32 {
        match self.within(0, 9) {
            0 => 0,
            1 => 1,
            2 => 31,
            3 => 32,
            4 => 33,
            _ => self.within(2, most),
        }
    }

    /// Any finite f32, zeros and subnormals among them.
    pub fn finite(&mut self) -> u32 {
        let word = self.word();
        match (word >> 23 & 0xff, word % 7) {
            (0xff, _) | (_, 0) => word & 0x807f_ffff,
            (_, 1) => word & 0x8000_0000,
            _ => word,
        }
    }

    /// An f32 of which sums and products have to be rounded, and become neither infinite nor
    /// subnormal.
    pub fn moderate(&mut self) -> u32 {
        let word = self.word();
        word & 0x807f_ffff | (120 + (word >> 23 & 15)) << 23
    }

    /// As many, drawn by `one`.
    pub fn array(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> u32) -> Vec<u32> {
        (0..count).map(|_| one(self)).collect()
    }
}
