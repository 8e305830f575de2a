//! Which graph to generate, from `--set graph.key=value`.

use std::str::FromStr;

use super::{generate, Direction, Graph, SetError, MAX_EDGES, MAX_VERTICES};

/// Most vertices of a generated graph (R-MAT of the largest scale).
const MOST_VERTICES: u32 = 1 << MOST_SCALE;
/// Most edges of a generated graph: R-MAT of the largest scale with Graph500's edge factor.
const MOST_EDGES: u32 = 1 << 28;
const MOST_SCALE: u32 = 24;
const MOST_EDGE_FACTOR: u32 = 1024;

const _: () = assert!(MOST_VERTICES <= MAX_VERTICES && MOST_EDGES <= MAX_EDGES);

const KIND: &str = "graph.kind";
const DIRECTION: &str = "graph.direction";
const SCALE: &str = "graph.scale";
const EDGE_FACTOR: &str = "graph.edge_factor";
const WIDTH: &str = "graph.width";
const HEIGHT: &str = "graph.height";
const VERTICES: &str = "graph.vertices";
const EDGES: &str = "graph.edges";

/// The family of a generated graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphKind {
    /// [`generate::rmat`]
    #[default]
    Rmat,
    /// [`generate::grid`]
    Grid,
    /// [`generate::uniform`]
    Uniform,
}

impl GraphKind {
    /// The name by which `graph.kind` sets it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rmat => "rmat",
            Self::Grid => "grid",
            Self::Uniform => "uniform",
        }
    }

    /// The keys that this family uses.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Rmat => &[SCALE, EDGE_FACTOR],
            Self::Grid => &[WIDTH, HEIGHT],
            Self::Uniform => &[VERTICES, EDGES],
        }
    }
}

impl FromStr for GraphKind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let all = [Self::Rmat, Self::Grid, Self::Uniform];
        all.into_iter().find(|kind| kind.name() == name).ok_or(())
    }
}

/// A graph to generate.
///
/// The defaults are an R-MAT graph of scale 10 and edge factor 16, a grid of 64 times 64, a
/// uniform graph of 1024 vertices and 16384 edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphSpec {
    kind: GraphKind,
    direction: Direction,
    scale: u32,
    edge_factor: u32,
    width: u32,
    height: u32,
    vertices: u32,
    edges: u32,
    given: Vec<&'static str>,
}

impl Default for GraphSpec {
    fn default() -> Self {
        Self {
            kind: GraphKind::default(),
            direction: Direction::default(),
            scale: 10,
            edge_factor: 16,
            width: 64,
            height: 64,
            vertices: 1024,
            edges: 16_384,
            given: Vec::new(),
        }
    }
}

impl GraphSpec {
    /// Every key that [`GraphSpec::set`] knows.
    pub const KEYS: &'static [&'static str] =
        &[KIND, DIRECTION, SCALE, EDGE_FACTOR, WIDTH, HEIGHT, VERTICES, EDGES];

    /// The family to generate.
    pub fn kind(&self) -> GraphKind {
        self.kind
    }

    /// Whether edges count in both directions; for graphs from files too.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Whether a key was set that matters only for a generated graph, which is bad use beside a
    /// file: every key but `graph.direction`.
    pub fn generator_key(&self) -> Option<&'static str> {
        self.given.iter().copied().find(|&key| key != DIRECTION)
    }

    /// Sets `key` (see [`GraphSpec::KEYS`]) to `value`.
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        let Some(&key) = Self::KEYS.iter().find(|&&known| known == key) else {
            return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS });
        };
        let number = |least, most| SetError::number(key, value, least, most);
        let word = |expected: &str| SetError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        match key {
            KIND => {
                self.kind = value.parse().map_err(|()| word("rmat, grid or uniform"))?;
            }
            DIRECTION => {
                self.direction = match value {
                    "listed" => Direction::AsListed,
                    "symmetric" => Direction::Symmetric,
                    _ => return Err(word("listed or symmetric")),
                }
            }
            SCALE => self.scale = number(1, MOST_SCALE)?,
            EDGE_FACTOR => self.edge_factor = number(0, MOST_EDGE_FACTOR)?,
            WIDTH => self.width = number(1, MOST_VERTICES)?,
            HEIGHT => self.height = number(1, MOST_VERTICES)?,
            VERTICES => self.vertices = number(1, MOST_VERTICES)?,
            _ => self.edges = number(0, MOST_EDGES)?,
        }
        if !self.given.contains(&key) {
            self.given.push(key);
        }
        Ok(())
    }

    /// Generates the graph from `seed` (a grid is the same for every seed).
    ///
    /// # Errors
    /// When a key was set that the family does not use, or the graph would have more than 2^24
    /// vertices or 2^28 edges.
    pub fn build(&self, seed: u64) -> Result<Graph, SetError> {
        self.check()?;
        let csr = match self.kind {
            GraphKind::Rmat => generate::rmat(self.scale, self.edge_factor, seed),
            GraphKind::Grid => generate::grid(self.width, self.height),
            GraphKind::Uniform => generate::uniform(self.vertices, self.edges, seed),
        };
        Ok(Graph::new(match self.direction {
            Direction::AsListed => csr,
            Direction::Symmetric => csr.symmetric(),
        }))
    }

    fn check(&self) -> Result<(), SetError> {
        let common = [KIND, DIRECTION];
        let own = self.kind.keys();
        let unused = |key: &&&str| !common.contains(*key) && !own.contains(*key);
        if let Some(key) = self.given.iter().find(unused) {
            return Err(SetError::Unused {
                key: (*key).to_owned(),
                with: format!("{KIND}={}", self.kind.name()),
                keys: own.iter().map(|&k| k.to_owned()).collect(),
            });
        }
        let (what, value, limit) = match self.kind {
            GraphKind::Rmat => {
                let edges = u64::from(self.edge_factor) << self.scale;
                ("the number of edges", edges, MOST_EDGES)
            }
            GraphKind::Grid => {
                let vertices = u64::from(self.width) * u64::from(self.height);
                ("the number of vertices", vertices, MOST_VERTICES)
            }
            GraphKind::Uniform => return Ok(()),
        };
        if value > u64::from(limit) {
            return Err(SetError::TooLarge { what, value, limit: u64::from(limit), keys: own });
        }
        Ok(())
    }
}
