//! The schedulers of the IKRA paper and its baseline.

use super::*;
use crate::dispatch::RoundRobinConfig;
use crate::ikra::{IkraConfig, Nesting, OwnWork, StealConfig, WhenFull};

fn restarting() -> Source {
    RoundRobinConfig { restarting: true }.into()
}

#[test]
fn rr_may_start_after_the_last_finisher_and_takes_gates_as_rr_does() {
    let name = "rr(start=last-finished)";
    let plain = Composition { source: restarting(), gates: vec![] };
    for text in [name, "fifo(start=last-finished)"] {
        assert_eq!(parsed(text), plain);
    }
    assert_eq!(plain.to_string(), name);
    let (key, value, expected) = ("start".into(), "first".into(), "last-finished");
    assert_eq!(refused("rr(start=first)"), (Kind::BadValue { key, value, expected }, "first"));
    assert!(matches!(refused("rr(start=)"), (Kind::BadValue { .. }, "")));
    let kind = Kind::UnknownKey { name: "rr".into(), key: "x".into() };
    assert_eq!(refused("rr(start=last-finished,x=1)"), (kind, "x"));
    let twice = "rr(start=last-finished,start=last-finished)";
    assert_eq!(refused(twice), (Kind::RepeatedKey("start".into()), "start"));
    for gates in ["+claso(pa=2,pl=1)", "+dyncta", "+dyncta+claso", "+claso+dyncta"] {
        let composition = parsed(&format!("{name}{gates}"));
        assert_eq!(composition.source, restarting());
        assert_eq!(composition.gates, parsed(&format!("rr{gates}")).gates);
        assert_eq!(parsed(&composition.to_string()), composition);
    }
}

#[test]
fn ikra_comes_in_four_variants_of_which_one_has_keys() {
    for (text, config, canonical) in [
        ("ikra/chunk", IkraConfig::Chunk, "ikra/chunk"),
        ("ikra/reset", IkraConfig::Reset, "ikra/reset"),
        ("ikra/flip", IkraConfig::Flip, "ikra/flip"),
        (
            "ikra/steal",
            IkraConfig::Steal(StealConfig::default()),
            "ikra/steal(queue=32,latency=0,full=reinitialise)",
        ),
        (
            "ikra/steal(full=stop,latency=31)",
            IkraConfig::Steal(StealConfig {
                latency: 31,
                full: WhenFull::Stop,
                ..StealConfig::default()
            }),
            "ikra/steal(queue=32,latency=31,full=stop)",
        ),
        (
            "ikra/steal(queue=2,full=reinitialise)",
            IkraConfig::Steal(StealConfig { queue: 2, ..StealConfig::default() }),
            "ikra/steal(queue=2,latency=0,full=reinitialise)",
        ),
        (
            "ikra/steal(relations=on)",
            IkraConfig::Steal(StealConfig { relations: true, ..StealConfig::default() }),
            "ikra/steal(queue=32,latency=0,full=reinitialise,relations=on)",
        ),
        (
            "ikra/steal(relations=off,queue=4)",
            IkraConfig::Steal(StealConfig { queue: 4, ..StealConfig::default() }),
            "ikra/steal(queue=4,latency=0,full=reinitialise)",
        ),
        (
            "ikra/steal(thief=executed)",
            IkraConfig::Steal(StealConfig::default()),
            "ikra/steal(queue=32,latency=0,full=reinitialise)",
        ),
        (
            "ikra/steal(thief=dispatched,relations=on)",
            IkraConfig::Steal(StealConfig {
                relations: true,
                thief: OwnWork::Dispatched,
                ..StealConfig::default()
            }),
            "ikra/steal(queue=32,latency=0,full=reinitialise,relations=on,thief=dispatched)",
        ),
        (
            "ikra/steal(nesting=2)",
            IkraConfig::Steal(StealConfig {
                thief: OwnWork::Dispatched,
                nesting: Some(Nesting::Two),
                ..StealConfig::default()
            }),
            "ikra/steal(queue=32,latency=0,full=reinitialise,nesting=2)",
        ),
        (
            "ikra/steal(nesting=4,queue=2,latency=0,full=reinitialise,thief=dispatched)",
            IkraConfig::Steal(StealConfig {
                queue: 2,
                thief: OwnWork::Dispatched,
                nesting: Some(Nesting::Four),
                ..StealConfig::default()
            }),
            "ikra/steal(queue=2,latency=0,full=reinitialise,nesting=4)",
        ),
    ] {
        let composition = Composition { source: config.into(), gates: vec![] };
        assert_eq!(parsed(text), composition, "{text}");
        assert_eq!(composition.to_string(), canonical);
        assert_eq!(parsed(canonical), composition);
    }
}

