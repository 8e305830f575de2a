//! Which graph to generate, from `--set graph.key=value`.

use crate::key::Key;

use super::{generate, Direction, Graph, GraphKind, SetError, MAX_EDGES, MAX_VERTICES};

/// Most vertices of a generated graph (R-MAT of the largest scale).
const MOST_VERTICES: u32 = 1 << MOST_SCALE;
/// Most edges of a generated graph: R-MAT of the largest scale with Graph500's edge factor.
const MOST_EDGES: u32 = 1 << 28;
const MOST_SCALE: u32 = 24;
const MOST_EDGE_FACTOR: u32 = 1024;

const _: () = assert!(MOST_VERTICES <= MAX_VERTICES && MOST_EDGES <= MAX_EDGES);

const MOST_DEGREE: u32 = 1024;
const MOST_SPREAD: u32 = 1 << 16;

/// The names of the settings.
pub(super) mod key {
    pub const KIND: &str = "graph.kind";
    pub const DIRECTION: &str = "graph.direction";
    pub const SCALE: &str = "graph.scale";
    pub const EDGE_FACTOR: &str = "graph.edge_factor";
    pub const WIDTH: &str = "graph.width";
    pub const HEIGHT: &str = "graph.height";
    pub const VERTICES: &str = "graph.vertices";
    pub const EDGES: &str = "graph.edges";
    pub const DEGREE: &str = "graph.degree";
    pub const SPREAD: &str = "graph.spread";
    pub const FAR: &str = "graph.far";
}
use key::{
    DEGREE, DIRECTION, EDGES, EDGE_FACTOR, FAR, HEIGHT, KIND, SCALE, SPREAD, VERTICES, WIDTH,
};

/// A graph to generate.
///
/// The defaults are an R-MAT graph of scale 10 and edge factor 16, a grid of 64 times 64, a
/// uniform graph of 1024 vertices and 16384 edges, and 1024 vertices of the others.
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
    degree: Option<u32>,
    spread: u32,
    far: Option<u32>,
    pub(super) given: Vec<&'static str>,
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
            degree: None,
            spread: 64,
            far: None,
            given: Vec::new(),
        }
    }
}

impl GraphSpec {
    /// Every key that [`GraphSpec::set`] knows.
    pub const KEYS: &'static [Key] = &[
        Key { name: KIND, unit: "family of the graph", default: "rmat" },
        Key { name: DIRECTION, unit: "whether edges count both ways", default: "listed" },
        Key { name: SCALE, unit: "logarithm of the vertices", default: "10" },
        Key { name: EDGE_FACTOR, unit: "edges of a vertex", default: "16" },
        Key { name: WIDTH, unit: "vertices of a row", default: "64" },
        Key { name: HEIGHT, unit: "rows of vertices", default: "64" },
        Key { name: VERTICES, unit: "vertices", default: "1024" },
        Key { name: EDGES, unit: "edges", default: "16384" },
        Key { name: DEGREE, unit: "neighbours of a vertex", default: "as the family has them" },
        Key { name: SPREAD, unit: "numbers between neighbours", default: "64" },
        Key { name: FAR, unit: "edges of 1000 that lead far", default: "as the family has them" },
    ];

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
        let Some(Key { name: key, .. }) = Self::KEYS.iter().find(|known| known.name == key) else {
            return Err(SetError::unknown(key, Self::KEYS));
        };
        let key = *key;
        let number = |least, most| SetError::number(key, value, least, most);
        let word = |expected: &str| SetError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        match key {
            KIND => {
                let names = GraphKind::ALL.map(GraphKind::name).join(", ");
                self.kind = value.parse().map_err(|()| word(&format!("one of {names}")))?;
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
            EDGES => self.edges = number(0, MOST_EDGES)?,
            DEGREE => self.degree = Some(number(2, MOST_DEGREE)?),
            SPREAD => self.spread = number(1, MOST_SPREAD)?,
            _ => self.far = Some(number(0, 1000)?),
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
        let (vertices, degree) = (self.vertices, self.degree());
        let far = self.far.unwrap_or(self.kind.far());
        let csr = match self.kind {
            GraphKind::Rmat => generate::rmat(self.scale, self.edge_factor, seed),
            GraphKind::Grid => generate::grid(self.width, self.height),
            GraphKind::Uniform => generate::uniform(vertices, self.edges, seed),
            GraphKind::Cage => generate::cage(vertices, degree, self.spread, far, seed),
            GraphKind::Citation => generate::citation(vertices, degree, far, seed),
            GraphKind::Road => generate::road(vertices, seed),
            GraphKind::Flight => generate::flight(vertices, degree, seed),
        };
        Ok(Graph::new(match self.direction {
            Direction::AsListed => csr,
            Direction::Symmetric => csr.symmetric(),
        }))
    }

    fn degree(&self) -> u32 {
        self.degree.unwrap_or(self.kind.degree())
    }

    pub(super) fn check(&self) -> Result<(), SetError> {
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
            GraphKind::Cage | GraphKind::Citation | GraphKind::Flight => {
                let edges = u64::from(self.vertices) * u64::from(self.degree());
                ("the number of edges", edges, MOST_EDGES)
            }
            GraphKind::Uniform | GraphKind::Road => return Ok(()),
        };
        if value > u64::from(limit) {
            return Err(SetError::TooLarge { what, value, limit: u64::from(limit), keys: own });
        }
        Ok(())
    }
}
