//! Where each value of a preset comes from: what its file says beside it.

use serde::Serialize;

use super::{GpuConfig, PRESETS};
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
    pub title: &'static str,
    /// Its keys, in the order of the file.
    pub values: Vec<SourcedValue>,
}

/// A value of a preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedValue {
    /// `table.name`.
    pub key: String,
    /// The value, in TOML.
    pub value: &'static str,
    /// Where it comes from, and what else there is to say of it.
    pub source: &'static str,
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
    /// What the file of the preset `name` says; its values are those of [`GpuConfig::preset`].
    ///
    /// # Errors
    /// When there is no preset of that name; the help lists the names.
    pub fn file(name: &str) -> Result<PresetFile, InputError> {
        Self::preset(name)?;
        let known = PRESETS.iter().find(|(known, _)| *known == name);
        let text = known.map_or("", |(_, text)| *text);
        let mut table = "";
        let mut values = Vec::new();
        for line in text.lines() {
            if let Some(named) = line.strip_prefix('[') {
                table = named.split(']').next().unwrap_or_default();
            } else if let Some((pair, source)) = line.split_once(" # ") {
                let Some((key, value)) = pair.split_once(" = ") else { continue };
                let key = format!("{table}.{}", key.trim());
                values.push(SourcedValue { key, value: value.trim(), source: source.trim() });
            }
        }
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        Ok(PresetFile { title, values })
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
