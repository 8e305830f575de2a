//! Extents of grids and blocks: numbers, or, of grids, words that the host reads at the launch.

use std::ops::Range;

use blockyard_ptx::Kernel;
use toml::{Spanned, Value};

use super::launch::Checker;
use crate::diagnostic::InputError;
use crate::gpu::MAX_BLOCK_THREADS;
use crate::port::{Cluster, Dim3, MAX_BLOCKS};

/// Bits of the extents of a grid and of a block in blocks and threads.
const GRID_BITS: [u32; 3] = [31, 16, 16];
const BLOCK_BITS: [u32; 3] = [11, 11, 7];
/// Bits of the extents of a cluster in blocks.
const CLUSTER_BITS: [u32; 3] = [5, 5, 5];

/// The extent of a grid along an axis.
#[derive(Clone, Copy, Debug)]
enum Axis {
    Blocks(u32),
    /// As many blocks as it takes for the first word of a buffer when each does `per`.
    Word {
        buffer: usize,
        per: u32,
    },
}

/// The extent of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Grid([Axis; 3]);

impl From<Dim3> for Grid {
    fn from(Dim3 { x, y, z }: Dim3) -> Self {
        Self([x, y, z].map(Axis::Blocks))
    }
}

impl Grid {
    /// Whether what kernels have left decides on it.
    pub fn reads_memory(&self) -> bool {
        self.0.iter().any(|axis| matches!(axis, Axis::Word { .. }))
    }

    /// The extent, if nothing that kernels leave decides on it.
    fn stated(&self) -> Option<Dim3> {
        let blocks = |axis: Axis| match axis {
            Axis::Blocks(blocks) => Some(blocks),
            Axis::Word { .. } => None,
        };
        let [x, y, z] = self.0.map(blocks);
        Some(Dim3::new(x?, y?, z?))
    }

    /// The extent when the buffers begin with `word`; `None` where that makes no block.
    ///
    /// # Errors
    /// What is wrong when there are too many blocks.
    pub fn at(&self, word: impl Fn(usize) -> u32) -> Result<Option<Dim3>, String> {
        let [x, y, z] = self.0.map(|axis| match axis {
            Axis::Blocks(blocks) => blocks,
            Axis::Word { buffer, per } => word(buffer).div_ceil(per),
        });
        let found = Dim3 { x, y, z };
        let mut limits = [x, y, z].into_iter().zip(GRID_BITS);
        let inside = limits.all(|(extent, bits)| u64::from(extent) < 1 << bits);
        if !inside || found.volume() > u128::from(MAX_BLOCKS) {
            return Err(format!(
                "a grid is [{x}, {y}, {z}] by what is in memory, expected up to {MAX_BLOCKS} blocks"
            ));
        }
        Ok((found.volume() > 0).then_some(found))
    }
}

