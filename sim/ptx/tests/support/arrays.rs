//! Textures, and kernels that read them.

use std::rc::Rc;

use super::support::{kernel, run};
use blockyard_ptx::{Arguments, Machine, Texture};

/// A name in `tex`, how many coordinates are positions, and whether a number of a layer stands
/// before them.
pub type Geometry = (&'static str, usize, bool);

pub const FLAT: [Geometry; 5] =
    [("1d", 1, false), ("2d", 2, false), ("3d", 3, false), ("a1d", 1, true), ("a2d", 2, true)];
pub const LANES: usize = 32;

/// Three extents, as the geometry has them; layers are the third one.
pub fn extents((_, dimensions, layered): Geometry, drawn: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = drawn;
    [x, if dimensions > 1 { y } else { 1 }, if dimensions > 2 || layered { z } else { 1 }]
}

/// An array of such elements, not in memory yet.
pub fn texture([width, height, depth]: [u32; 3], channels: u32) -> Texture {
    // Rows have a gap between them.
    let pitch = u64::from(4 * channels * (width + 1));
    let (normalized, linear, wraps) = (false, false, false);
    Texture { address: 0, width, height, depth, pitch, channels, normalized, linear, wraps }
}

/// Words of the array, with its gaps.
pub fn words(texture: &Texture) -> usize {
    (texture.pitch / 4) as usize * (texture.height * texture.depth) as usize
}

/// The number of channel 0 of an element among the words.
pub fn index(texture: &Texture, [x, y, z]: [i64; 3]) -> usize {
    let row = z * i64::from(texture.height) + y;
    (row * (texture.pitch / 4) as i64 + x * i64::from(texture.channels)) as usize
}

/// Puts `words` into memory and binds the texture to it, by name and by handle, which is given
/// back.
pub fn bind(machine: &Rc<Machine>, texture: Texture, words: &[u32]) -> (Texture, u64) {
    let texture = Texture { address: machine.array(words).unwrap(), ..texture };
    assert!(machine.bind("tex", texture));
    (texture, machine.texture_object(texture))
}

/// What a kernel leaves that has four words of coordinates a lane in `%q0` to `%q3`, and puts four
/// words into `%q4` to `%q7`.
pub fn lanes(machine: &Rc<Machine>, handle: u64, at: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let words: Vec<u32> = at.iter().flatten().copied().chain([0; 4 * LANES]).collect();
    let place = machine.array(&words).unwrap();
    let arguments = Arguments::new().long(place).long(handle);
    run(machine, "k", (1, LANES as u32), arguments).unwrap();
    let left = machine.words(place, 8 * LANES as u64).unwrap();
    left[4 * LANES..].as_chunks().0.to_vec()
}

/// The machine of a kernel with `body` between loads and stores; see [`lanes`].
pub fn machine(body: &str) -> Rc<Machine> {
    let items = ".global .texref tex;\n.global .samplerref sampler;";
    super::support::machine(&kernel(
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

/// As many registers as the geometry has.
pub fn vector((name, ..): Geometry) -> &'static str {
    match name {
        "1d" => "{%q0}",
        "2d" | "a1d" => "{%q0, %q1}",
        _ => "{%q0, %q1, %q2, %q3}",
    }
}
