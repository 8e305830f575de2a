//! Every form of `tex` and `tld4` that is accepted, held against a second opinion from the wording
//! of the PTX manual (9.1 and 9.7.10) and of CUDA's guide ("Texture Fetching").
//!
//! Arrays, coordinates and modes are drawn. Coordinates are multiples of 1/16 of an element and
//! elements small whole numbers, so that what lies between elements has no more bits than a float.

#[path = "support/arrays.rs"]
mod arrays;
mod support;

use proptest::prelude::*;

use arrays::{
    bind, coordinates, drawn, extents, index, lanes, machine, texture, vector, words, FLAT, LANES,
};
use blockyard_ptx::Texture;

/// The element that is taken for a whole coordinate along an axis of `extent` elements.
fn addressed(at: f64, extent: u32, wraps: bool) -> i64 {
    let extent = f64::from(extent);
    // "Clamp: indices are clamped to the range [0, N-1]"; "wrap: x is replaced by frac(x)".
    let at = if wraps { at - (at / extent).floor() * extent } else { at.clamp(0.0, extent - 1.0) };
    at as i64
}

/// Positions in elements, the layer, and how the edges go on.
struct Point<'a> {
    texture: &'a Texture,
    words: &'a [u32],
    at: &'a [f64],
    layer: i64,
}

impl Point<'_> {
    fn word(&self, whole: &[f64], channel: usize) -> u32 {
        let wraps = self.texture.wraps && self.texture.normalized;
        let extents = [self.texture.width, self.texture.height, self.texture.depth];
        let mut place = [0, 0, self.layer];
        for (axis, at) in whole.iter().enumerate() {
            place[axis] = addressed(*at, extents[axis], wraps);
        }
        self.words[index(self.texture, place) + channel]
    }

    /// "tex(x) = T[i], i = floor(x)"
    fn nearest(&self, channel: usize) -> u32 {
        let whole: Vec<f64> = self.at.iter().map(|at| at.floor()).collect();
        self.word(&whole, channel)
    }

    /// "tex(x) = (1 - a) T[i] + a T[i+1], i = floor(x - 0.5), a = frac(x - 0.5)", and so along each
    /// axis.
    fn linear(&self, channel: usize) -> u32 {
        fn along(point: &Point<'_>, done: &mut Vec<f64>, channel: usize) -> f64 {
            let Some(at) = point.at.get(done.len()) else {
                return f64::from(f32::from_bits(point.word(done, channel)));
            };
            let (first, share) = ((at - 0.5).floor(), (at - 0.5) - (at - 0.5).floor());
            let mut of = |whole: f64| {
                done.push(whole);
                let value = along(point, done, channel);
                done.pop();
                value
            };
            (1.0 - share) * of(first) + share * of(first + 1.0)
        }
        (along(self, &mut Vec::new(), channel) as f32).to_bits()
    }
}