impl Checker<'_> {
    /// A grid: a number, a word, or up to three of them.
    pub(super) fn grid(&self, value: &Spanned<Value>) -> Result<Grid, InputError> {
        let list = listed(value);
        if !list.iter().any(Value::is_table) {
            let grid = self.extent(value, "grid", GRID_BITS)?;
            if grid.volume() > u128::from(MAX_BLOCKS) {
                let message = format!("a grid has {} thread blocks", grid.volume());
                let expected = format!("expected 1 to {MAX_BLOCKS}");
                return Err(self.source.error(&value.span(), message, &expected));
            }
            return Ok(grid.into());
        }
        let mut axes = [Axis::Blocks(1); 3];
        if list.len() > axes.len() {
            return Err(self.no_grid(value));
        }
        for ((axis, value_of), bits) in axes.iter_mut().zip(&list).zip(GRID_BITS) {
            *axis = match value_of {
                Value::Table(table) => self.word(value, table)?,
                number => {
                    let number = within(number, bits);
                    Axis::Blocks(number.ok_or_else(|| self.no_grid(value))?)
                }
            };
        }
        Ok(Grid(axes))
    }

    /// `{ word = "size", per = 256 }`
    fn word(&self, value: &Spanned<Value>, table: &toml::Table) -> Result<Axis, InputError> {
        let refuse = |expected: &str| {
            let message = format!("`grid` is {}", value.get_ref());
            Err(self.source.error(&value.span(), message, &format!("expected {expected}")))
        };
        let known = table.keys().all(|key| key == "word" || key == "per");
        let (true, Some(Value::String(name))) = (known, table.get("word")) else {
            return refuse("a number, or { word = NAME, per = N }");
        };
        let Some(buffer) = self.buffers.iter().position(|buffer| buffer.name == *name) else {
            return refuse(&super::names(self.buffers));
        };
        if !self.buffers[buffer].begins_with_word() {
            return refuse("a buffer of u32, i32 or f32 with an element");
        }
        let per = match table.get("per") {
            None => Some(1),
            Some(per) => within(per, GRID_BITS[0]),
        };
        match per {
            Some(per) => Ok(Axis::Word { buffer, per }),
            None => refuse("`per` from 1 to 2147483647"),
        }
    }

    /// The clusters of which `grid`, which stands at a place, is made, if that is stated or `kernel`
    /// requires it. A grid whose extent is read later is looked at then.
    pub(super) fn cluster(
        &self,
        value: Option<&Spanned<Value>>,
        kernel: &Kernel,
        (grid, place): (&Grid, Range<usize>),
    ) -> Result<Option<Cluster>, InputError> {
        let (required, name) = (kernel.required_cluster, &kernel.name);
        let Some(value) = value else {
            let Some(required) = required else { return Ok(None) };
            let message = format!("kernel `{name}` runs in clusters of {required} blocks");
            let Some(cluster) = Cluster::of(required) else {
                let most = Cluster::MOST_BLOCKS;
                let expected = format!("expected a kernel with 1 to {most} blocks in a cluster");
                return Err(self.source.error(&place, message, &expected));
            };
            return match grid.stated() {
                Some(grid) if !cluster.divides(grid) => {
                    let expected = "expected a grid of whole ones, as `.reqnctapercluster` says";
                    Err(self.source.error(&place, message, expected))
                }
                _ => Ok(Some(cluster)),
            };
        };
        let extent = self.extent(value, "cluster", CLUSTER_BITS)?;
        let most = Cluster::MOST_BLOCKS;
        let Some(cluster) = Cluster::of(extent) else {
            let message = format!("a cluster has {} blocks", extent.volume());
            return Err(self.source.error(
                &value.span(),
                message,
                &format!("expected 1 to {most}"),
            ));
        };
        if let Some(required) = required.filter(|required| *required != extent) {
            let message = format!("a cluster of kernel `{name}` is {extent}");
            let expected = format!("expected {required}, as `.reqnctapercluster` says");
            return Err(self.source.error(&value.span(), message, &expected));
        }
        match grid.stated() {
            Some(grid) if !cluster.divides(grid) => {
                let message = format!("the grid {grid} is not made of whole clusters");
                let expected = "expected a divisor of each dimension";
                Err(self.source.error(&value.span(), message, expected))
            }
            _ => Ok(Some(cluster)),
        }
    }

    /// The extent of a block in threads.
    pub(super) fn block(&self, value: &Spanned<Value>) -> Result<Dim3, InputError> {
        self.extent(value, "block", BLOCK_BITS)
    }

    /// A number, or up to three.
    fn extent(
        &self,
        value: &Spanned<Value>,
        what: &str,
        bits: [u32; 3],
    ) -> Result<Dim3, InputError> {
        let list = listed(value);
        let mut found = [1; 3];
        let mut fits = (1..=3).contains(&list.len());
        for ((found, value), bits) in found.iter_mut().zip(&list).zip(bits) {
            let number = within(value, bits);
            fits &= number.is_some();
            *found = number.unwrap_or(1);
        }
        if !fits {
            let all = match what {
                "grid" => return Err(self.no_grid(value)),
                "cluster" => u128::from(Cluster::MOST_BLOCKS),
                _ => MAX_BLOCK_THREADS,
            };
            let message = format!("`{what}` is {}", value.get_ref());
            let expected = format!("expected 1 to {all}, or [x, y, z] of at most {all} in all");
            return Err(self.source.error(&value.span(), message, &expected));
        }
        let [x, y, z] = found;
        Ok(Dim3 { x, y, z })
    }

    fn no_grid(&self, value: &Spanned<Value>) -> InputError {
        let message = format!("`grid` is {}", value.get_ref());
        let [x, y, z] = GRID_BITS.map(|bits| (1_u64 << bits) - 1);
        let expected = format!("expected 1 to {x}, or [x, y, z] up to [{x}, {y}, {z}]");
        self.source.error(&value.span(), message, &expected)
    }
}

/// The values of a list, or the one that is none.
fn listed(value: &Spanned<Value>) -> Vec<Value> {
    match value.get_ref() {
        Value::Array(list) => list.clone(),
        one => vec![one.clone()],
    }
}

/// A number from 1 on with so many bits.
fn within(value: &Value, bits: u32) -> Option<u32> {
    let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (1..1_u64 << bits).contains(&u64::from(*number)))
}
