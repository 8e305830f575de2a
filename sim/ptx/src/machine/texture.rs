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
    /// Planes of so many rows: the third dimension, layers, or faces of cubes; 1 where there is
    /// none.
    pub depth: u32,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Words of 32 bits of an element: 1, 2 or 4.
    pub channels: u32,
    /// Coordinates are fractions of the extents.
    pub normalized: bool,
    /// Values between elements are interpolated; else the nearest element's is taken. Only of f32.
    pub linear: bool,
    /// Beyond the edges the array begins again; else the edge goes on. Only of normalized
    /// coordinates.
    pub wraps: bool,
}

/// Textures by the address of their variable, or by handle.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    bound: FxHashMap<u64, Texture>,
    objects: u64,
}

impl Textures {
    pub fn bind(&mut self, variable: u64, texture: Texture) {
        self.bound.insert(variable, texture);
    }

    /// A handle, which is the address of nothing.
    pub fn object(&mut self, texture: Texture) -> u64 {
        self.objects += 1;
        self.bind(self.objects, texture);
        self.objects
    }

    pub fn find(&self, variable: u64) -> Option<Texture> {
        self.bound.get(&variable).copied()
    }
}

/// What happens to a surface's coordinates outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Nobody can go on.
    Trap,
    /// The edge is accessed.
    Clamp,
    /// Zeros are read, and what is written is lost.
    Zero,
}

/// Memory that a texture reads, and where it read first.
pub(crate) struct Reads<'a> {
    pub memory: &'a mut Memory,
    /// The address of the first element that was read.
    pub first: Option<u64>,
}

impl Texture {
    /// Its extents along x, y and z.
    fn extents(&self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }

    /// The first byte of an element.
    fn place(&self, [x, y, z]: [i64; 3]) -> u64 {
        let row = z as u64 * u64::from(self.height) + y as u64;
        self.address + row * self.pitch + x as u64 * self.element_bytes()
    }

    pub(crate) fn element_bytes(&self) -> u64 {
        4 * u64::from(self.channels)
    }

