//! Every form of `tex`, `tld4` and `txq` that is accepted, held against second opinions
//! (`opinion/texture.rs`, `opinion/cube.rs`), which were written from the wording of the PTX manual
//! (9.1, 9.7.10) and of CUDA's guide ("Texture Memory", "Texture Fetching", "Cubemap Textures")
//! without sight of the interpreter.
//!
//! Arrays, coordinates and modes are drawn. Coordinates are multiples of 1/4096 of an element, so
//! that they are exact; and far outside of the array.

#[path = "support/arrays.rs"]
mod arrays;
#[path = "opinion/cube.rs"]
mod cube;
mod support;
#[path = "opinion/texture.rs"]
mod texture;

use std::fmt::Debug;

use arrays::{bind, extents, index, lanes, machine, vector, words, Geometry, FLAT, LANES};
use blockyard_ptx::Texture;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use texture::Array;

/// What is asked of elements: bits, or numbers to be filtered.
const TYPES: [&str; 3] = ["u32", "s32", "f32"];

/// What stands behind the opcode, and the operands that come with it: there is one level.
const LEVELS: [(&str, &str); 4] =
    [("", ""), (".base", ""), (".level", ", %m0"), (".grad", ", G, G")];

/// An array and how it is looked up, in the order of the fields of a texture.
#[derive(Clone, Debug)]
struct Drawn {
    extents: [u32; 3],
    channels: u32,
    normalized: bool,
    linear: bool,
    wraps: bool,
    lanes: Vec<Lane>,
}

#[derive(Clone, Copy, Debug)]
struct Lane {
    layer: u32,
    /// In units of 1/4096 of an element.
    at: [i32; 3],
    /// Added to the first coordinate: far away.
    far: i32,
}

/// A geometry's arrays. Extents are powers of two where coordinates are normalized: then these are
/// exact as well.
fn drawn() -> impl Strategy<Value = Drawn> {
    let sixteenths = (-200_i32..200).prop_map(|at| at * 256);
    // Not in the middle of two weights, which are 1/256 apart.
    let near = (-60_000_i32..60_000).prop_map(|at| at + i32::from(at.rem_euclid(16) == 8));
    let coordinate = prop_oneof![2 => sixteenths, 3 => near];
    let layer = prop_oneof![6 => 0_u32..9, 1 => Just(u32::MAX), 1 => any::<u32>()];
    let far =
        prop_oneof![9 => Just(0_i32), 1 => prop::sample::select(vec![-1_000_000_i32, 1_000_000])];
    let lane = (layer, prop::array::uniform3(coordinate), far).prop_map(|(layer, at, far)| Lane {
        layer,
        at,
        far,
    });
    let modes = prop::array::uniform3(any::<bool>());
    let channels = prop::sample::select(vec![1_u32, 2, 4]);
    let lanes = prop::collection::vec(lane, LANES);
    (prop::array::uniform3(1_u32..9), channels, modes, lanes).prop_map(
        |(extents, channels, [normalized, linear, wraps], lanes)| {
            let power = |extent: u32| if normalized { extent.next_power_of_two() } else { extent };
            Drawn { extents: extents.map(power), channels, normalized, linear, wraps, lanes }
        },
    )
}

impl Drawn {
    fn texture(&self, geometry: Geometry) -> Texture {
        let Self { normalized, linear, wraps, .. } = *self;
        let plain = arrays::texture(extents(geometry, self.extents), self.channels);
        Texture { normalized, linear, wraps, ..plain }
    }

    /// The float coordinate of an axis.
    fn float(&self, lane: &Lane, axis: usize, extent: u32) -> f32 {
        let far = if axis == 0 { lane.far as f32 } else { 0.0 };
        let elements = lane.at[axis] as f32 / 4096.0 + far;
        if self.normalized {
            elements / extent as f32
        } else {
            elements
        }
    }
}

fn opinion<'a>(texture: &Texture, element: &'a dyn Fn([i64; 3], usize) -> u32) -> Array<'a> {
    let Texture { width, height, depth, normalized, linear, wraps, .. } = *texture;
    Array { extents: [width, height, depth], normalized, linear, wraps, element }
}

