//! Textures: arrays that are read by coordinates (CUDA C Programming Guide, "Texture Fetching").

use rustc_hash::FxHashMap;

use super::Memory;

/// An array in global memory that a texture reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Its first byte.
    pub address: u64,
    /// Elements of a row, and rows.
    pub width: u32,
    /// See `width`; 1 for one dimension.
    pub height: u32,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Words of 32 bits of an element: 1, 2 or 4.
    pub channels: u32,
    /// Coordinates are fractions of the extents.
    pub normalized: bool,
    /// Values between elements are interpolated; else the nearest element's is taken. Only of f32.
    pub linear: bool,
    /// Beyond the edges the array begins again; else the edge goes on. Only of normalized coordinates.
    pub wraps: bool,
}

/// Textures by the address of their variable.
#[derive(Debug, Default)]
pub(crate) struct Textures(FxHashMap<u64, Texture>);

impl Textures {
    pub fn bind(&mut self, variable: u64, texture: Texture) {
        self.0.insert(variable, texture);
    }

    pub fn find(&self, variable: u64) -> Option<Texture> {
        self.0.get(&variable).copied()
    }
}

impl Texture {
    /// The four channels at whole coordinates, which are elements; those that it does not have are 0, and
    /// what is outside is 0.
    pub(crate) fn element(&self, memory: &mut Memory, x: i64, y: i64) -> Option<[u32; 4]> {
        let inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        if !inside {
            return Some([0; 4]);
        }
        let bytes = 4 * u64::from(self.channels);
        let address = self.address + y as u64 * self.pitch + x as u64 * bytes;
        let words = memory.get(address, bytes)?;
        let mut channels = [0; 4];
        for (channel, word) in channels.iter_mut().zip(words.chunks_exact(4)) {
            *channel = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        Some(channels)
    }

    /// The four channels at the point `(x, y)`.
    pub(crate) fn point(&self, memory: &mut Memory, x: f32, y: f32) -> Option<[u32; 4]> {
        let scaled = |at: f32, extent: u32| if self.normalized { at * extent as f32 } else { at };
        let (x, y) = (scaled(x, self.width), scaled(y, self.height));
        if !self.linear {
            let (x, y) = (self.edge(x.floor(), self.width), self.edge(y.floor(), self.height));
            return self.element(memory, x, y);
        }
        let (x, y) = (x - 0.5, if self.height == 1 { 0.0 } else { y - 0.5 });
        // Weights have 8 bits behind the point.
        let weight = |at: f32| ((at - at.floor()) * 256.0).round_ties_even() / 256.0;
        let (right, lower) = (weight(x), weight(y));
        let mut channels = [0_f32; 4];
        for (column, row, share) in [
            (0.0, 0.0, (1.0 - right) * (1.0 - lower)),
            (1.0, 0.0, right * (1.0 - lower)),
            (0.0, 1.0, (1.0 - right) * lower),
            (1.0, 1.0, right * lower),
        ] {
            let at = (
                self.edge(x.floor() + column, self.width),
                self.edge(y.floor() + row, self.height),
            );
            let element = self.element(memory, at.0, at.1)?;
            for (sum, word) in channels.iter_mut().zip(element) {
                *sum += share * f32::from_bits(word);
            }
        }
        Some(channels.map(f32::to_bits))
    }

    /// The element for coordinate `at`, a whole number.
    fn edge(&self, at: f32, extent: u32) -> i64 {
        let (at, extent) = (at as i64, i64::from(extent.max(1)));
        if self.wraps && self.normalized {
            at.rem_euclid(extent)
        } else {
            at.clamp(0, extent - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(memory: &mut Memory) -> Texture {
        let address = memory.allocate(24).unwrap();
        for (at, value) in [1_f32, 2.0, 3.0, 5.0, 7.0, 9.0].iter().enumerate() {
            let place = memory.get(address + 4 * at as u64, 4).unwrap();
            place.copy_from_slice(&value.to_le_bytes());
        }
        Texture {
            address,
            width: 3,
            height: 2,
            pitch: 12,
            channels: 1,
            normalized: false,
            linear: false,
            wraps: false,
        }
    }

    fn at(texture: &Texture, memory: &mut Memory, x: f32, y: f32) -> f32 {
        f32::from_bits(texture.point(memory, x, y).unwrap()[0])
    }

    #[test]
    fn the_element_in_which_a_point_lies_is_taken_and_edges_go_on() {
        let mut memory = Memory::default();
        let texture = texture(&mut memory);
        assert_eq!(at(&texture, &mut memory, 1.99, 0.5), 2.0);
        assert_eq!(at(&texture, &mut memory, 2.0, 1.0), 9.0);
        assert_eq!(at(&texture, &mut memory, -4.0, 9.0), 5.0);
        assert_eq!(texture.element(&mut memory, 3, 0), Some([0; 4]), "outside of the array");
    }

    #[test]
    fn linear_textures_interpolate_between_the_middles_of_elements() {
        let mut memory = Memory::default();
        let texture = Texture { linear: true, ..texture(&mut memory) };
        assert_eq!(at(&texture, &mut memory, 1.0, 0.5), 1.5);
        assert_eq!(at(&texture, &mut memory, 1.5, 1.0), 4.5);
        assert_eq!(at(&texture, &mut memory, 0.0, 0.0), 1.0);
    }

    #[test]
    fn normalized_coordinates_may_wrap() {
        let mut memory = Memory::default();
        let texture = Texture { normalized: true, wraps: true, ..texture(&mut memory) };
        assert_eq!(at(&texture, &mut memory, 0.4, 0.0), 2.0);
        assert_eq!(at(&texture, &mut memory, 1.4, 0.6), 7.0);
    }
}
