//! The file as it is written, with the place of every value. Numbers are signed here so that a
//! negative one is refused in the file's own words.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

/// Values by name.
pub type Table<T> = BTreeMap<Spanned<String>, Spanned<T>>;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    #[serde(default)]
    pub buffers: Table<RawData>,
    #[serde(default)]
    pub variables: Table<RawData>,
    #[serde(default)]
    pub textures: Table<RawTexture>,
    #[serde(default)]
    pub launch: Vec<Spanned<RawLaunch>>,
    #[serde(default)]
    pub repeat: Vec<Spanned<RawRepeat>>,
    #[serde(default)]
    pub output: Table<String>,
    #[serde(default)]
    pub expect: Table<RawExpect>,
}

/// What a buffer or a variable holds at first.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawData {
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
    pub count: Option<Spanned<i64>>,
    pub file: Option<Spanned<String>>,
    pub values: Option<Spanned<Vec<Spanned<Value>>>>,
    pub value: Option<Spanned<Value>>,
    pub fill: Option<Spanned<String>>,
    pub from: Option<Spanned<Value>>,
    pub to: Option<Spanned<Value>>,
}

/// What a buffer must hold in the end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawExpect {
    pub file: Option<Spanned<String>>,
    pub values: Option<Spanned<Vec<Spanned<Value>>>>,
    pub value: Option<Spanned<Value>>,
    pub fill: Option<Spanned<String>>,
    pub tolerance: Option<Spanned<f64>>,
}

/// What a texture reads, and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTexture {
    pub buffer: Spanned<String>,
    pub width: Spanned<i64>,
    pub height: Option<Spanned<i64>>,
    pub depth: Option<Spanned<i64>>,
    pub channels: Option<Spanned<i64>>,
    #[serde(default)]
    pub normalized: bool,
    #[serde(default)]
    pub linear: bool,
    #[serde(default)]
    pub wraps: bool,
}

/// A `[[launch]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLaunch {
    pub kernel: Option<Spanned<String>>,
    pub grid: Option<Spanned<Value>>,
    pub block: Spanned<Value>,
    pub resident: Option<Spanned<bool>>,
    pub shared_memory: Option<Spanned<i64>>,
    pub stream: Option<Spanned<i64>>,
    pub dependent: Option<Spanned<bool>>,
    pub cluster: Option<Spanned<Value>>,
    #[serde(default)]
    pub zero: Vec<Spanned<String>>,
    #[serde(default)]
    pub write: Vec<Spanned<RawWrite>>,
    #[serde(default)]
    pub arguments: Option<Spanned<Vec<Spanned<Value>>>>,
}

/// What the host writes before a launch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawWrite {
    pub buffer: Spanned<String>,
    pub element: Option<Spanned<i64>>,
    pub values: Option<Spanned<Vec<Spanned<Value>>>>,
    pub value: Option<Spanned<Value>>,
    pub count: Option<Spanned<i64>>,
}

/// A `[[repeat]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRepeat {
    pub until_zero: Option<Spanned<String>>,
    pub at_most: Option<Spanned<i64>>,
    pub times: Option<Spanned<i64>>,
    pub swap: Option<Spanned<[Spanned<String>; 2]>>,
    #[serde(default)]
    pub launch: Vec<Spanned<RawLaunch>>,
}