#[test]
fn names_that_ikra_does_not_have_are_pointed_at() {
    assert_eq!(refused("ikra"), (Kind::MissingVariant("ikra".into()), "ikra"));
    let kind = Kind::UnknownVariant { name: "ikra".into(), variant: "rr".into() };
    assert_eq!(refused("ikra/rr"), (kind, "rr"));
    for (text, key, value, expected) in [
        ("ikra/steal(queue=3)", "queue", "3", "2, 4, 8, 16 or 32"),
        ("ikra/steal(queue=1)", "queue", "1", "2, 4, 8, 16 or 32"),
        ("ikra/steal(queue=64)", "queue", "64", "2, 4, 8, 16 or 32"),
        ("ikra/steal(latency=32)", "latency", "32", "0 to 31"),
        ("ikra/steal(latency=)", "latency", "", "0 to 31"),
        ("ikra/steal(queue=2,full=never)", "full", "never", "reinitialise or stop"),
        ("ikra/steal(relations=yes)", "relations", "yes", "on or off"),
        ("ikra/steal(relations=)", "relations", "", "on or off"),
        ("ikra/steal(thief=done)", "thief", "done", "executed or dispatched"),
        ("ikra/steal(nesting=1)", "nesting", "1", "2 or 4"),
        ("ikra/steal(nesting=3)", "nesting", "3", "2 or 4"),
        ("ikra/steal(nesting=8)", "nesting", "8", "2 or 4"),
    ] {
        let (key, bad) = (key.to_owned(), value.to_owned());
        assert_eq!(refused(text), (Kind::BadValue { key, value: bad, expected }, value), "{text}");
    }
    for (text, name, key) in [
        ("ikra/chunk(queue=2)", "ikra/chunk", "queue"),
        ("ikra/flip(latency=0)", "ikra/flip", "latency"),
        ("ikra/steal(entries=2)", "ikra/steal", "entries"),
        ("ikra/chunk(relations=on)", "ikra/chunk", "relations"),
        ("ikra/reset(relations=off)", "ikra/reset", "relations"),
        ("ikra/flip(relations=on)", "ikra/flip", "relations"),
        ("ikra/flip(nesting=2)", "ikra/flip", "nesting"),
        ("ikra/flip(thief=executed)", "ikra/flip", "thief"),
    ] {
        let kind = Kind::UnknownKey { name: name.into(), key: key.into() };
        assert_eq!(refused(text), (kind, key), "{text}");
    }
    let help = "ikra/flip(relations=on)".parse::<Composition>().unwrap_err().help;
    assert_eq!(help, "`ikra/flip` takes no keys");
    let help = "ikra/steal(relation=on)".parse::<Composition>().unwrap_err().help;
    assert!(help.ends_with("thief (executed or dispatched) and nesting (2 or 4)"), "{help}");
    let twice = refused("ikra/steal(queue=2,queue=2)");
    assert_eq!(twice, (Kind::RepeatedKey("queue".into()), "queue"));
}

#[test]
fn levels_of_kernels_and_other_keys_of_steal_exclude_each_other_in_any_order() {
    for (text, key, value) in [
        ("ikra/steal(nesting=2,latency=1)", "latency", "1"),
        ("ikra/steal(latency=31,nesting=4)", "latency", "31"),
        ("ikra/steal(queue=2,full=stop,nesting=2)", "full", "stop"),
        ("ikra/steal(nesting=2,relations=on)", "relations", "on"),
        ("ikra/steal(nesting=2,thief=executed)", "thief", "executed"),
        ("ikra/steal(thief=executed,nesting=4)", "thief", "executed"),
    ] {
        let (key, of) = (key.to_owned(), value.to_owned());
        assert_eq!(refused(text), (Kind::ExcludedByNesting { key, value: of }, value), "{text}");
        let help = text.parse::<Composition>().unwrap_err().help;
        assert!(help.contains("(latency=0)"), "{help}");
        assert!(help.contains("keep its SMX from stealing for good"), "{help}");
    }
}

#[test]
fn every_ikra_takes_dyncta_and_those_without_thieves_take_credits() {
    for text in ["ikra/chunk+claso", "ikra/reset+dyncta+claso(pl=3)", "ikra/flip+claso+dyncta"] {
        let composition = parsed(text);
        assert_eq!(composition.gates, parsed(&text.replace(source_of(text), "rr")).gates);
        assert_eq!(parsed(&composition.to_string()), composition);
    }
    for steal in ["", "(relations=on)", "(nesting=2)", "(queue=4,nesting=4)"] {
        let throttled = parsed(&format!("ikra/steal{steal}+dyncta(period=7)"));
        assert_eq!(throttled.source, parsed(&format!("ikra/steal{steal}")).source);
        assert_eq!(throttled.sample_period(), Some(7));
        for gates in ["claso", "claso+dyncta", "dyncta+claso(pa=3)"] {
            let text = format!("ikra/steal{steal}+{gates}");
            assert_eq!(refused(&text), (Kind::NoCreditsForStolenBlocks, "claso"), "{text}");
            let help = text.parse::<Composition>().unwrap_err().help;
            assert!(help.contains("on its way to its thief"), "{help}");
        }
    }
    assert_eq!(refused("ikra/steal+x"), (Kind::UnknownGate("x".into()), "x"));
}

fn source_of(text: &str) -> &str {
    text.split('+').next().unwrap_or_default()
}

#[test]
fn laperm_says_why_it_has_no_chunk_entries_for_each_level() {
    let text = "laperm/adaptive-bind(nesting=2)";
    let kind = Kind::UnknownKey { name: "laperm".into(), key: "nesting".into() };
    assert_eq!(refused(text), (kind, "nesting"));
    let help = text.parse::<Composition>().unwrap_err().help;
    assert!(help.contains("which level an SMX serves first"), "{help}");
}
