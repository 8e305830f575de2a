//! The channel and the address layout of a run, and single keys of them by name.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::{Case, LINE_BYTES};
use crate::bad_value::bad_value;
use crate::channel::address_map::AddressMapConfig;
use crate::channel::ChannelConfig;
use crate::diagnostic::InputError;

/// Bytes that the data bus of the default channel moves in a cycle.
const BUS_BYTES: u32 = 32;

/// Lines in the default queue.
const QUEUE_LINES: u32 = 16;

/// The short names of the two burst modes, and their bytes.
const MODES: [(&str, u32); 2] = [("bl8", 64), ("bl16", 128)];

/// What `blockyard dram` runs with. The default is the configuration of the oracle data with bursts
/// of 128 bytes.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The channel.
    pub channel: ChannelConfig,
    /// Where addresses are.
    pub address: AddressMapConfig,
    given: Vec<String>,
}

impl Settings {
    /// The default configuration with these settings, checked as a whole.
    ///
    /// # Errors
    /// As [`set`](Self::set) and [`validate`](Self::validate).
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InputError> {
        let mut settings = Self::default();
        for (key, value) in pairs {
            settings.set(key, value)?;
        }
        settings.validate()?;
        Ok(settings)
    }

    /// Every key: those of [`ChannelConfig`], and those of [`AddressMapConfig`] as `address.name`.
    pub fn keys() -> Vec<String> {
        let address = table(&AddressMapConfig::default());
        let address = address.keys().map(|key| format!("address.{key}"));
        table(&ChannelConfig::default()).keys().cloned().chain(address).collect()
    }

    /// Sets `key` to the TOML value written in `value`; a bare word is a string.
    ///
    /// `burst_bytes` also knows `bl8` (64) and `bl16` (128), and takes along, unless they are set
    /// themselves, `burst_cycles` (32 bytes a cycle) and `queue` (16 lines). `burst` is a short
    /// name of it.
    ///
    /// # Errors
    /// When there is no such key, or when the value is not of the key's kind.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let key = if key == "burst" { "burst_bytes" } else { key };
        let parsed = match MODES.iter().find(|(mode, _)| key == "burst_bytes" && *mode == value) {
            Some((_, bytes)) => Value::Integer(i64::from(*bytes)),
            None => parse(value),
        };
        match key.strip_prefix("address.") {
            Some(name) => replace(&mut self.address, key, name, parsed)?,
            None => replace(&mut self.channel, key, key, parsed)?,
        }
        self.given.push(key.to_owned());
        let free = |other: &str| !self.given.iter().any(|given| given == other);
        let bytes = self.channel.burst_bytes;
        if key == "burst_bytes" && bytes > 0 && bytes <= LINE_BYTES as u32 {
            if free("burst_cycles") {
                self.channel.burst_cycles = bytes.div_ceil(BUS_BYTES);
            }
            if free("queue") {
                self.channel.queue = QUEUE_LINES * LINE_BYTES as u32 / bytes;
            }
        }
        Ok(())
    }

    /// Checks channel and layout, each for itself and against one another.
    ///
    /// # Errors
    /// The first key that is out of range, with its value and what was expected.
    pub fn validate(&self) -> Result<(), InputError> {
        self.channel.validate()?;
        self.address.validate()?;
        if self.address.channels != 1 {
            let message = format!("address.channels = {}", self.address.channels);
            return Err(InputError::new(message).help("expected 1: one channel is modelled here"));
        }
        if self.address.banks() != self.channel.banks {
            let (bits, banks) = (&self.address.bank_bits, self.channel.banks);
            let message = format!("banks = {banks} with address.bank_bits = {bits:?}");
            let help = format!("expected banks = {}, or other bank bits", self.address.banks());
            return Err(InputError::new(message).help(help));
        }
        Ok(())
    }

    /// Checks that every address of the list `text` of file `path` is one of the device: two that
    /// differ only above the row bits would be the same line.
    ///
    /// # Errors
    /// The first address that is too large, with its place in the file.
    pub fn check_addresses(
        &self,
        cases: &[Case],
        path: &Path,
        text: &str,
    ) -> Result<(), InputError> {
        let top =
            self.address.bank_bits.iter().fold(self.address.row_high, |top, &bit| top.max(bit));
        let largest = u64::MAX >> (63 - top);
        let mut requests = cases.iter().flat_map(|case| &case.requests);
        if let Some(request) = requests.find(|request| request.address > largest) {
            let span = request.address_span.clone();
            let line = text[..span.start].matches('\n').count() + 1;
            let name = path.display().to_string();
            let what = format!("`addr_hex` is `{}`, past the last row", &text[span.clone()]);
            let help = format!(
                "expected at most {largest:x} (address.row_high = {})",
                self.address.row_high
            );
            return Err(InputError::new(format!("{name}, line {line}: {what}"))
                .at(&name, text, span, "addr_hex")
                .help(help));
        }
        Ok(())
    }
}

fn table(config: &impl Serialize) -> Table {
    Table::try_from(config).expect("a configuration is plain data")
}

fn parse(value: &str) -> Value {
    toml::from_str::<Table>(&format!("value = {value}"))
        .ok()
        .filter(|table| table.len() == 1)
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.to_owned()))
}

fn replace<T>(config: &mut T, key: &str, name: &str, value: Value) -> Result<(), InputError>
where
    T: Serialize + for<'de> Deserialize<'de>,
{
    let mut table = table(config);
    let Some(slot) = table.get_mut(name) else {
        let message = format!("unknown DRAM key `{key}`");
        let expected = format!("expected one of {}", Settings::keys().join(", "));
        return Err(InputError::new(message).help(expected));
    };
    let old = std::mem::replace(slot, value.clone());
    *config = table.try_into().map_err(|error| {
        let complaint = bad_value(&value, &format!("DRAM key `{key}`"), &old, &error);
        match key {
            "burst_bytes" => complaint.help("expected bl8, bl16 or a number of bytes"),
            _ => complaint,
        }
    })?;
    Ok(())
}
