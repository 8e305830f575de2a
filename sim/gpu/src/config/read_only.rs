//! The tables of the caches for what no kernel writes: constants and textures.

use serde::{Deserialize, Serialize};

use super::validate::{cache, refused, within};
use super::GpuConfig;
use crate::diagnostic::InputError;

/// A first-level cache of an SMX for what no kernel writes; LRU, sets by the line's number modulo
/// their number, allocates on a miss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadOnlyConfig {
    /// Bytes: sets times ways times the line. 0: there is no such cache.
    pub size: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Bytes of a line, and of what a miss fetches: a power of two from 32 to `l1.line`.
    pub line: u32,
    /// Lines that may be on their way from the L2.
    pub mshrs: u32,
    /// Accesses that may wait for one such line, the first included.
    pub merges: u32,
    /// Whether lanes share an access only if their address is the same; else if their line is.
    pub by_address: bool,
}

impl ReadOnlyConfig {
    /// Whether there is such a cache.
    pub fn is_there(&self) -> bool {
        self.size > 0
    }

    fn validate(&self, keys: &Keys, most_line: u32) -> Result<(), InputError> {
        if !self.line.is_power_of_two() || !(32..=most_line).contains(&self.line) {
            let expected = format!("a power of two from 32 to l1.line = {most_line}");
            return Err(refused(keys.line, self.line, &expected));
        }
        within(keys.mshrs, self.mshrs, 1, 1 << 16)?;
        within(keys.merges, self.merges, 1, 1 << 16)?;
        within(keys.ways, self.ways, 1, 1 << 10)?;
        if self.is_there() {
            cache(keys.size, self.size, keys.ways, self.ways, self.line, 1)?;
        }
        Ok(())
    }
}

/// The keys of one of the caches.
struct Keys {
    size: &'static str,
    ways: &'static str,
    line: &'static str,
    mshrs: &'static str,
    merges: &'static str,
}

const CONSTANT: Keys = Keys {
    size: "constant.size",
    ways: "constant.ways",
    line: "constant.line",
    mshrs: "constant.mshrs",
    merges: "constant.merges",
};

const TEXTURE: Keys = Keys {
    size: "texture.size",
    ways: "texture.ways",
    line: "texture.line",
    mshrs: "texture.mshrs",
    merges: "texture.merges",
};

impl GpuConfig {
    /// Whether the caches for constants and textures can be built.
    pub(super) fn validate_read_only(&self) -> Result<(), InputError> {
        self.constant.validate(&CONSTANT, self.l1.line)?;
        self.texture.validate(&TEXTURE, self.l1.line)?;
        if self.texture.is_there() && self.coherence.protocol == super::Protocol::Denovo {
            let size = self.texture.size;
            return Err(InputError::new(format!(
                "coherence.protocol = denovo with texture.size = {size}"
            ))
            .help("expected texture.size = 0: arrays whose words an L1 owns are not in the L2"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(key: &str, value: &str) -> String {
        let mut config = GpuConfig::preset("c2050").unwrap();
        config.set(key, value).unwrap();
        config.validate().unwrap_err().to_string()
    }

    fn accepted(preset: &str, changes: &[(&str, &str)]) {
        let mut config = GpuConfig::preset(preset).unwrap();
        changes.iter().for_each(|(key, value)| config.set(key, value).unwrap());
        config.validate().unwrap();
    }

    #[test]
    fn sizes_and_lines_are_refused_outside_their_range_and_taken_at_its_ends() {
        for (key, good, bad) in [
            ("size", &["0", "128", "8192"][..], &["64", "8193"][..]),
            ("ways", &["1", "128"], &["0", "3", "1025"]),
            ("line", &["32", "64", "128"], &["0", "16", "96", "256"]),
            ("mshrs", &["1", "65536"], &["0", "65537"]),
            ("merges", &["1", "65536"], &["0", "65537"]),
        ] {
            let key = format!("constant.{key}");
            good.iter().for_each(|value| accepted("c2050", &[(&key, value)]));
            for value in bad {
                let error = refused(&key, value);
                assert!(error.contains("constant."), "{key} = {value}: {error}");
                assert!(error.contains(&format!("= {value}")) || key.ends_with("ways"), "{error}");
            }
        }
        assert!(refused("texture.line", "256").contains("texture.line = 256"));
        assert!(refused("latency.texture", "0").contains("latency.texture = 0"));
    }

    #[test]
    fn a_texture_cache_beside_owned_words_is_refused_and_a_constant_cache_is_not() {
        accepted("denovo15", &[("constant.size", "8192")]);
        accepted("denovo15", &[("coherence.protocol", "none"), ("texture.size", "6144")]);
        let mut config = GpuConfig::preset("denovo15").unwrap();
        config.set("texture.size", "6144").unwrap();
        let error = config.validate().unwrap_err().to_string();
        assert!(error.contains("coherence.protocol = denovo with texture.size = 6144"), "{error}");
    }
}
