//! The file as it is written, with the place of every value. Numbers are signed here so that a
//! negative one is refused in the scenario's own words.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::duration::RawDuration;
use super::relation::RawRelation;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Overrides of the preset.
    #[serde(default)]
    pub gpu: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    /// The kernels.
    #[serde(default)]
    pub kernel: Vec<Spanned<RawKernel>>,
}

/// Three numbers.
pub type RawDim3 = Spanned<[Spanned<i64>; 3]>;

/// A `[[kernel]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawKernel {
    pub name: Spanned<String>,
    pub grid: Option<RawDim3>,
    pub block: RawDim3,
    pub registers_per_thread: Option<Spanned<i64>>,
    pub shared_memory: Option<Spanned<i64>>,
    pub arrive: Option<Spanned<i64>>,
    pub stream: Option<Spanned<i64>>,
    pub repeat: Option<Spanned<i64>>,
    pub duration: Spanned<RawDuration>,
    pub relation: Option<Spanned<RawRelation>>,
    pub cluster: Option<RawDim3>,
    pub priority: Option<Spanned<i64>>,
    pub partition: Option<Spanned<i64>>,
    pub dependent: Option<Spanned<bool>>,
    pub trigger: Option<Spanned<i64>>,
    pub prologue: Option<Spanned<i64>>,
    pub setup: Option<Spanned<i64>>,
    pub cancels: Option<Spanned<bool>>,
    #[serde(default)]
    pub child: bool,
    pub resident: Option<Spanned<bool>>,
    #[serde(default)]
    pub launch: Vec<Spanned<RawLaunch>>,
}

/// A `[[kernel.launch]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLaunch {
    pub by: Spanned<i64>,
    pub at: Spanned<i64>,
    pub thread: Option<Spanned<i64>>,
    pub kernel: Spanned<String>,
    pub grid: RawDim3,
    pub cluster: Option<RawDim3>,
}
