//! Setting single keys by name: `--set key=value` and a scenario's `[gpu]` table.

use toml::{Table, Value};

use super::GpuConfig;
use crate::bad_value::bad_value;
use crate::diagnostic::InputError;
use crate::key::did_you_mean;

/// Short names of scenario files, for the keys that worked examples need most.
const ALIASES: [(&str, &str); 8] = [
    ("smx", "smx.count"),
    ("smx_domains", "smx.domains"),
    ("smx_partitions", "smx.partitions"),
    ("smx_slowdown", "smx.slowdown"),
    ("thread_block_slots", "smx.thread_block_slots"),
    ("threads", "smx.threads"),
    ("registers", "smx.registers"),
    ("shared_memory", "smx.shared_memory"),
];

impl GpuConfig {
    /// Every key as `table.name`, in the order of the preset files.
    pub fn keys(&self) -> Vec<String> {
        let tables = self.to_table();
        let mut keys = Vec::new();
        for (name, table) in &tables {
            let inner = table.as_table().expect("every key of a preset is in a table");
            keys.extend(inner.keys().map(|key| format!("{name}.{key}")));
        }
        keys
    }

    /// Sets `key` to the TOML value written in `value`; a bare word is a string.
    ///
    /// # Errors
    /// When there is no such key (the help names near ones), or when the value is not of the key's
    /// kind. Whether the configuration as a whole is sound, [`GpuConfig::validate`] says.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let parsed = toml::from_str::<Table>(&format!("value = {value}"))
            .ok()
            .filter(|table| table.len() == 1)
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(value.to_owned()));
        self.set_value(key, parsed)
    }

    /// The whole name of `key`, which may be a short one: `smx` is `smx.count`.
    pub fn canonical_key(key: &str) -> &str {
        ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, key)| key)
    }

    /// As [`GpuConfig::set`], from a TOML value; a table sets each of its keys.
    ///
    /// # Errors
    /// As [`GpuConfig::set`].
    pub fn set_value(&mut self, key: &str, value: Value) -> Result<(), InputError> {
        if let Value::Table(inner) = value {
            for (name, value) in inner {
                self.set_value(&format!("{key}.{name}"), value)?;
            }
            return Ok(());
        }
        let key = Self::canonical_key(key);
        let mut tables = self.to_table();
        let slot = key
            .split_once('.')
            .and_then(|(table, name)| tables.get_mut(table)?.as_table_mut()?.get_mut(name));
        let Some(slot) = slot else {
            return Err(InputError::new(format!("unknown GPU key `{key}`")).help(self.near(key)));
        };
        let old = std::mem::replace(slot, value.clone());
        *self = tables.try_into().map_err(|error| {
            let refused = bad_value(&value, &format!("GPU key `{key}`"), &old, &error);
            match key {
                // An empty list does not show what it is a list of.
                "smx.domains" => refused.help(super::domains::EXPECTED),
                "smx.partitions" => refused.help(super::partitions::EXPECTED),
                _ => refused,
            }
        })?;
        Ok(())
    }

    /// The value of `key`, if there is such a key.
    pub fn value(&self, key: &str) -> Option<Value> {
        let (table, name) = key.split_once('.')?;
        self.to_table().get(table)?.get(name).cloned()
    }

    /// Whether there are keys `table.name`.
    pub fn has_table(&self, table: &str) -> bool {
        self.to_table().contains_key(table)
    }

    fn to_table(&self) -> Table {
        Table::try_from(self).expect("a configuration is plain data")
    }

    /// Names the keys that `key` may have been meant to be.
    fn near(&self, key: &str) -> String {
        let keys = self.keys();
        let near = did_you_mean(key, keys.iter().map(String::as_str));
        near.unwrap_or_else(|| format!("expected one of {}", keys.join(", ")))
    }
}
