//! What the parts of a scheduler's name stand for.

use super::super::claso::Levels;
use super::super::dyncta::DynctaConfig;
use super::super::ikra::IkraConfig;
use super::super::laperm::{Binding, LapermConfig};
use super::super::srtf::{OracleConfig, OracleKind, Policy, RuntimeList, SrtfConfig};
use super::syntax::{Part, Word};
use super::{Composition, CompositionError, CompositionErrorKind as Kind, Gate, Source};
use std::num::NonZeroU16;
use std::str::FromStr;

/// What the parts of `text` name.
pub(super) fn composition(text: &str, parts: &[Part<'_>]) -> Result<Composition, CompositionError> {
    let reader = Reader { text };
    let source = reader.source(&parts[0])?;
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
    match claso.zip(without_credits(source, &parts[0])) {
        Some((claso, kind)) => Err(reader.error(kind, claso.name)),
        None => Ok(Composition { source, gates }),
    }
}

/// Why a source cannot have credits; dyncta goes with all of them.
fn without_credits(source: Source, part: &Part<'_>) -> Option<Kind> {
    match source {
        Source::Ikra(IkraConfig::Steal(_)) => Some(Kind::NoCreditsForStolenBlocks),
        Source::Laperm(LapermConfig { binding: Binding::Bound, .. }) => {
            Some(Kind::NoCreditsForBoundGroups)
        }
        Source::Mpmax | Source::Srtf(_) | Source::Oracle(_) => {
            let variant = part.variant.map(|variant| format!("/{}", variant.text));
            let name = part.name.text.to_owned() + &variant.unwrap_or_default();
            Some(Kind::NoCreditsForConcurrentKernels(name))
        }
        Source::RoundRobin
        | Source::RestartingRoundRobin
        | Source::GpgpuSim
        | Source::Ikra(_)
        | Source::Laperm(_) => None,
    }
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn source(&self, part: &Part<'_>) -> Result<Source, CompositionError> {
        let name = part.name;
        match name.text {
            "rr" | "fifo" => self.round_robin(part),
            "rr-gpgpusim" => {
                self.no_variant(part)?;
                match part.arguments.first() {
                    None => Ok(Source::GpgpuSim),
                    Some((key, _)) => Err(self.unknown_key(part, *key)),
                }
            }
            "laperm" => self.laperm(part).map(Source::Laperm),
            "ikra" => self.ikra(part).map(Source::Ikra),
            "mpmax" => {
                self.no_variant(part)?;
                match part.arguments.first() {
                    None => Ok(Source::Mpmax),
                    Some((key, _)) => Err(self.unknown_key(part, *key)),
                }
            }
            "srtf" => self.srtf(part),
            "sjf" => self.oracle(part, OracleKind::Shortest),
            "ljf" => self.oracle(part, OracleKind::Longest),
            "claso" | "dyncta" => {
                Err(self.error(Kind::GateAsScheduler(name.text.to_owned()), name))
            }
            unknown => Err(self.error(Kind::UnknownScheduler(unknown.to_owned()), name)),
        }
    }

    fn round_robin(&self, part: &Part<'_>) -> Result<Source, CompositionError> {
        self.no_variant(part)?;
        self.no_repeated_key(part)?;
        let mut source = Source::RoundRobin;
        for &(key, value) in &part.arguments {
            match (key.text, value.text) {
                ("start", "last-finished") => source = Source::RestartingRoundRobin,
                ("start", _) => {
                    return Err(self.error(bad_value(key, value, "last-finished"), value));
                }
                _ => return Err(self.unknown_key(part, key)),
            }
        }
        Ok(source)
    }

    fn ikra(&self, part: &Part<'_>) -> Result<IkraConfig, CompositionError> {
        let Some(variant) = part.variant else {
            let kind = Kind::MissingVariant(part.name.text.to_owned());
            return Err(self.error(kind, part.name));
        };
        let Some(mut config) = IkraConfig::named(variant.text) else {
            let (name, of) = (part.name.text.to_owned(), variant.text.to_owned());
            return Err(self.error(Kind::UnknownVariant { name, variant: of }, variant));
        };
        self.no_repeated_key(part)?;
        for &(key, value) in &part.arguments {
            match config.set(key.text, value.text) {
                Ok(()) => {}
                Err(Some(expected)) => {
                    return Err(self.error(bad_value(key, value, expected), value))
                }
                Err(None) => {
                    let name = format!("ikra/{}", config.variant());
                    let kind = Kind::UnknownKey { name, key: key.text.to_owned() };
                    return Err(self.error(kind, key));
                }
            }
        }
        let IkraConfig::Steal(steal) = config else {
            return Ok(config);
        };
        // A default excludes nothing, so the key is written.
        let excluded = steal.excluded_by_nesting();
        let excluded = part.arguments.iter().find(|(key, _)| excluded == Some(key.text));
        match excluded {
            None => Ok(config),
            Some((key, value)) => {
                let (key, text) = (key.text.to_owned(), value.text.to_owned());
                Err(self.error(Kind::ExcludedByNesting { key, value: text }, *value))
            }
        }
    }

    fn laperm(&self, part: &Part<'_>) -> Result<LapermConfig, CompositionError> {
        let bindings = [Binding::Shared, Binding::Bound, Binding::Adaptive];
        let Some(variant) = part.variant else {
            let kind = Kind::MissingVariant(part.name.text.to_owned());
            return Err(self.error(kind, part.name));
        };
        let Some(&binding) = bindings.iter().find(|binding| binding.name() == variant.text) else {
            let (name, of) = (part.name.text.to_owned(), variant.text.to_owned());
            return Err(self.error(Kind::UnknownVariant { name, variant: of }, variant));
        };
        self.no_repeated_key(part)?;
        let mut config = LapermConfig::new(binding);
        for &(key, value) in &part.arguments {
            match config.set(key.text, value.text) {
                Ok(()) => {}
                Err(Some(expected)) => {
                    return Err(self.error(bad_value(key, value, expected), value))
                }
                Err(None) => return Err(self.unknown_key(part, key)),
            }
        }
        Ok(config)
    }

    fn srtf(&self, part: &Part<'_>) -> Result<Source, CompositionError> {
        let policy = match part.variant.map(|variant| variant.text) {
            None => Policy::Shortest,
            Some("adaptive") => Policy::Adaptive,
            Some("zero-sampling") => return self.oracle(part, OracleKind::Remaining),
            Some(_) => {
                self.no_variant(part)?;
                Policy::Shortest
            }
        };
        self.no_repeated_key(part)?;
        let mut config = SrtfConfig::new(policy);
        for &(key, value) in &part.arguments {
            match config.set(key.text, value.text) {
                Ok(()) => {}
                Err(Some(expected)) => {
                    return Err(self.error(bad_value(key, value, expected), value))
                }
                Err(None) => return Err(self.unknown_key(part, key)),
            }
        }
        Ok(Source::Srtf(config))
    }

    fn oracle(&self, part: &Part<'_>, kind: OracleKind) -> Result<Source, CompositionError> {
        if kind != OracleKind::Remaining {
            self.no_variant(part)?;
        }
        self.no_repeated_key(part)?;
        let (mut runtimes, mut wait) = (None, 0);
        for &(key, value) in &part.arguments {
            match key.text {
                "runtimes" => {
                    let bad = || bad_value(key, value, RuntimeList::EXPECTED);
                    let list = RuntimeList::parse(value.text);
                    runtimes = Some(list.ok_or_else(|| self.error(bad(), value))?);
                }
                "wait" if kind != OracleKind::Remaining => {
                    wait = self.number(key, value, "0 to 65535")?;
                }
                _ => return Err(self.unknown_key(part, key)),
            }
        }
        match runtimes {
            Some(runtimes) => Ok(Source::Oracle(OracleConfig { kind, runtimes, wait })),
            None => {
                let kind = Kind::MissingRuntimes(part.name.text.to_owned());
                Err(self.error(kind, part.name))
            }
        }
    }

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
                        _ => return Err(self.unknown_key(part, key)),
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
                _ => return Err(self.unknown_key(part, key)),
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

    /// A plain decimal number; no sign, which `FromStr` would accept.
    fn number<T: FromStr>(
        &self,
        key: Word<'_>,
        value: Word<'_>,
        expected: &'static str,
    ) -> Result<T, CompositionError> {
        let digits = value.text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.text.parse().ok() } else { None };
        number.ok_or_else(|| self.error(bad_value(key, value, expected), value))
    }

    fn no_variant(&self, part: &Part<'_>) -> Result<(), CompositionError> {
        let Some(variant) = part.variant else {
            return Ok(());
        };
        let (name, of) = (part.name.text.to_owned(), variant.text.to_owned());
        Err(self.error(Kind::UnknownVariant { name, variant: of }, variant))
    }

    fn no_repeated_key(&self, part: &Part<'_>) -> Result<(), CompositionError> {
        for (index, (key, _)) in part.arguments.iter().enumerate() {
            if part.arguments[..index].iter().any(|(earlier, _)| earlier.text == key.text) {
                return Err(self.error(Kind::RepeatedKey(key.text.to_owned()), *key));
            }
        }
        Ok(())
    }

    fn unknown_key(&self, part: &Part<'_>, key: Word<'_>) -> CompositionError {
        let (name, text) = (part.name.text.to_owned(), key.text.to_owned());
        self.error(Kind::UnknownKey { name, key: text }, key)
    }

    fn error(&self, kind: Kind, at: Word<'_>) -> CompositionError {
        CompositionError::new(kind, self.text, at.at, at.text.len())
    }
}

fn bad_value(key: Word<'_>, value: Word<'_>, expected: &'static str) -> Kind {
    Kind::BadValue { key: key.text.to_owned(), value: value.text.to_owned(), expected }
}
