//! Settings of the microbenchmarks, from `--set ikra.key=value`.

use crate::graph::SetError;
use crate::key::Key;

/// Which of the four microbenchmarks; they differ in how much data they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Benchmark {
    /// *GPU-small*: the data of all blocks that an SMX runs fill its L1 exactly.
    Small,
    /// *GPU-medium*: they are twice as large as its L1; all data together fit in the L2.
    Medium,
    /// *GPU-large*: all data are larger than all L1s and the L2 together.
    Large,
    /// *Work-Stealing*: as much data, of blocks that have between 1 and 64 locations a thread.
    WorkStealing,
}

const RUN: &str = "ikra.run";

/// Blocks in a row with the same number of locations unless [`RUN`] says otherwise.
const DEFAULT_RUN: u32 = 10;

/// Words of a KB.
const WORDS_PER_KB: u64 = 1024 / 4;

/// Most KB of data: their words have 32-bit numbers.
const MAX_DATA: u32 = 1 << 16;

impl Benchmark {
    /// All four, in the paper's order.
    pub const ALL: [Self; 4] = [Self::Small, Self::Medium, Self::Large, Self::WorkStealing];

    /// What stands behind `ikra/` in the name of the workload.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::WorkStealing => "work-stealing",
        }
    }

    /// KB of data unless `ikra.data` says otherwise, for the GPU of IKRA's microbenchmarks: three
    /// L1s of 32 KB and an L2 of 256 KB (Table 2; preset `denovo3`).
    pub const fn default_data(self) -> u32 {
        const L1S: u32 = 3 * 32;
        match self {
            Self::Small => L1S,
            Self::Medium => 2 * L1S,
            // Of which L1S are the 17 % that hit there under Flip (section 6.1).
            Self::Large | Self::WorkStealing => 560,
        }
    }

    /// Locations of a thread unless `ikra.locations` says otherwise (section 5.4.1); the most of
    /// them where they are drawn.
    pub const fn default_locations(self) -> u32 {
        match self {
            Self::WorkStealing => 64,
            Self::Small | Self::Medium | Self::Large => 8,
        }
    }

    /// Whether each block's number of locations is drawn.
    pub const fn is_irregular(self) -> bool {
        matches!(self, Self::WorkStealing)
    }
}

/// Settings of a microbenchmark; what is not set is as the benchmark has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IkraOptions {
    kernels: u32,
    block: u32,
    locations: Option<u32>,
    data: Option<u32>,
    run: Option<u32>,
}

impl Default for IkraOptions {
    fn default() -> Self {
        Self { kernels: 16, block: 32, locations: None, data: None, run: None }
    }
}

impl IkraOptions {
    /// Every key that [`IkraOptions::set`] knows.
    pub const KEYS: &'static [Key] = &[
        Key { name: "ikra.kernels", unit: "launches", default: "16" },
        Key { name: "ikra.block", unit: "threads of a block", default: "32" },
        Key {
            name: "ikra.locations",
            unit: "words of a thread",
            default: "as the benchmark has them",
        },
        Key { name: "ikra.data", unit: "KB of data", default: "as the benchmark has them" },
        Key { name: RUN, unit: "blocks in a row with as many locations", default: "10" },
    ];

    /// Sets `ikra.kernels` (launches, 1 to 10,000, default 16), `ikra.block` (threads of a block, 1
    /// to 1024, default 32), `ikra.locations` (of a thread, 1 to 1024, default 8; for
    /// `work-stealing` the most that is drawn, default 64), `ikra.data` (KB, 1 to 65,536; default:
    /// as the benchmark has it), or `ikra.run` (for `work-stealing`: blocks in a row for which the
    /// number is drawn once, default 10).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "ikra.kernels" => self.kernels = SetError::number(key, value, 1, 10_000)?,
            "ikra.block" => self.block = SetError::number(key, value, 1, 1024)?,
            "ikra.locations" => self.locations = Some(SetError::number(key, value, 1, 1024)?),
            "ikra.data" => self.data = Some(SetError::number(key, value, 1, MAX_DATA)?),
            RUN => self.run = Some(SetError::number(key, value, 1, u32::MAX)?),
            _ => return Err(SetError::unknown(key, Self::KEYS)),
        }
        Ok(())
    }

    /// Launches of the kernel.
    pub fn kernels(&self) -> u32 {
        self.kernels
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Locations of a thread of `benchmark`; the most of them where they are drawn.
    pub fn locations(&self, benchmark: Benchmark) -> u32 {
        self.locations.unwrap_or(benchmark.default_locations())
    }

    /// Blocks in a row for which the number of locations is drawn once.
    pub fn run(&self) -> u32 {
        self.run.unwrap_or(DEFAULT_RUN)
    }

    /// Whether every setting counts in `benchmark`.
    ///
    /// # Errors
    /// [`SetError::Unused`] for one that does nothing there.
    pub fn check(&self, benchmark: Benchmark) -> Result<(), SetError> {
        if benchmark.is_irregular() || self.run.is_none() {
            return Ok(());
        }
        Err(SetError::Unused {
            key: RUN.to_owned(),
            with: format!("--workload ikra/{}", benchmark.name()),
            keys: Self::KEYS
                .iter()
                .map(|key| key.name.to_owned())
                .filter(|name| name != RUN)
                .collect(),
        })
    }

    /// Blocks of `benchmark`: as many as its data need, at the average number of locations. At
    /// least 1.
    pub fn blocks(&self, benchmark: Benchmark) -> u32 {
        let words = u64::from(self.data.unwrap_or(benchmark.default_data())) * WORDS_PER_KB;
        let locations = u64::from(self.locations(benchmark));
        // Of 1 to n the average is (n + 1) / 2.
        let twice = if benchmark.is_irregular() { locations + 1 } else { 2 * locations };
        let blocks = (2 * words).div_ceil(u64::from(self.block) * twice);
        u32::try_from(blocks).expect("at most the words of the largest data")
    }
}
