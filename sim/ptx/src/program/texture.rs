//! Accesses to textures and surfaces.

use super::{Reg, Source};
use crate::ast::Type;
use crate::machine::Beyond;

/// What is read of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The element at whole coordinates, and what is at a point.
    Element,
    Point,
    /// One channel of four elements.
    Gathered(u8),
    /// Its extent along an axis, and whether coordinates are fractions of it.
    Extent(u8),
    Normalized,
    /// As the manual of `txq` counts them: of `{ nearest, linear }`, and of
    /// `{ wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border }`.
    FilterMode,
    AddressMode,
    /// A number that is the same for all.
    Always(u32),
}

/// `tex`, `tld4`, `txq` and `suq`.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    pub texture: Source,
    pub fetched: Fetched,
    pub shape: Shape,
    /// Without what stands there to fill a vector.
    pub coordinates: Vec<Source>,
    pub to: Vec<Option<Reg>>,
}

/// What the coordinates of an array mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub dimensions: u8,
    /// Whether the first one says which of many arrays.
    pub layered: bool,
    /// The dimensions are a direction that points to one of six faces.
    pub cube: bool,
}

/// `suld.b`, and `sust.b`, which has values.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub surface: Source,
    pub shape: Shape,
    pub coordinates: Vec<Source>,
    pub beyond: Beyond,
    pub ty: Type,
    pub values: Vec<Source>,
    pub to: Vec<Option<Reg>>,
}
