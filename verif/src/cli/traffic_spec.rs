//! What `--traffic` says: `cycles=16000,density=dense,completions=2`.

use super::number::within;
use super::settings::pair;
use crate::traffic::Intensity;
use blockyard_sim::key::asked;
use miette::{miette, Result};
use std::fmt;
use std::ops::RangeInclusive;

/// The keys, and what each takes.
const KEYS: [(&str, &str); 14] = [
    ("cycles", "cycles to run [16000]"),
    ("seed", "of all that is drawn [that of --seed]"),
    (
        "density",
        "dense, mixed, sparse, packed, long, vast, crowd, ranks or deep: all that follow [mixed]",
    ),
    ("launches", "chance in 1,000, in each cycle, that the host offers a kernel"),
    ("completions", "chance in 1,000, in each cycle, that a resident block ends"),
    ("resets", "chance in 1,000, in each cycle, that everything is reset"),
    ("giants", "chance in 1,000, for each kernel, that it is too large to end: a reset ends it"),
    (
        "long",
        "chance in 1,000, for each other kernel of the host, that it has 65,535 blocks or more",
    ),
    ("ranks", "chance in 1,000, for each other kernel of the host, that it has up to 2^17 blocks"),
    ("first", "most kernels of a block or two that come first, from reset on"),
    ("brief", "chance in 1,000, for some hundred cycles, that kernels have but a block or two"),
    ("early", "most blocks that begin from where a giant comes until its reset; 0: time decides"),
    (
        "flood",
        "cycles of a flood of launches from the device, first, in which no block ends; 0: a short one in \
         a quarter of the cases, in which blocks end",
    ),
    ("tides", "true, or false: whether launches pause at times and blocks end seldom at others"),
];

/// Those of the regression.
const DENSITIES: [(&str, Intensity); 9] = [
    ("dense", Intensity::DENSE),
    ("mixed", Intensity::MIXED),
    ("sparse", Intensity::SPARSE),
    ("packed", Intensity::PACKED),
    ("long", Intensity::LONG),
    ("vast", Intensity::VAST),
    ("crowd", Intensity::CROWD),
    ("ranks", Intensity::RANKS),
    ("deep", Intensity::DEEP),
];

/// Random traffic, as the command line describes it.
#[derive(Clone, Copy, Debug)]
pub struct TrafficSpec {
    /// Cycles to run.
    pub cycles: u64,
    /// Makes it repeatable.
    pub seed: u64,
    /// How much happens.
    pub intensity: Intensity,
}

impl TrafficSpec {
    /// Reads `KEY=VALUE,...`; `seed` is that of a text that names none.
    ///
    /// # Errors
    /// An unknown key, one that stands twice, or a bad value, with what was expected.
    pub fn read(text: &str, seed: u64) -> Result<Self> {
        let mut spec = Self { cycles: 16_000, seed, intensity: Intensity::MIXED };
        let mut given: Vec<(&str, &str)> = Vec::new();
        for item in text.split(',') {
            let (key, value) = pair("--traffic", item)?;
            if !KEYS.iter().any(|(known, _)| *known == key) {
                return Err(unknown(key));
            }
            if given.iter().any(|(known, _)| *known == key) {
                return Err(miette!(help = "expected each at most once", "`{key}` stands twice"));
            }
            given.push((key, value));
        }
        // A density is the ground that the others change, wherever it stands.
        given.sort_by_key(|(key, _)| *key != "density");
        for (key, value) in given {
            let number = |range: RangeInclusive<u64>| {
                within(value, range).map_err(|expected| cannot_be(key, value, &expected))
            };
            let chance = || Ok::<u32, miette::Report>(number(0..=1000)? as u32);
            match key {
                "cycles" => spec.cycles = number(1..=u64::MAX)?,
                "seed" => spec.seed = number(0..=u64::MAX)?,
                "density" => spec.intensity = density(value)?,
                "launches" => spec.intensity.launch = chance()?,
                "completions" => spec.intensity.finish = chance()?,
                "resets" => spec.intensity.reset = chance()?,
                "giants" => spec.intensity.giant = chance()?,
                "long" => spec.intensity.long = chance()?,
                "ranks" => spec.intensity.ranks = chance()?,
                "first" => spec.intensity.first = chance()?,
                "brief" => spec.intensity.brief = chance()?,
                "early" => spec.intensity.early = number(0..=100_000)? as u32,
                "flood" => spec.intensity.flood = number(0..=1_000_000)? as u32,
                _ => spec.intensity.tides = truth(value)?,
            }
        }
        Ok(spec)
    }
}

