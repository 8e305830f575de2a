//! Where each value of a preset comes from: what its file says beside it.

use serde::Serialize;

use super::GpuConfig;
use crate::diagnostic::InputError;

/// Words of a source that says that there is none.
const CHOSEN: [&str; 8] = [
    "chosen",
    "published nowhere",
    "stated nowhere",
    "stated by neither",
    "not stated",
    "not modelled",
    "assumption",
    "guess",
];

/// Words of a source of a latency that is made so that a sum is what was measured.
const FITTED: &str = "so that";

/// How much a source is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Its source states the value.
    Stated,
    /// Its source states a sum of which the value is a part.
    Fitted,
    /// Nobody states the value: it was chosen, or what it is for is left out.
    Chosen,
}

/// What the file of a preset says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetFile {
    /// Its first line: what the GPU is, and whether it was validated.
    pub title: String,
    /// Its keys, in the order of the file.
    pub values: Vec<SourcedValue>,
}

/// A value of a preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedValue {
    /// `table.name`.
    pub key: String,
    /// The value, in TOML.
    pub value: String,
    /// Where it comes from, and what else there is to say of it.
    pub source: String,
}

impl SourcedValue {
    /// How much its source is worth.
    pub fn standing(&self) -> Standing {
        if CHOSEN.iter().any(|word| self.source.contains(word)) {
            Standing::Chosen
        } else if self.source.contains(FITTED) {
            Standing::Fitted
        } else {
            Standing::Stated
        }
    }
}

impl GpuConfig {
    /// What the preset `name` says, or a file.
    ///
    /// # Errors
    /// As [`GpuConfig::preset`].
    pub fn file(name: &str) -> Result<PresetFile, InputError> {
        let (config, text) = (Self::preset(name)?, Self::text(name)?);
        let values = Self::sources(&text).map(|(key, source)| {
            let value = config.value(&key).map(|value| value.to_string()).unwrap_or_default();
            SourcedValue { key, value, source: source.to_owned() }
        });
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        Ok(PresetFile { title, values: values.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_that_are_shown_are_those_that_are_used() {
        for name in GpuConfig::names() {
            let mut config = GpuConfig::preset("k20c").unwrap();
            let file = GpuConfig::file(name).unwrap();
            for SourcedValue { key, value, .. } in &file.values {
                config.set(key, value).unwrap();
            }
            assert_eq!(file.values.len(), config.keys().len(), "{name}");
            assert_eq!(config, GpuConfig::preset(name).unwrap());
            assert!(file.title.len() > 10, "{name}: {}", file.title);
        }
        assert!(GpuConfig::file("k40").is_err());
    }

    #[test]
    fn what_nobody_states_is_told_apart() {
        let file = GpuConfig::file("h100").unwrap();
        let standing = |key: &str| {
            let value = file.values.iter().find(|value| value.key == key).expect(key);
            value.standing()
        };
        let stated = ["smx.count", "l2.size", "latency.single"].map(standing);
        assert_eq!(stated, [Standing::Stated; 3]);
        assert_eq!(standing("l1.latency"), Standing::Fitted);
        let chosen = ["smx.gpcs", "l1.ways", "interconnect.latency"].map(standing);
        assert_eq!(chosen, [Standing::Chosen; 3]);
    }
}