/// Numbers of which no sum of a filter is too long for an f32 by much, or any bits.
fn data(count: usize, numbers: bool) -> Vec<u32> {
    let drawn = (1..=count as u32).map(|word| word.wrapping_mul(0x9e37_79b9));
    drawn
        .map(|bits| if numbers { ((bits >> 21) as f32 - 1024.0).to_bits() } else { bits })
        .collect()
}

/// The words of coordinates behind the layer.
fn coordinates((_, _, layered): Geometry, layer: u32, at: &[u32]) -> [u32; 4] {
    let mut words = [0; 4];
    words[0] = layer;
    let first = usize::from(layered);
    words[first..first + at.len()].copy_from_slice(at);
    words
}

/// Runs `check` for drawn values; what is wrong, if anything.
fn run<S>(
    form: &str,
    strategy: &S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Option<String>
where
    S: Strategy,
    S::Value: Debug,
{
    let config =
        Config { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(strategy, check);
    outcome.err().map(|failure| format!("{form}: {failure}"))
}

fn none_is_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A texture by its name, with or without a sampler, and by its handle.
const NAMES: [&str; 3] = ["tex", "tex, sampler", "%b"];

/// Every form of `tex` for those geometries and that type of coordinates.
fn forms(geometries: &[Geometry], coordinate: &str) -> Vec<(Geometry, String)> {
    let mut all = Vec::new();
    for geometry in geometries {
        for ty in TYPES {
            for (level, operands) in LEVELS {
                for name in NAMES {
                    let slopes = match geometry.1 {
                        1 => "{%m0}",
                        2 => "{%m0, %m1}",
                        _ => "{%m0, %m1, %m2, %m3}",
                    };
                    let instruction = format!(
                        "tex{level}.{}.v4.{ty}.{coordinate} {{%q4, %q5, %q6, %q7}}, [{name}, {}]{};",
                        geometry.0,
                        vector(*geometry),
                        operands.replace('G', slopes)
                    );
                    all.push((*geometry, instruction));
                }
            }
        }
    }
    all
}

/// The same behind levels and slopes: 3 as whole numbers, and next to nothing as floats.
fn body(instruction: &str) -> String {
    let set = (0..4).map(|number| format!("mov.b32 %m{number}, 3;\n"));
    format!(".reg .b32 %m<4>;\n{}{instruction}", set.collect::<String>())
}

#[test]
fn points_of_every_geometry_type_and_mode() {
    let mut wrong = Vec::new();
    for (geometry, instruction) in forms(&FLAT, "f32") {
        let machine = machine(&body(&instruction));
        wrong.extend(run(&instruction, &drawn(), |drawn| {
            let texture = drawn.texture(geometry);
            let data = data(words(&texture), drawn.linear);
            let (texture, handle) = bind(&machine, texture, &data);
            let element = |at, channel| data[index(&texture, at) + channel];
            let array = opinion(&texture, &element);
            let float = |lane: &Lane, axis| drawn.float(lane, axis, array.extents[axis]);
            let words = drawn.lanes.iter().map(|lane| {
                let at: Vec<u32> =
                    (0..geometry.1).map(|axis| float(lane, axis).to_bits()).collect();
                coordinates(geometry, lane.layer, &at)
            });
            let found = lanes(&machine, handle, &words.collect::<Vec<_>>());
            for (lane, found) in drawn.lanes.iter().zip(found) {
                let at: Vec<f64> = (0..geometry.1).map(|axis| float(lane, axis).into()).collect();
                let layer = geometry.2.then_some(lane.layer);
                for (channel, got) in found.into_iter().take(texture.channels as usize).enumerate()
                {
                    let value = array.fetched(layer, &at, channel);
                    prop_assert!(
                        value.allows(got),
                        "{lane:?}: {got:#x} ({}), not {value:?}",
                        f32::from_bits(got)
                    );
                }
            }
            Ok(())
        }));
    }
    none_is_wrong(&wrong);
}

#[test]
fn whole_coordinates_of_every_geometry_and_type() {
    let mut wrong = Vec::new();
    for (geometry, instruction) in forms(&FLAT, "s32") {
        let machine = machine(&body(&instruction));
        wrong.extend(run(&instruction, &drawn(), |drawn| {
            let texture = drawn.texture(geometry);
            let data = data(words(&texture), false);
            let (texture, handle) = bind(&machine, texture, &data);
            let element = |at, channel| data[index(&texture, at) + channel];
            let array = opinion(&texture, &element);
            let whole = |lane: &Lane, axis: usize| lane.at[axis] / 4096 + lane.far;
            let words = drawn.lanes.iter().map(|lane| {
                let at: Vec<u32> = (0..geometry.1).map(|axis| whole(lane, axis) as u32).collect();
                coordinates(geometry, lane.layer, &at)
            });
            let found = lanes(&machine, handle, &words.collect::<Vec<_>>());
            for (lane, found) in drawn.lanes.iter().zip(found) {
                let at: Vec<i32> = (0..geometry.1).map(|axis| whole(lane, axis)).collect();
                let layer = geometry.2.then_some(lane.layer);
                for (channel, got) in found.into_iter().take(texture.channels as usize).enumerate()
                {
                    let value = array.named(layer, &at, channel);
                    prop_assert_eq!(got, value, "{:?} of {:?}", lane, texture);
                }
            }
            Ok(())
        }));
    }
    none_is_wrong(&wrong);
}

#[test]
fn every_channel_of_four_elements_is_gathered() {
    let mut wrong = Vec::new();
    for geometry in [FLAT[1], FLAT[4]] {
        for ty in TYPES {
            for (channel, letter) in ["r", "g", "b", "a"].into_iter().enumerate() {
                for name in NAMES {
                    let instruction = format!(
                        "tld4.{letter}.{}.v4.{ty}.f32 {{%q4, %q5, %q6, %q7}}, [{name}, {}];",
                        geometry.0,
                        vector(geometry)
                    );
                    let machine = machine(&instruction);
                    wrong.extend(run(&instruction, &drawn(), |drawn| {
                        let texture = Drawn { channels: 4, ..drawn.clone() }.texture(geometry);
                        let data = data(words(&texture), false);
                        let (texture, handle) = bind(&machine, texture, &data);
                        let element = |at, channel| data[index(&texture, at) + channel];
                        let array = opinion(&texture, &element);
                        let float = |lane: &Lane| {
                            [0, 1].map(|axis| drawn.float(lane, axis, array.extents[axis]))
                        };
                        let words = drawn.lanes.iter().map(|lane| {
                            coordinates(geometry, lane.layer, &float(lane).map(f32::to_bits))
                        });
                        let found = lanes(&machine, handle, &words.collect::<Vec<_>>());
                        for (lane, found) in drawn.lanes.iter().zip(found) {
                            let layer = geometry.2.then_some(lane.layer);
                            let four = array.gathered(layer, &float(lane).map(f64::from), channel);
                            prop_assert_eq!(found, four, "{:?} of {:?}", lane, texture);
                        }
                        Ok(())
                    }));
                }
            }
        }
    }
    none_is_wrong(&wrong);
}

/// A direction: the largest coordinate is a power of two, so that quotients are exact.
fn direction() -> impl Strategy<Value = [f32; 3]> {
    let power = prop::sample::select(vec![16_i32, 32, 64]);
    power.prop_flat_map(|power| {
        let minor = prop_oneof![8 => -power..=power, 1 => Just(power), 1 => Just(0)];
        let sign = prop::sample::select(vec![power, -power]);
        let scale = prop::sample::select(vec![1.0_f32, 0.125, 1024.0]);
        (0_usize..3, sign, minor.clone(), minor, scale).prop_map(|(axis, m, s, t, scale)| {
            let mut all = [m; 3];
            all[(axis + 1) % 3] = s;
            all[(axis + 2) % 3] = t;
            all.map(|at| at as f32 * scale)
        })
    })
}

#[test]
fn directions_point_to_faces_of_cubes_and_of_layers_of_cubes() {
    let cubes: [Geometry; 2] = [("cube", 3, false), ("acube", 3, true)];
    let strategy = || (drawn(), prop::collection::vec(direction(), LANES));
    let mut wrong = Vec::new();
    for (geometry, instruction) in forms(&cubes, "f32") {
        let machine = machine(&body(&instruction));
        wrong.extend(run(&instruction, &strategy(), |(drawn, directions)| {
            let width = drawn.extents[0].next_power_of_two();
            let cubes = if geometry.2 { drawn.extents[2] } else { 1 };
            let shape = Drawn { extents: [width, width, 6 * cubes], ..drawn.clone() };
            let texture = shape.texture(("3d", 3, false));
            let data = data(words(&texture), drawn.linear);
            let (texture, handle) = bind(&machine, texture, &data);
            let element = |at, channel| data[index(&texture, at) + channel];
            let array = Array { normalized: true, ..opinion(&texture, &element) };
            let words = drawn.lanes.iter().zip(&directions).map(|(lane, direction)| {
                coordinates(geometry, lane.layer, &direction.map(f32::to_bits))
            });
            let found = lanes(&machine, handle, &words.collect::<Vec<_>>());
            for ((lane, direction), found) in drawn.lanes.iter().zip(&directions).zip(found) {
                let cube = if geometry.2 { lane.layer.min(cubes - 1) } else { 0 };
                let right = cube::faces(*direction).iter().any(|on| {
                    (0..texture.channels as usize).all(|channel| {
                        let layer = Some(6 * cube + on.face);
                        array.fetched(layer, &on.at, channel).allows(found[channel])
                    })
                });
                prop_assert!(right, "{lane:?}, {direction:?}: {found:x?} of {texture:?}");
            }
            Ok(())
        }));
    }
    none_is_wrong(&wrong);
}

#[test]
fn queries_answer_what_the_texture_was_bound_with() {
    let mut wrong = Vec::new();
    for query in [
        "width",
        "height",
        "depth",
        "normalized_coords",
        "filter_mode",
        "addr_mode_0",
        "addr_mode_1",
        "addr_mode_2",
        "num_mipmap_levels",
        "num_samples",
    ] {
        for name in ["tex", "%b"] {
            let instruction = format!("txq.{query}.b32 %q4, [{name}];");
            let machine = machine(&instruction);
            wrong.extend(run(&instruction, &drawn(), |drawn| {
                let texture = drawn.texture(FLAT[2]);
                let (texture, handle) = bind(&machine, texture, &data(words(&texture), false));
                let answer = opinion(&texture, &|_, _| 0).answer(query);
                for found in lanes(&machine, handle, &[[0; 4]; LANES]) {
                    prop_assert_eq!(found[0], answer, "{:?}", texture);
                }
                Ok(())
            }));
        }
    }
    none_is_wrong(&wrong);
}

#[test]
fn forms_that_the_manual_does_not_have_are_refused() {
    let four = "{%q4, %q5, %q6, %q7}";
    for instruction in [
        format!("tex.cube.v4.f32.s32 {four}, [tex, {four}];"),
        format!("tex.acube.v4.f32.s32 {four}, [tex, {four}];"),
        format!("tex.acube.v4.f32.u32 {four}, [tex, {four}];"),
        format!("tex.2d.v4.b32.f32 {four}, [tex, {{%q0, %q1}}];"),
        format!("tex.2d.v4.f64.f32 {four}, [tex, {{%q0, %q1}}];"),
        format!("tex.a3d.v4.f32.f32 {four}, [tex, {four}];"),
        "tex.2d.v2.f32.f32 {%q4, %q5}, [tex, {%q0, %q1}];".to_owned(),
        format!("tex.2d.v4.f32.f32 {four}, [tex, {{%q0}}];"),
        format!("tld4.r.1d.v4.f32.f32 {four}, [tex, {{%q0}}];"),
        format!("tld4.r.3d.v4.f32.f32 {four}, [tex, {four}];"),
        format!("tld4.x.2d.v4.f32.f32 {four}, [tex, {{%q0, %q1}}];"),
        format!("tld4.r.2d.v4.f32.s32 {four}, [tex, {{%q0, %q1}}];"),
        "txq.width.u64 %q4, [tex];".to_owned(),
        "txq.memory_layout.b32 %q4, [tex];".to_owned(),
    ] {
        let text =
            support::kernel(".global .texref tex;", &format!(".reg .b32 %q<8>;\n{instruction}"));
        assert!(blockyard_ptx::load("test.ptx", &text).is_err(), "{instruction}");
    }
}