/// As it is read, with every key that decides.
impl fmt::Display for TrafficSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycles, seed, intensity } = self;
        let Intensity {
            launch,
            finish,
            reset,
            giant,
            long,
            ranks,
            first,
            brief,
            early,
            flood,
            tides,
        } = intensity;
        write!(
            f,
            "cycles={cycles},seed={seed},launches={launch},completions={finish},\
             resets={reset},giants={giant},long={long},ranks={ranks},first={first},\
             brief={brief},early={early},flood={flood},tides={tides}"
        )
    }
}

fn density(value: &str) -> Result<Intensity> {
    let found = DENSITIES.iter().find(|(name, _)| *name == value);
    found.map(|(_, intensity)| *intensity).ok_or_else(|| {
        let names = DENSITIES.map(|(name, _)| name);
        let known = format!("expected one of {}", names.join(", "));
        cannot_be("density", value, &asked(value, names, &known))
    })
}

fn truth(value: &str) -> Result<bool> {
    value.parse().map_err(|_| cannot_be("tides", value, "expected true or false"))
}

fn cannot_be(key: &str, value: &str, expected: &str) -> miette::Report {
    miette!(help = expected.to_owned(), "`{key}` of --traffic cannot be `{value}`")
}

fn unknown(key: &str) -> miette::Report {
    let known: Vec<String> = KEYS.iter().map(|(key, what)| format!("{key}: {what}")).collect();
    let help = asked(key, KEYS.map(|(key, _)| key), &format!("expected\n{}", known.join("\n")));
    miette!(help = help, "unknown key `{key}` of --traffic")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        TrafficSpec::read(text, 9).expect(text).to_string()
    }

    #[test]
    fn what_is_left_out_has_its_default_and_a_density_is_the_ground_of_the_rest() {
        assert_eq!(
            read("cycles=1"),
            "cycles=1,seed=9,launches=60,completions=60,resets=1,giants=5,long=0,ranks=0,first=0,\
             brief=300,early=0,flood=0,tides=true"
        );
        let dense = "cycles=16000,seed=4,launches=300,completions=2,resets=0,giants=1,long=0,\
                     ranks=0,first=0,brief=300,early=0,flood=0,tides=true";
        assert_eq!(read("completions=2,density=dense,seed=4"), dense);
        assert_eq!(read(dense), dense, "it is read as it is written");
        for limit in ["launches=0,completions=1000,resets=0", "cycles=18446744073709551615"] {
            read(limit);
        }
    }

    #[test]
    fn bad_keys_and_values_are_refused_with_what_was_expected() {
        for (text, help) in [
            ("", "expected --traffic key=value"),
            ("dense", "expected --traffic key=value"),
            ("cycles=0", "a whole number from 1 to "),
            ("cycles=-1", "a whole number from 1 to "),
            ("completions=1001", "a whole number from 0 to 1000"),
            ("cycels=5", "did you mean `cycles`?"),
            ("density=dens", "did you mean `dense`?"),
            ("brief=1001", "a whole number from 0 to 1000"),
            ("early=100001", "a whole number from 0 to 100000"),
            ("tides=1", "expected true or false"),
            ("zebra=1", "launches: chance in 1,000"),
            ("seed=1,seed=1", "each at most once"),
            ("seed=1,", "expected --traffic key=value"),
        ] {
            let error = TrafficSpec::read(text, 1).expect_err(text);
            let said = error.help().expect("a help").to_string();
            assert!(said.contains(help), "{text}: {said}");
        }
    }
}
