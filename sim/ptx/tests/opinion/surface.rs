//! `suld.b` and `sust.b`: PTX ISA 9.1, 9.7.11.1 and 9.7.11.2. Where in a surface an access is.
//!
//! ```text
//!   1d {x}   2d {x, y}   3d {x, y, z, -}   a1d {layer, x}   a2d {layer, x, y, -}
//!                                           x, y, z: .s32;  layer: .u32
//!   .trap   ends the run outside         .clamp  the nearest location, sized appropriately
//!   .zero   loads zero, drops stores
//! ```
//!
//! *The lowest dimension coordinate represents a byte offset into the surface and is not scaled*;
//! the size of the transfer is that of the operand, all of its elements.
//!
//! What the manual leaves open, and how it is decided here:
//!
//! * An access that begins in a row and ends behind it is outside: some of its addresses are.
//! * The *nearest location, sized appropriately* is the nearest whole access in bounds at a
//!   multiple of its size. Where not even one fits there is none, and nothing is expected.
//! * A layer beyond the last one is an address out of bounds as any other; as it is unsigned, the
//!   nearest one is always the last.
//! * An access that is not aligned to its size is undefined, and none is drawn.

/// Bytes of a row, rows and planes; what a geometry does not have is 1.
pub type Extents = [i64; 3];

/// `.trap`, `.clamp`, `.zero`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    Trap,
    Clamp,
    Zero,
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The byte of the row, the row, and the plane.
    At([i64; 3]),
    /// Zero is loaded, and nothing stored.
    Nowhere,
    /// The run ends.
    Trap,
    /// The manual says nothing.
    Open,
}

/// The geometries, with how many words of coordinates they have.
pub const GEOMETRIES: [(&str, usize); 5] =
    [("1d", 1), ("2d", 2), ("3d", 4), ("a1d", 2), ("a2d", 4)];

/// The byte, row and plane that coordinates name.
fn named(geometry: &str, words: [u32; 4]) -> [i64; 3] {
    let signed = words.map(|word| i64::from(word as i32));
    let layer = i64::from(words[0]);
    match geometry {
        "1d" => [signed[0], 0, 0],
        "2d" => [signed[0], signed[1], 0],
        "3d" => [signed[0], signed[1], signed[2]],
        "a1d" => [signed[1], 0, layer],
        _ => [signed[1], signed[2], layer],
    }
}

/// Where `size` bytes at these coordinates are.
pub fn place(geometry: &str, extents: Extents, words: [u32; 4], size: i64, rule: Outside) -> Place {
    let at = named(geometry, words);
    let fits = at[0] >= 0 && at[0] + size <= extents[0];
    if fits && (1..3).all(|axis| (0..extents[axis]).contains(&at[axis])) {
        return Place::At(at);
    }
    match rule {
        Outside::Trap => Place::Trap,
        Outside::Zero => Place::Nowhere,
        Outside::Clamp if size > extents[0] => Place::Open,
        Outside::Clamp => {
            let last = (extents[0] / size - 1) * size;
            Place::At([
                at[0].clamp(0, last),
                at[1].clamp(0, extents[1] - 1),
                at[2].clamp(0, extents[2] - 1),
            ])
        }
    }
}
