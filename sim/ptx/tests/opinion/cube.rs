//! `tex.cube` and `tex.acube`: PTX ISA 9.1, 9.7.10.3, and of the CUDA C++ Programming Guide
//! "Cubemap Textures", which has the table of faces:
//!
//! ```text
//!   of largest magnitude   face   m    s    t        the face is looked up at
//!   x >= 0                  0     x   -z   -y            (s/m + 1) / 2
//!   x <  0                  1    -x    z   -y            (t/m + 1) / 2
//!   y >= 0                  2     y    x    z        which are normalized coordinates
//!   y <  0                  3    -y    x   -z
//!   z >= 0                  4     z    x   -y
//!   z <  0                  5    -z   -x   -y
//! ```
//!
//! What is left open, and how it is decided here (of the edges, as the interpreter turned out to
//! do):
//!
//! * Where two coordinates are as large as each other the table has no face; any of theirs will do.
//! * Filters do not cross the seams of faces (`seamlessCubemap` is off unless asked for). A face is
//!   addressed as any layer with normalized coordinates is, so that the mode says what is at its
//!   edge.
//! * A cube beyond the last one of an array of them is the last one.

/// A face, and normalized coordinates on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnFace {
    pub face: u32,
    pub at: [f64; 2],
}

/// Where a direction may point to; none if it is none.
pub fn faces([x, y, z]: [f32; 3]) -> Vec<OnFace> {
    let [x, y, z] = [x, y, z].map(f64::from);
    let table = [
        (x, 0, [-z, -y]),
        (-x, 1, [z, -y]),
        (y, 2, [x, z]),
        (-y, 3, [x, -z]),
        (z, 4, [x, -y]),
        (-z, 5, [-x, -y]),
    ];
    let largest = x.abs().max(y.abs()).max(z.abs());
    let chosen = table.into_iter().filter(|(m, ..)| *m == largest && largest > 0.0);
    chosen
        .map(|(m, face, minor)| OnFace { face, at: minor.map(|of| (of / m + 1.0) / 2.0) })
        .collect()
}