/// Small whole floats, all different.
fn numbers(count: usize) -> Vec<u32> {
    (0..count).map(|number| (number as f32).to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn points_of_every_geometry_type_and_mode((drawn, channels, modes, at) in drawn()) {
        let [normalized, linear, wraps] = modes;
        for geometry in FLAT {
            let (name, dimensions, layered) = geometry;
            let own = extents(geometry, drawn);
            let texture = Texture { normalized, wraps, ..texture(own, channels) };
            let content = numbers(words(&texture));
            // The position along an axis, in elements.
            let element = |lane: &[i32; 4], axis: usize| f64::from(lane[axis]) / 16.0;
            let given: Vec<[u32; 4]> = at
                .iter()
                .map(|lane| {
                    coordinates(geometry, lane[3].unsigned_abs() % own[2], |axis| {
                        let scale = if normalized { f64::from(own[axis]) } else { 1.0 };
                        ((element(lane, axis) / scale) as f32).to_bits()
                    })
                })
                .collect();
            for ty in ["f32", "u32", "s32"] {
                // What lies between elements is of floats.
                let texture = Texture { linear: linear && ty == "f32", ..texture };
                let slope = ["", "{%q0}", "{%q0, %q0}", "{%q0, %q0, %q0, %q0}"][dimensions];
                let levels = [
                    ("", String::new()),
                    (".base", String::new()),
                    (".level", ", 0f40000000".to_owned()),
                    (".grad", format!(", {slope}, {slope}")),
                ];
                for (level, more) in levels {
                    for of in ["tex", "tex, sampler", "%b"] {
                        let body = format!(
                            "tex{level}.{name}.v4.{ty}.f32 {{%q4, %q5, %q6, %q7}}, [{of}, {}]{more};",
                            vector(geometry)
                        );
                        let machine = machine(&body);
                        let (bound, handle) = bind(&machine, texture, &content);
                        let found = lanes(&machine, handle, &given);
                        for (lane, found) in at.iter().zip(found) {
                            let at: Vec<f64> = (0..dimensions).map(|axis| element(lane, axis)).collect();
                            let layer = i64::from(if layered { lane[3].unsigned_abs() % own[2] } else { 0 });
                            let point = Point { texture: &bound, words: &content, at: &at, layer };
                            for (channel, found) in found.iter().enumerate().take(channels as usize) {
                                let expected = if bound.linear {
                                    point.linear(channel)
                                } else {
                                    point.nearest(channel)
                                };
                                prop_assert_eq!(*found, expected, "{} {:?} {:?}", body, bound, at);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn whole_coordinates_of_every_geometry_and_type((drawn, channels, _, at) in drawn()) {
        for geometry in FLAT {
            let (name, dimensions, layered) = geometry;
            let own = extents(geometry, drawn);
            let texture = texture(own, channels);
            let content = numbers(words(&texture));
            let layer = |lane: &[i32; 4]| lane[3].unsigned_abs() % own[2];
            // Inside of the array, mostly.
            let element = |lane: &[i32; 4], axis: usize| lane[axis].rem_euclid(own[axis] as i32 + 2) - 1;
            let given: Vec<[u32; 4]> = at
                .iter()
                .map(|lane| coordinates(geometry, layer(lane), |axis| element(lane, axis) as u32))
                .collect();
            for ty in ["f32", "u32", "s32"] {
                let body = format!(
                    "tex.{name}.v4.{ty}.s32 {{%q4, %q5, %q6, %q7}}, [tex, {}];",
                    vector(geometry)
                );
                let machine = machine(&body);
                let (bound, handle) = bind(&machine, texture, &content);
                for (lane, found) in at.iter().zip(lanes(&machine, handle, &given)) {
                    let inside = (0..dimensions)
                        .all(|axis| (0..own[axis] as i32).contains(&element(lane, axis)));
                    let mut place = [0, 0, if layered { i64::from(layer(lane)) } else { 0 }];
                    (0..dimensions).for_each(|axis| place[axis] = element(lane, axis).into());
                    for (channel, found) in found.iter().enumerate().take(channels as usize) {
                        // What is outside is zero.
                        let word = if inside { content[index(&bound, place) + channel] } else { 0 };
                        prop_assert_eq!(*found, word, "{} {:?} {:?}", body, bound, place);
                    }
                }
            }
        }
    }

    #[test]
    fn every_channel_of_four_elements_is_gathered((drawn, channels, modes, at) in drawn()) {
        let [normalized, _, wraps] = modes;
        for geometry in [FLAT[1], FLAT[4]] {
            let own = extents(geometry, drawn);
            let texture = Texture { normalized, wraps, ..texture(own, channels) };
            let content = numbers(words(&texture));
            let layer = |lane: &[i32; 4]| lane[3].unsigned_abs() % own[2];
            let element = |lane: &[i32; 4], axis: usize| f64::from(lane[axis]) / 16.0;
            let given: Vec<[u32; 4]> = at
                .iter()
                .map(|lane| {
                    coordinates(geometry, layer(lane), |axis| {
                        let scale = if normalized { f64::from(own[axis]) } else { 1.0 };
                        ((element(lane, axis) / scale) as f32).to_bits()
                    })
                })
                .collect();
            for (channel, letter) in ["r", "g", "b", "a"].iter().enumerate().take(channels as usize) {
                for ty in ["f32", "u32", "s32"] {
                    let body = format!(
                        "tld4.{letter}.{}.v4.{ty}.f32 {{%q4, %q5, %q6, %q7}}, [%b, {}];",
                        geometry.0, vector(geometry)
                    );
                    let machine = machine(&body);
                    let (bound, handle) = bind(&machine, texture, &content);
                    for (lane, found) in at.iter().zip(lanes(&machine, handle, &given)) {
                        let [x, y] = [0, 1].map(|axis| (element(lane, axis) - 0.5).floor());
                        let layer = if geometry.2 { i64::from(layer(lane)) } else { 0 };
                        let point = Point { texture: &bound, words: &content, at: &[], layer };
                        // "Counter-clockwise order starting at lower left."
                        let expected = [[x, y + 1.0], [x + 1.0, y + 1.0], [x + 1.0, y], [x, y]]
                            .map(|whole| point.word(&whole, channel));
                        prop_assert_eq!(found, expected, "{} {:?}", body, bound);
                    }
                }
            }
        }
    }

    #[test]
    fn directions_point_to_faces_of_cubes_and_of_layers_of_cubes(
        at in prop::collection::vec(prop::array::uniform4(-100_i32..100), LANES),
        side in (0_u32..4).prop_map(|power| 1 << power),
        layers in 1_u32..4,
    ) {
        for layered in [false, true] {
            let depth = if layered { 6 * layers } else { 6 };
            let texture = texture([side, side, depth], 1);
            let content = numbers(words(&texture));
            let layer = |lane: &[i32; 4]| lane[3].unsigned_abs() % layers;
            let given: Vec<[u32; 4]> = at
                .iter()
                .map(|lane| {
                    let axes = [lane[0], lane[1], lane[2]].map(|axis| (axis as f32).to_bits());
                    if layered { [layer(lane), axes[0], axes[1], axes[2]] } else { [axes[0], axes[1], axes[2], 0] }
                })
                .collect();
            let name = if layered { "acube" } else { "cube" };
            let machine = machine(&format!(
                "tex.{name}.v4.f32.f32 {{%q4, %q5, %q6, %q7}}, [tex, {{%q0, %q1, %q2, %q3}}];"
            ));
            let (bound, handle) = bind(&machine, texture, &content);
            for (lane, found) in at.iter().zip(lanes(&machine, handle, &given)) {
                let [x, y, z] = [lane[0], lane[1], lane[2]].map(f64::from);
                let sizes = [x.abs(), y.abs(), z.abs()];
                let longest = sizes.iter().fold(0_f64, |a, b| a.max(*b));
                // Which face it is where two are as long is not said, and nothing of no direction.
                if sizes.iter().filter(|size| **size == longest).count() > 1 {
                    continue;
                }
                // The manual's table of the major axis: face, s and t of what is drawn on it.
                let (face, s, t) = match sizes.iter().position(|size| *size == longest) {
                    Some(0) if x > 0.0 => (0, -z, -y),
                    Some(0) => (1, z, -y),
                    Some(1) if y > 0.0 => (2, x, z),
                    Some(1) => (3, x, -z),
                    _ if z > 0.0 => (4, x, -y),
                    _ => (5, -x, -y),
                };
                // "s = (s/m + 1) / 2", and so t; at a border between elements the last bit decides.
                let element = [s, t].map(|at| (at / longest + 1.0) / 2.0 * f64::from(side));
                if element.iter().any(|at| (at - at.round()).abs() < 1e-4 && *at != 0.0) {
                    continue;
                }
                let first = if layered { 6 * layer(lane) } else { 0 };
                let place = [element[0] as i64, element[1] as i64, i64::from(first + face)];
                prop_assert_eq!(found[0], content[index(&bound, place)], "{} {:?}", name, lane);
            }
        }
    }
}