    /// The four channels at whole coordinates, which are elements; those that it does not have are
    /// 0, and what is outside is 0.
    pub(crate) fn element(&self, reads: &mut Reads<'_>, at: [i64; 3]) -> Option<[u32; 4]> {
        let mut extents = self.extents().into_iter().zip(at);
        if !extents.all(|(extent, at)| (0..i64::from(extent)).contains(&at)) {
            return Some([0; 4]);
        }
        let place = self.place(at);
        reads.first.get_or_insert(place);
        let words = reads.memory.get(place, self.element_bytes())?;
        let mut channels = [0; 4];
        for (channel, word) in channels.iter_mut().zip(words.chunks_exact(4)) {
            *channel = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        Some(channels)
    }

    /// The four channels at the point `at`, of which the first `dimensions` coordinates count; the
    /// others are whole, and those of a layer.
    pub(crate) fn point(
        &self,
        reads: &mut Reads<'_>,
        at: [f32; 3],
        dimensions: usize,
    ) -> Option<[u32; 4]> {
        let at = self.in_range(at, dimensions);
        if !self.linear {
            let at = std::array::from_fn(|axis| self.edge(at[axis].floor(), axis, false));
            return self.element(reads, at);
        }
        let mut channels = [0_f32; 4];
        for corner in 0..1 << dimensions {
            let mut share = 1.0;
            let at = std::array::from_fn(|axis| {
                if axis >= dimensions || self.extents()[axis] == 1 && axis > 0 {
                    share *= if corner >> axis & 1 == 0 { 1.0 } else { 0.0 };
                    return self.edge(at[axis].floor(), axis, false);
                }
                let at = at[axis] - 0.5;
                // Weights have 8 bits behind the point.
                let weight = ((at - at.floor()) * 256.0).round_ties_even() / 256.0;
                let far = (corner >> axis & 1) as f32;
                share *= if far == 0.0 { 1.0 - weight } else { weight };
                self.edge(at.floor() + far, axis, true)
            });
            let element = self.element(reads, at)?;
            for (sum, word) in channels.iter_mut().zip(element) {
                *sum += share * f32::from_bits(word);
            }
        }
        Some(channels.map(f32::to_bits))
    }

    /// Channel `channel` of the four elements between which the point lies: from the lower left one
    /// against the clock, y downwards.
    pub(crate) fn gather(
        &self,
        reads: &mut Reads<'_>,
        at: [f32; 3],
        channel: usize,
    ) -> Option<[u32; 4]> {
        let [x, y, z] = self.in_range(at, 2);
        let (x, y) = ((x - 0.5).floor(), (y - 0.5).floor());
        let mut found = [0; 4];
        let corners = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
        for (found, (right, down)) in found.iter_mut().zip(corners) {
            let at = [
                self.edge(x + right, 0, true),
                self.edge(y + down, 1, true),
                self.edge(z, 2, false),
            ];
            *found = self.element(reads, at)?[channel];
        }
        Some(found)
    }

    /// Where `bytes` bytes of a surface are: `x` is in bytes. `None`: nowhere.
    pub(crate) fn surface(&self, [x, y, z]: [i64; 3], bytes: u64, beyond: Beyond) -> Option<u64> {
        let row = u64::from(self.width) * self.element_bytes();
        let last = match beyond {
            // The nearest place is a multiple of its size as any other, whatever the row's length.
            Beyond::Clamp => (row / bytes).checked_sub(1)? * bytes,
            _ => row.checked_sub(bytes)?,
        };
        let most = [last as i64, i64::from(self.height) - 1, i64::from(self.depth) - 1];
        let at = [x, y, z].into_iter().zip(most);
        let [x, y, z] = match beyond {
            Beyond::Clamp => std::array::from_fn(|axis| [x, y, z][axis].clamp(0, most[axis])),
            _ if at.into_iter().all(|(at, most)| (0..=most).contains(&at)) => [x, y, z],
            _ => return None,
        };
        Some(self.place([0, y, z]) + x as u64)
    }

    /// The point in elements, inside the array. Coordinates come into range first, as the manual
    /// has it: far away nothing would be left of their fractions, and infinite ones have none. What
    /// is no number is 0.
    fn in_range(&self, at: [f32; 3], dimensions: usize) -> [f32; 3] {
        std::array::from_fn(|axis| {
            let (at, extent) = (at[axis], self.extents()[axis] as f32);
            match (self.normalized, self.wraps) {
                _ if axis >= dimensions => at,
                _ if at.is_nan() => 0.0,
                (true, true) if at.is_infinite() => 0.0,
                (true, true) => (at - at.floor()) * extent,
                (true, false) => at.clamp(0.0, 1.0) * extent,
                (false, _) => at.clamp(0.0, extent),
            }
        })
    }

    /// The element for coordinate `at` of `axis`, a whole number; layers do not begin again.
    fn edge(&self, at: f32, axis: usize, may_wrap: bool) -> i64 {
        let (at, extent) = (at as i64, i64::from(self.extents()[axis].max(1)));
        if may_wrap && self.wraps && self.normalized {
            at.rem_euclid(extent)
        } else {
            at.clamp(0, extent - 1)
        }
    }
}

/// The face of a cube on which the direction `at` points, and where on it, from 0 to 1.
pub(crate) fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let size = [x, y, z].map(f32::abs);
    let (face, along, s, t) = if size[0] >= size[1] && size[0] >= size[2] {
        if x >= 0.0 {
            (0, size[0], -z, -y)
        } else {
            (1, size[0], z, -y)
        }
    } else if size[1] >= size[2] {
        if y >= 0.0 {
            (2, size[1], x, z)
        } else {
            (3, size[1], x, -z)
        }
    } else if z >= 0.0 {
        (4, size[2], x, -y)
    } else {
        (5, size[2], -x, -y)
    };
    (face, [s, t].map(|at| (at / along + 1.0) / 2.0))
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
            depth: 1,
            pitch: 12,
            channels: 1,
            normalized: false,
            linear: false,
            wraps: false,
        }
    }

    fn reads(memory: &mut Memory) -> Reads<'_> {
        Reads { memory, first: None }
    }

    fn at(texture: &Texture, memory: &mut Memory, x: f32, y: f32) -> f32 {
        f32::from_bits(texture.point(&mut reads(memory), [x, y, 0.0], 2).unwrap()[0])
    }

    #[test]
    fn the_element_in_which_a_point_lies_is_taken_and_edges_go_on() {
        let mut memory = Memory::default();
        let texture = texture(&mut memory);
        assert_eq!(at(&texture, &mut memory, 1.99, 0.5), 2.0);
        assert_eq!(at(&texture, &mut memory, 2.0, 1.0), 9.0);
        assert_eq!(at(&texture, &mut memory, -4.0, 9.0), 5.0);
        assert_eq!(
            texture.element(&mut reads(&mut memory), [3, 0, 0]),
            Some([0; 4]),
            "outside of the array"
        );
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

    #[test]
    fn the_first_element_that_is_read_is_that_of_the_lowest_coordinates() {
        let mut memory = Memory::default();
        let near = texture(&mut memory);
        let linear = Texture { linear: true, ..near };
        for (texture, at, place) in [
            (near, [1.99, 0.5, 0.0], [1, 0, 0]),
            (linear, [1.99, 1.0, 0.0], [1, 0, 0]),
            (linear, [2.6, 1.6, 0.0], [2, 1, 0]),
        ] {
            let mut reads = reads(&mut memory);
            texture.point(&mut reads, at, 2).unwrap();
            assert_eq!(reads.first, Some(texture.place(place)), "{at:?}");
        }
        let mut outside = reads(&mut memory);
        near.element(&mut outside, [3, 0, 0]).unwrap();
        assert_eq!(outside.first, None);
    }
}
