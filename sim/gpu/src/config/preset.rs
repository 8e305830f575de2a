//! GPUs as TOML: those that are known by name, and those of files.

use std::path::Path;

use super::{GpuConfig, PRESETS};
use crate::diagnostic::InputError;
use crate::input;
use crate::key::asked;
use crate::plain::plain;

/// How the name of a file ends that holds a GPU.
const FILE: &str = ".toml";

impl GpuConfig {
    /// The preset `name`, or the GPU in that file if it ends with `.toml`.
    ///
    /// # Errors
    /// When there is none of that name, with near ones and all, or as [`GpuConfig::parse`].
    pub fn preset(name: &str) -> Result<Self, InputError> {
        Self::parse(name, &Self::text(name)?)
    }

    /// The text of [`GpuConfig::preset`]: a line a key, with the paper and table that it comes from
    /// behind `#`.
    ///
    /// # Errors
    /// As [`GpuConfig::preset`].
    pub fn text(name: &str) -> Result<String, InputError> {
        if Self::is_file(name) {
            let bytes = input::read(Path::new(name));
            let bytes = bytes.map_err(|error| InputError::file("read", Path::new(name), &error))?;
            return String::from_utf8(bytes).map_err(|_| {
                InputError::new(format!("{name} is no text")).help("expected a GPU as TOML")
            });
        }
        let found = PRESETS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| {
            let names: Vec<_> = Self::names().collect();
            let all = format!("expected one of {}, or a file {FILE}", names.join(", "));
            let help = asked(name, names, &all);
            InputError::new(format!("there is no GPU `{name}`")).help(help)
        })
    }

    /// Whether `name` is that of a file, and not of a preset.
    pub fn is_file(name: &str) -> bool {
        name.ends_with(FILE)
    }

    /// The GPU that `text` states; `name` stands for it in complaints.
    ///
    /// # Errors
    /// When a key is missing, unknown or has a value that it cannot have, with its line.
    pub fn parse(name: &str, text: &str) -> Result<Self, InputError> {
        toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let help = "a GPU states every key; `blockyard list gpus k20c` prints one";
            InputError::new(plain(error.message().trim_end()))
                .at(name, text, span, "here")
                .help(help)
        })
    }

    /// What the text of a GPU says behind `#` of each key, where it comes from.
    pub fn sources(text: &str) -> impl Iterator<Item = (String, &str)> {
        let mut table = "";
        text.lines().filter_map(move |line| {
            let (statement, comment) = line.split_once('#').unwrap_or((line, ""));
            let statement = statement.trim();
            if let Some(name) = statement.strip_prefix('[').and_then(|name| name.strip_suffix(']'))
            {
                table = name;
                return None;
            }
            let (key, _) = statement.split_once('=')?;
            Some((format!("{table}.{}", key.trim()), comment.trim()))
        })
    }
}
