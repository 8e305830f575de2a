//! The families of generated graphs, and the keys of each.

use std::str::FromStr;

use super::spec::key;

/// The family of a generated graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphKind {
    /// [`super::generate::rmat`]
    #[default]
    Rmat,
    /// [`super::generate::grid`]
    Grid,
    /// [`super::generate::uniform`]
    Uniform,
    /// [`super::generate::cage`]
    Cage,
    /// [`super::generate::citation`]
    Citation,
    /// [`super::generate::road`]
    Road,
    /// [`super::generate::flight`]
    Flight,
}

impl GraphKind {
    /// All families.
    pub const ALL: [Self; 7] = [
        Self::Rmat,
        Self::Grid,
        Self::Uniform,
        Self::Cage,
        Self::Citation,
        Self::Road,
        Self::Flight,
    ];

    /// The name by which `graph.kind` sets it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rmat => "rmat",
            Self::Grid => "grid",
            Self::Uniform => "uniform",
            Self::Cage => "cage",
            Self::Citation => "citation",
            Self::Road => "road",
            Self::Flight => "flight",
        }
    }

    /// The keys that this family uses.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Rmat => &[key::SCALE, key::EDGE_FACTOR],
            Self::Grid => &[key::WIDTH, key::HEIGHT],
            Self::Uniform => &[key::VERTICES, key::EDGES],
            Self::Cage => &[key::VERTICES, key::DEGREE, key::SPREAD, key::FAR],
            Self::Citation => &[key::VERTICES, key::DEGREE, key::FAR],
            Self::Road => &[key::VERTICES],
            Self::Flight => &[key::VERTICES, key::DEGREE],
        }
    }

    /// Neighbours of a vertex on the average unless `graph.degree` says otherwise: cage15,
    /// citationCiteseer and the world's airports have 18.2, 8.6 and 13.9.
    pub(super) fn degree(self) -> u32 {
        match self {
            Self::Citation => 9,
            Self::Flight => 14,
            _ => 18,
        }
    }

    /// Of 1000 edges those that lead far away unless `graph.far` says otherwise.
    pub(super) fn far(self) -> u32 {
        match self {
            Self::Citation => 200,
            _ => 15,
        }
    }
}

impl FromStr for GraphKind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(())
    }
}
