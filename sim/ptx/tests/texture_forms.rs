//! Every form of `tex`, `tld4`, `suld.b` and `sust.b` that is accepted, held against a second
//! opinion from the wording of the PTX manual (9.1, 9.7.10 and 9.7.11) and of CUDA's guide
//! ("Texture Fetching").
//!
//! Arrays, coordinates and modes are drawn. Coordinates are multiples of 1/16 of an element and
//! elements small whole numbers, so that what lies between elements has no more bits than a float.

mod support;

use proptest::prelude::*;
use std::rc::Rc;

use blockyard_ptx::{Arguments, Machine, Texture};
use support::{kernel, run};

/// A name in `tex`, how many coordinates are positions, and whether a number of a layer stands
/// before them.
type Geometry = (&'static str, usize, bool);

const FLAT: [Geometry; 5] =
    [("1d", 1, false), ("2d", 2, false), ("3d", 3, false), ("a1d", 1, true), ("a2d", 2, true)];
const LANES: usize = 32;

/// Three extents, as the geometry has them; layers are the third one.
fn extents((_, dimensions, layered): Geometry, drawn: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = drawn;
    [x, if dimensions > 1 { y } else { 1 }, if dimensions > 2 || layered { z } else { 1 }]
}

/// An array of such elements, not in memory yet.
fn texture([width, height, depth]: [u32; 3], channels: u32) -> Texture {
    // Rows have a gap between them.
    let pitch = u64::from(4 * channels * (width + 1));
    let (normalized, linear, wraps) = (false, false, false);
    Texture { address: 0, width, height, depth, pitch, channels, normalized, linear, wraps }
}

/// Words of the array, with its gaps.
fn words(texture: &Texture) -> usize {
    (texture.pitch / 4) as usize * (texture.height * texture.depth) as usize
}

/// The number of channel 0 of an element among the words.
fn index(texture: &Texture, [x, y, z]: [i64; 3]) -> usize {
    let row = z * i64::from(texture.height) + y;
    (row * (texture.pitch / 4) as i64 + x * i64::from(texture.channels)) as usize
}

/// Puts `words` into memory and binds the texture to it, by name and by handle, which is given
/// back.
fn bind(machine: &Rc<Machine>, texture: Texture, words: &[u32]) -> (Texture, u64) {
    let texture = Texture { address: machine.array(words).unwrap(), ..texture };
    assert!(machine.bind("tex", texture) && machine.bind("surf", texture));
    (texture, machine.texture_object(texture))
}

/// What a kernel leaves that has four words of coordinates a lane in `%q0` to `%q3`, and puts four
/// words into `%q4` to `%q7`.
fn lanes(machine: &Rc<Machine>, handle: u64, at: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let words: Vec<u32> = at.iter().flatten().copied().chain([0; 4 * LANES]).collect();
    let place = machine.array(&words).unwrap();
    let arguments = Arguments::new().long(place).long(handle);
    run(machine, "k", (1, LANES as u32), arguments).unwrap();
    let left = machine.words(place, 8 * LANES as u64).unwrap();
    left[4 * LANES..].as_chunks().0.to_vec()
}

/// The machine of a kernel with `body` between loads and stores; see [`lanes`].
fn machine(body: &str) -> Rc<Machine> {
    let items = ".global .texref tex;\n.global .surfref surf;\n.global .samplerref sampler;";
    support::machine(&kernel(
        items,
        &format!(
            ".reg .b32 %q<8>; .reg .b64 %l<4>;
            mad.wide.u32 %d8, %t, 16, %a;
            ld.global.v4.u32 {{%q0, %q1, %q2, %q3}}, [%d8];
            {body}
            st.global.v4.u32 [%d8+{}], {{%q4, %q5, %q6, %q7}};",
            16 * LANES
        ),
    ))
}

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

/// Extents, channels and modes of a texture, and three coordinates and a layer for each lane.
type Drawn = ([u32; 3], u32, [bool; 3], Vec<[i32; 4]>);

fn drawn() -> impl Strategy<Value = Drawn> {
    // Extents are powers of two: then what normalized coordinates stand for is exact.
    let extent = || (0_u32..4).prop_map(|power| 1 << power);
    let extents = [extent(), extent(), extent()];
    let channels = prop::sample::select(vec![1_u32, 2, 4]);
    let lanes = prop::collection::vec(prop::array::uniform4(-200_i32..200), LANES);
    (extents, channels, any::<[bool; 3]>(), lanes)
}

/// Small whole floats, all different.
fn numbers(count: usize) -> Vec<u32> {
    (0..count).map(|number| (number as f32).to_bits()).collect()
}

/// The coordinates of a lane as words, after the layer; `of` gives an axis.
fn coordinates(
    (_, dimensions, layered): Geometry,
    layer: u32,
    of: impl Fn(usize) -> u32,
) -> [u32; 4] {
    let mut words = [0; 4];
    let first = usize::from(layered);
    words[..first].fill(layer);
    (0..dimensions).for_each(|axis| words[first + axis] = of(axis));
    words
}

/// As many registers as the geometry has.
fn vector((name, ..): Geometry) -> &'static str {
    match name {
        "1d" => "{%q0}",
        "2d" | "a1d" => "{%q0, %q1}",
        _ => "{%q0, %q1, %q2, %q3}",
    }
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

/// Where an access of so many bytes to a surface is, or `None` where it is outside of it.
fn place(texture: &Texture, at: [i64; 3], bytes: i64, clamps: bool) -> Option<usize> {
    let row = i64::from(texture.width * texture.channels) * 4;
    let most = [row - bytes, i64::from(texture.height) - 1, i64::from(texture.depth) - 1];
    let mut at = at;
    for (at, most) in at.iter_mut().zip(most) {
        // ".clamp: at the nearest surface location (sized appropriately)"
        if clamps {
            *at = (*at).clamp(0, most);
        }
        if !(0..=most).contains(at) {
            return None;
        }
    }
    let [x, y, z] = at;
    let row = z * i64::from(texture.height) + y;
    Some((row * texture.pitch as i64 + x) as usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn surfaces_of_every_geometry_vector_and_type((drawn, channels, _, at) in drawn()) {
        for geometry in FLAT {
            let (name, dimensions, layered) = geometry;
            let mut own = extents(geometry, drawn);
            // A row has room for the largest vector.
            own[0] = own[0].max(8);
            let texture = texture(own, channels);
            let content: Vec<u32> =
                (1..=words(&texture) as u32).map(|number| number.wrapping_mul(0x9e37_79b9)).collect();
            for (ty, bytes) in [("b8", 1_i64), ("b16", 2), ("b32", 4), ("b64", 8)] {
                for (dot, count) in [("", 1_i64), (".v2", 2), (".v4", 4)] {
                    let all = bytes * count;
                    let row = i64::from(own[0] * channels * 4) / all;
                    let coordinate = |lane: &[i32; 4], axis: usize| match axis {
                        0 => (i64::from(lane[0]).rem_euclid(row + 2) - 1) * all,
                        axis => i64::from(lane[axis].rem_euclid(own[axis] as i32 + 2) - 1),
                    };
                    let layer = |lane: &[i32; 4]| lane[3].unsigned_abs() % own[2];
                    let given: Vec<[u32; 4]> = at
                        .iter()
                        .map(|lane| coordinates(geometry, layer(lane), |axis| coordinate(lane, axis) as u32))
                        .collect();
                    let place = |texture: &Texture, lane: &[i32; 4], clamps: bool| {
                        let mut at = [0, 0, if layered { i64::from(layer(lane)) } else { 0 }];
                        (0..dimensions).for_each(|axis| at[axis] = coordinate(lane, axis));
                        place(texture, at, all, clamps)
                    };
                    let registers = |first: usize| {
                        let letter = ["%h", "%h", "%r", "%l"][bytes.ilog2() as usize];
                        let list: Vec<_> =
                            (0..count as usize).map(|part| format!("{letter}{}", first + part)).collect();
                        format!("{{{}}}", list.join(", "))
                    };
                    // What parts have of their own goes through words: the sum of what is loaded,
                    // by place.
                    let widen = ["cvt.u64.u16 %d0, %h", "cvt.u64.u16 %d0, %h", "cvt.u64.u32 %d0, %r", "mov.u64 %d0, %l"]
                        [bytes.ilog2() as usize];
                    let sum: String = (0..count)
                        .map(|part| format!("{widen}{part}; mad.lo.u64 %d1, %d1, 1000003, %d0;\n"))
                        .collect();
                    let mask = u64::MAX >> (64 - 8 * bytes);
                    let hash = |value: &[u8]| {
                        value.chunks_exact(bytes as usize).fold(0_u64, |sum, part| {
                            let mut word = [0; 8];
                            word[..part.len()].copy_from_slice(part);
                            sum.wrapping_mul(1_000_003).wrapping_add(u64::from_le_bytes(word) & mask)
                        })
                    };
                    for clamps in [true, false] {
                        let mode = if clamps { "clamp" } else { "zero" };
                        let body = format!(
                            "mov.u64 %d1, 0;
                            suld.b.{name}{dot}.{ty}.{mode} {}, [surf, {}];
                            {sum}
                            mov.b64 {{%q4, %q5}}, %d1;",
                            registers(0), vector(geometry)
                        );
                        let machine = machine(&body);
                        let (bound, handle) = bind(&machine, texture, &content);
                        let before: Vec<u8> = content.iter().flat_map(|word| word.to_le_bytes()).collect();
                        for (lane, found) in at.iter().zip(lanes(&machine, handle, &given)) {
                            // ".zero: loads zero for out-of-bounds addresses"
                            let expected = place(&bound, lane, clamps)
                                .map_or(0, |from| hash(&before[from..from + all as usize]));
                            let found = u64::from(found[1]) << 32 | u64::from(found[0]);
                            prop_assert_eq!(found, expected, "{} {:?} {:?}", body, bound, lane);
                        }
                        store(geometry, (dot, ty, mode), &content, texture, &given, &registers(0), |bound, lane| {
                            place(bound, &at[lane], clamps)
                        });
                    }
                }
            }
        }
    }
}

/// Each lane stores parts that are its number and the part's; the last lane to come to a place
/// leaves them.
fn store(
    geometry: Geometry,
    (dot, ty, mode): (&str, &str, &str),
    content: &[u32],
    texture: Texture,
    given: &[[u32; 4]],
    registers: &str,
    place: impl Fn(&Texture, usize) -> Option<usize>,
) {
    let bytes = ty[1..].parse::<usize>().unwrap() / 8;
    let count = registers.split(',').count();
    let convert = match bytes {
        1 | 2 => "cvt.u16.u64 %h",
        4 => "cvt.u32.u64 %r",
        _ => "mov.u64 %l",
    };
    let parts: String = (0..count)
        .map(|part| {
            format!("mad.lo.u64 %d1, %d0, 0x0101010101010101, {part}; {convert}{part}, %d1;\n")
        })
        .collect();
    let body = format!(
        "cvt.u64.u32 %d0, %t; {parts} mov.b64 {{%q4, %q5}}, %d0;
        sust.b.{}{dot}.{ty}.{mode} [%b, {}], {registers};",
        geometry.0,
        vector(geometry)
    );
    let machine = machine(&body);
    let (bound, handle) = bind(&machine, texture, content);
    lanes(&machine, handle, given);
    let mut expected: Vec<u8> = content.iter().flat_map(|word| word.to_le_bytes()).collect();
    for lane in 0..LANES {
        let Some(at) = place(&bound, lane) else { continue };
        for part in 0..count {
            let value = (lane as u64 * 0x0101_0101_0101_0101 + part as u64).to_le_bytes();
            let at = at + part * bytes;
            expected[at..at + bytes].copy_from_slice(&value[..bytes]);
        }
    }
    let left = machine.read(bound.address, expected.len() as u64).unwrap();
    assert!(left == expected, "{body} {bound:?}");
}
