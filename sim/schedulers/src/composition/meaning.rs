//! What the parts of a scheduler's name stand for.

use super::reader::{bad_value, Reader};
use super::syntax::{Part, Word};
use super::{Composition, CompositionError, CompositionErrorKind as Kind, Gate};
use crate::claso::Levels;
use crate::dyncta::DynctaConfig;
use crate::family;
use std::num::NonZeroU16;

/// What the parts of `text` name.
pub(super) fn composition(text: &str, parts: &[Part<'_>]) -> Result<Composition, CompositionError> {
    let reader = Reader { text };
    let name = parts[0].name;
    let source = match family::of(name.text) {
        Some(family) => (family.read)(&reader, &parts[0])?,
        None if matches!(name.text, "claso" | "dyncta") => {
            return Err(reader.error(Kind::GateAsScheduler(name.text.to_owned()), name));
        }
        None => return Err(reader.error(Kind::UnknownScheduler(name.text.to_owned()), name)),
    };
    let mut gates: Vec<Gate> = Vec::new();
    for part in &parts[1..] {
        let gate = reader.gate(part)?;
        let kind = std::mem::discriminant(&gate);
        if gates.iter().any(|other| std::mem::discriminant(other) == kind) {
            return Err(reader.error(Kind::RepeatedGate(part.name.text.to_owned()), part.name));
        }
        gates.push(gate);
    }
    let claso = parts[1..].iter().find(|part| part.name.text == "claso");
    match claso.zip(source.base().without_credits()) {
        Some((claso, kind)) => Err(reader.error(kind, claso.name)),
        None => Ok(Composition { source, gates }),
    }
}

impl Reader<'_> {
    fn gate(&self, part: &Part<'_>) -> Result<Gate, CompositionError> {
        let name = part.name;
        match name.text {
            "claso" => {
                self.no_variant(part)?;
                self.no_repeated_key(part)?;
                let mut levels = Levels::default();
                for &(key, value) in &part.arguments {
                    match key.text {
                        "pa" => {
                            levels.active = self.number::<NonZeroU16>(key, value, "1 to 65535")?
                        }
                        "pl" => levels.loose = self.number(key, value, "0 to 65535")?,
                        _ => return Err(self.unknown_key(part.name.text, key)),
                    }
                }
                Ok(Gate::Claso(levels))
            }
            "dyncta" => self.dyncta(part),
            unknown => Err(self.error(Kind::UnknownGate(unknown.to_owned()), name)),
        }
    }

    fn dyncta(&self, part: &Part<'_>) -> Result<Gate, CompositionError> {
        self.no_variant(part)?;
        self.no_repeated_key(part)?;
        let mut config = DynctaConfig::default();
        let mut threshold = None;
        for &(key, value) in &part.arguments {
            match key.text {
                "period" => config.period = self.count(key, value, 1, "1 to 4095")?,
                "idle" => config.idle = self.count(key, value, 0, "0 to 4095")?,
                "low" | "high" => {
                    let number = self.count(key, value, 0, "0 to 4095")?;
                    *(if key.text == "low" { &mut config.low } else { &mut config.high }) = number;
                    threshold = Some(value);
                }
                "pause" => match value.text {
                    "0" | "1" => config.pause = value.text == "1",
                    _ => return Err(self.error(bad_value(key, value, "0 or 1"), value)),
                },
                _ => return Err(self.unknown_key(part.name.text, key)),
            }
        }
        match threshold {
            // The one that is written last is pointed at: the other may be a default.
            Some(value) if config.low > config.high => {
                let DynctaConfig { low, high, .. } = config;
                Err(self.error(Kind::LowAboveHigh { low, high }, value))
            }
            _ => Ok(Gate::Dyncta(config)),
        }
    }

    /// A number from `least` to what the counters of an SMX hold.
    fn count(
        &self,
        key: Word<'_>,
        value: Word<'_>,
        least: u16,
        expected: &'static str,
    ) -> Result<u16, CompositionError> {
        let number: u16 = self.number(key, value, expected)?;
        if (least..=DynctaConfig::MOST).contains(&number) {
            Ok(number)
        } else {
            Err(self.error(bad_value(key, value, expected), value))
        }
    }
}
