//! `tex` and `tld4`: PTX ISA 9.1, 9.7.10.3 and 9.7.10.4, and of the CUDA C++ Programming Guide
//! "Texture Memory" (how coordinates come into range) and "Texture Fetching" (what is fetched
//! then).
//!
//! ```text
//!   in range    clamp: to [0, N), or [0.0, 1.0) of normalized ones      wrap: x - floor(x)
//!   normalized  coordinates stand for themselves times the extent
//!   nearest     T[floor(x)], of each axis
//!   linear      (1 - a) T[i] + a T[i + 1], of each axis, with i = floor(x - 0.5) and a = frac(x - 0.5),
//!               which is kept with 8 bits behind the point, so that 1.0 is one of its values
//!   gather      T of (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j): "counter-clockwise order starting
//!               at lower left", where rows go down
//! ```
//!
//! What both leave open, and how it is decided here; where the wording allows for more than one
//! rule, for the one that the interpreter turned out to have:
//!
//! * `a` is rounded to the nearest of its values: were it cut off, 1.0 would not be one of them.
//!   What is in the middle of two may become either, and is not drawn.
//! * How many bits sums have: see [`Value::allows`].
//! * `T[-1]` and `T[N]` are the elements that the mode has for such a place: the edge, or the other
//!   one.
//! * Only coordinates that are normalized wrap, as `cudaTextureDesc` says; others are clamped.
//! * Whole coordinates (`.s32`) name elements, with no filter and no mode, normalized or not.
//!   Outside of the array there is 0: so `tex1Dfetch` is known to work, whose address mode is
//!   ignored.
//! * A layer is an unsigned number and never filtered. The texture is selected before it is looked
//!   up: beyond the last one it is the last one, of whole coordinates too.
//! * Linear filters are *only available for floating-point textures*. An array has no format of its
//!   own here, so that one with such a filter is of f32, whatever the type of the destination is.
//! * Of a channel that elements do not have nothing is expected.

/// An array, and how it is looked up.
pub struct Array<'a> {
    /// Elements of a row, rows, and planes or layers.
    pub extents: [u32; 3],
    pub normalized: bool,
    pub linear: bool,
    pub wraps: bool,
    /// A channel of an element.
    pub element: &'a dyn Fn([i64; 3], usize) -> u32,
}

/// What a fetch of a channel may give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// These bits.
    Bits(u32),
    /// This number as f32, of elements of such a magnitude at most.
    Near(f64, f64),
}

impl Value {
    /// Whether the bits are what is expected. Sums may be out by a few units of an f32 of the
    /// largest element: nobody says how they are rounded on the way.
    pub fn allows(self, bits: u32) -> bool {
        match self {
            Value::Bits(expected) => bits == expected,
            Value::Near(number, largest) => {
                let error = (f64::from(f32::from_bits(bits)) - number).abs();
                error <= largest * 2_f64.powi(-22)
            }
        }
    }
}

/// Where an axis is looked up.
#[derive(Clone, Copy, Debug)]
enum Axis {
    /// A coordinate in the valid range, in elements.
    At(f64),
    /// A layer, which no filter sees.
    Layer(i64),
}

impl Array<'_> {
    /// A coordinate of an axis in the valid range, in elements. All of this is exact of the
    /// coordinates that are drawn.
    fn in_range(&self, at: f64, axis: usize) -> f64 {
        let extent = f64::from(self.extents[axis]);
        match (self.normalized, self.wraps) {
            (true, true) => (at - at.floor()) * extent,
            (true, false) => at.clamp(0.0, 1.0) * extent,
            (false, _) => at.clamp(0.0, extent),
        }
    }

    /// The element of an axis for a number that may be one off at both ends.
    fn edge(&self, number: i64, axis: usize) -> i64 {
        let extent = i64::from(self.extents[axis]);
        if self.normalized && self.wraps {
            number.rem_euclid(extent)
        } else {
            number.clamp(0, extent - 1)
        }
    }

    fn axes(&self, layer: Option<u32>, at: &[f64]) -> Vec<Axis> {
        let mut axes: Vec<_> =
            at.iter().enumerate().map(|(axis, at)| Axis::At(self.in_range(*at, axis))).collect();
        while axes.len() < 3 {
            axes.push(Axis::Layer(0));
        }
        if let Some(layer) = layer {
            axes[2] = Axis::Layer(i64::from(layer.min(self.extents[2] - 1)));
        }
        axes
    }

    /// `tex` of coordinates that are floats.
    pub fn fetched(&self, layer: Option<u32>, at: &[f64], channel: usize) -> Value {
        let axes = self.axes(layer, at);
        if self.linear {
            let (sum, largest) = self.filtered(&axes, [0; 3], channel);
            return Value::Near(sum, largest);
        }
        let mut place = [0; 3];
        for (axis, at) in axes.iter().enumerate() {
            place[axis] = match *at {
                // The upper end of the range is not in it.
                Axis::At(at) => (at.floor() as i64).min(i64::from(self.extents[axis]) - 1),
                Axis::Layer(layer) => layer,
            };
        }
        Value::Bits((self.element)(place, channel))
    }

    /// The weighted sum over the axes that are left, the last of them first, and the largest
    /// element.
    fn filtered(&self, axes: &[Axis], mut place: [i64; 3], channel: usize) -> (f64, f64) {
        let Some((last, rest)) = axes.split_last() else {
            let number = f64::from(f32::from_bits((self.element)(place, channel)));
            return (number, number.abs());
        };
        let axis = rest.len();
        match *last {
            Axis::Layer(layer) => {
                place[axis] = layer;
                self.filtered(rest, place, channel)
            }
            Axis::At(at) => {
                let first = (at - 0.5).floor();
                let weight = ((at - 0.5 - first) * 256.0 + 0.5).floor() / 256.0;
                let mut side = |number: i64| {
                    place[axis] = self.edge(number, axis);
                    self.filtered(rest, place, channel)
                };
                let (low, high) = (side(first as i64), side(first as i64 + 1));
                ((1.0 - weight) * low.0 + weight * high.0, low.1.max(high.1))
            }
        }
    }

    /// `tld4`: that channel of the four elements that a linear filter takes.
    pub fn gathered(&self, layer: Option<u32>, at: &[f64], channel: usize) -> [u32; 4] {
        let axes = self.axes(layer, at);
        let [first, second] = [0, 1].map(|axis| match axes[axis] {
            Axis::At(at) => (at - 0.5).floor() as i64,
            Axis::Layer(layer) => layer,
        });
        let Axis::Layer(layer) = axes[2] else { panic!("only planes are gathered from") };
        [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
            let place = [self.edge(first + x, 0), self.edge(second + y, 1), layer];
            (self.element)(place, channel)
        })
    }

    /// `tex` of whole coordinates: the element, or 0 outside.
    pub fn named(&self, layer: Option<u32>, at: &[i32], channel: usize) -> u32 {
        let mut place = [0; 3];
        for (place, at) in place.iter_mut().zip(at) {
            *place = i64::from(*at);
        }
        if let Some(layer) = layer {
            place[2] = i64::from(layer.min(self.extents[2] - 1));
        }
        let inside = |axis: usize| (0..i64::from(self.extents[axis])).contains(&place[axis]);
        if (0..3).all(inside) {
            (self.element)(place, channel)
        } else {
            0
        }
    }
}

impl Array<'_> {
    /// What `txq` answers (9.7.10.5): lists count from 0, and levels and samples are 0 of a texture
    /// that has none. `array_size` is open, since nothing says whether planes are layers.
    pub fn answer(&self, query: &str) -> u32 {
        match query {
            "width" => self.extents[0],
            "height" => self.extents[1],
            "depth" => self.extents[2],
            "normalized_coords" => u32::from(self.normalized),
            // { nearest, linear }
            "filter_mode" => u32::from(self.linear),
            // { wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border }
            "addr_mode_0" | "addr_mode_1" | "addr_mode_2" => [3, 0][usize::from(self.wraps)],
            "num_mipmap_levels" | "num_samples" => 0,
            _ => panic!("{query} is open"),
        }
    }
}
