mod concurrent;
mod dependent;
mod domains;
mod ikra;
mod laperm;
mod launch_control;
mod partitions;
mod placements;
mod priority;

use super::*;
use crate::dispatch::RoundRobinConfig;
use crate::gpgpusim::GpgpuSimConfig;
use expect_test::expect;
use proptest::prelude::*;
use std::num::NonZeroU16;
use CompositionErrorKind as Kind;

fn claso(active: u16, loose: u16) -> Gate {
    Gate::Claso(Levels { active: NonZeroU16::new(active).unwrap(), loose })
}

fn dyncta(period: u16, idle: u16, low: u16, high: u16) -> Gate {
    Gate::Dyncta(DynctaConfig { period, idle, low, high, pause: false })
}

fn parsed(text: &str) -> Composition {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What is wrong with `text`, and the part of it that the error points at.
fn refused(text: &str) -> (Kind, &str) {
    let error = text.parse::<Composition>().expect_err(text);
    assert_eq!(error.text, text);
    assert!(!error.help.is_empty(), "{text}");
    let from = error.span.offset();
    (*error.kind, &text[from..from + error.span.len()])
}

fn offset(text: &str) -> usize {
    text.parse::<Composition>().expect_err(text).span.offset()
}

#[test]
fn rr_and_its_alias_are_the_plain_scheduler() {
    let plain = Composition { source: RoundRobinConfig::default().into(), gates: vec![] };
    assert_eq!(parsed("rr"), plain);
    assert_eq!(parsed("fifo"), plain);
    assert_eq!(plain.to_string(), "rr");
}

#[test]
fn a_brief_name_leaves_defaults_out_and_means_the_same() {
    for (text, brief) in [
        ("fifo", "rr"),
        ("rr+claso(pa=1,pl=0)", "rr+claso"),
        ("rr+claso(pa=2,pl=0)", "rr+claso(pa=2)"),
        ("rr+claso(pa=1,pl=3)+dyncta(high=400)", "rr+claso(pl=3)+dyncta(high=400)"),
        ("rr(start=last-finished)", "rr(start=last-finished)"),
        ("laperm/smx-bind(levels=2,entries=64)", "laperm/smx-bind(levels=2,entries=64)"),
        ("ikra/steal(queue=32,nesting=2)", "ikra/steal(nesting=2)"),
        ("sjf(runtimes=5:6,wait=0)", "sjf(runtimes=5:6)"),
        ("clusters(policy=spread)", "clusters"),
        ("clusters(policy=balance)", "clusters(policy=balance)"),
        ("priority(levels=6)", "priority"),
        ("priority(levels=2)", "priority(levels=2)"),
    ] {
        assert_eq!(parsed(text).brief(), brief, "{text}");
        assert_eq!(parsed(brief), parsed(text));
    }
}

#[test]
fn claso_has_the_tightest_limit_where_nothing_is_said() {
    for (text, gate) in [
        ("rr+claso", claso(1, 0)),
        ("rr+claso(pa=2)", claso(2, 0)),
        ("rr+claso(pl=3)", claso(1, 3)),
        ("rr+claso(pl=3,pa=2)", claso(2, 3)),
        ("fifo+claso(pa=65535,pl=65535)", claso(65535, 65535)),
    ] {
        assert_eq!(parsed(text).gates, [gate], "{text}");
    }
    assert_eq!(parsed("rr+claso").to_string(), "rr+claso(pa=1,pl=0)");
}

#[test]
fn rr_gpgpusim_is_a_source_without_keys_and_variants_that_takes_gates() {
    let plain = Composition { source: GpgpuSimConfig.into(), gates: vec![] };
    assert_eq!(parsed("rr-gpgpusim"), plain);
    assert_eq!(plain.to_string(), "rr-gpgpusim");
    let name = || "rr-gpgpusim".to_owned();
    let kind = Kind::UnknownKey { name: name(), key: "start".into() };
    assert_eq!(refused("rr-gpgpusim(start=1)"), (kind, "start"));
    let kind = Kind::UnknownVariant { name: name(), variant: "x".into() };
    assert_eq!(refused("rr-gpgpusim/x"), (kind, "x"));
    for (text, gates) in [
        ("rr-gpgpusim+claso", vec![claso(1, 0)]),
        ("rr-gpgpusim+dyncta+claso", vec![dyncta(2048, 16, 128, 384), claso(1, 0)]),
    ] {
        assert_eq!(parsed(text), Composition { source: GpgpuSimConfig.into(), gates });
    }
    assert_eq!(refused("rr-gpgpusim+x"), (Kind::UnknownGate("x".into()), "x"));
}

#[test]
fn dyncta_has_the_values_of_the_paper_where_nothing_is_said() {
    for (text, gates) in [
        ("rr+dyncta", vec![dyncta(2048, 16, 128, 384)]),
        ("rr+dyncta(idle=0)", vec![dyncta(2048, 0, 128, 384)]),
        ("rr+dyncta(high=400,low=400,period=1)", vec![dyncta(1, 16, 400, 400)]),
        (
            "fifo+dyncta(period=4095,idle=4095,low=4095,high=4095)",
            vec![dyncta(4095, 4095, 4095, 4095)],
        ),
        ("rr+dyncta(low=0,high=0)", vec![dyncta(2048, 16, 0, 0)]),
        ("rr+dyncta+claso", vec![dyncta(2048, 16, 128, 384), claso(1, 0)]),
        ("rr+claso+dyncta", vec![claso(1, 0), dyncta(2048, 16, 128, 384)]),
    ] {
        assert_eq!(parsed(text).gates, gates, "{text}");
    }
    let name = "rr+dyncta(period=2048,idle=16,low=128,high=384)+claso(pa=1,pl=0)";
    assert_eq!(parsed("rr+dyncta+claso").to_string(), name);
}

#[test]
fn dyncta_pauses_where_that_is_said_and_only_then_its_name_says_so() {
    let pauses = |text: &str| match parsed(text).gates[..] {
        [Gate::Dyncta(DynctaConfig { pause, .. })] => pause,
        _ => panic!("{text}: one gate"),
    };
    assert_eq!(
        ["rr+dyncta", "rr+dyncta(pause=0)", "rr+dyncta(pause=1)"].map(pauses),
        [false, false, true]
    );
    assert_eq!(parsed("rr+dyncta(pause=0)"), parsed("rr+dyncta"));
    let name = "rr+dyncta(period=2048,idle=16,low=128,high=384,pause=1)";
    assert_eq!(parsed("rr+dyncta(pause=1)").to_string(), name);
    assert_eq!(parsed(name).brief(), "rr+dyncta(pause=1)");
    for value in ["2", "", "01", "on"] {
        let text = format!("rr+dyncta(pause={value})");
        let (key, bad, expected) = ("pause".to_owned(), value.to_owned(), "0 or 1");
        assert_eq!(refused(&text), (Kind::BadValue { key, value: bad, expected }, value), "{text}");
    }
}

#[test]
fn periods_and_thresholds_outside_their_range_are_bad_values() {
    for (text, key, value) in [
        ("rr+dyncta(period=0)", "period", "0"),
        ("rr+dyncta(period=4096)", "period", "4096"),
        ("rr+dyncta(period=65536)", "period", "65536"),
        ("rr+dyncta(idle=4096)", "idle", "4096"),
        ("rr+dyncta(low=4096)", "low", "4096"),
        ("rr+dyncta(high=-1)", "high", "-1"),
        ("rr+dyncta(high=)", "high", ""),
    ] {
        let expected = if key == "period" { "1 to 4095" } else { "0 to 4095" };
        let (key, bad) = (key.to_owned(), value.to_owned());
        assert_eq!(refused(text), (Kind::BadValue { key, value: bad, expected }, value), "{text}");
    }
    let kind = Kind::UnknownKey { name: "dyncta".into(), key: "pa".into() };
    assert_eq!(refused("rr+dyncta(pa=1)"), (kind, "pa"));
    assert_eq!(refused("rr+dyncta+claso+dyncta"), (Kind::RepeatedGate("dyncta".into()), "dyncta"));
    assert_eq!(refused("rr+dyncta(low=1,low=1)"), (Kind::RepeatedKey("low".into()), "low"));
    let kind = Kind::UnknownVariant { name: "dyncta".into(), variant: "x".into() };
    assert_eq!(refused("rr+dyncta/x"), (kind, "x"));
}

#[test]
fn a_low_threshold_above_the_high_one_is_pointed_at_where_it_was_written_last() {
    for (text, low, high, at) in [
        ("rr+dyncta(low=385)", 385, 384, "385"),
        ("rr+dyncta(high=127)", 128, 127, "127"),
        ("rr+dyncta(low=9,idle=1,high=8)", 9, 8, "8"),
        ("rr+dyncta(high=8,low=9,idle=1)", 9, 8, "9"),
    ] {
        assert_eq!(refused(text), (Kind::LowAboveHigh { low, high }, at), "{text}");
    }
}

#[test]
fn only_dyncta_asks_for_samples() {
    for (text, period) in [
        ("rr", None),
        ("rr(start=last-finished)", None),
        ("rr-gpgpusim", None),
        ("ikra/steal", None),
        ("rr+claso", None),
        ("rr+dyncta", Some(2048)),
        ("rr+dyncta(period=7)+claso", Some(7)),
        ("rr+claso+dyncta(period=4095)", Some(4095)),
    ] {
        assert_eq!(parsed(text).sample_period(), period, "{text}");
    }
}

#[test]
fn levels_outside_their_range_or_not_decimal_are_bad_values() {
    for (text, key, value) in [
        ("rr+claso(pa=0)", "pa", "0"),
        ("rr+claso(pa=65536)", "pa", "65536"),
        ("rr+claso(pl=65536)", "pl", "65536"),
        ("rr+claso(pl=-1)", "pl", "-1"),
        ("rr+claso(pa=)", "pa", ""),
        ("rr+claso(pa= 1)", "pa", " 1"),
        ("rr+claso(pa=0x1)", "pa", "0x1"),
        ("rr+claso(pa=1.5)", "pa", "1.5"),
        ("rr+claso(pa=99999999999999999999)", "pa", "99999999999999999999"),
        ("rr+claso(pa=é)", "pa", "é"),
    ] {
        let expected = if key == "pa" { "1 to 65535" } else { "0 to 65535" };
        let (key, bad) = (key.to_owned(), value.to_owned());
        assert_eq!(refused(text), (Kind::BadValue { key, value: bad, expected }, value), "{text}");
    }
}

#[test]
fn unknown_names_are_pointed_at() {
    assert_eq!(refused("lrr"), (Kind::UnknownScheduler("lrr".into()), "lrr"));
    assert_eq!(refused("RR"), (Kind::UnknownScheduler("RR".into()), "RR"));
    assert_eq!(refused("rr+credit(pa=1)"), (Kind::UnknownGate("credit".into()), "credit"));
    assert_eq!(refused("rr+rr"), (Kind::UnknownGate("rr".into()), "rr"));
    assert_eq!(offset("rr+rr"), 3);
    let kind = Kind::UnknownKey { name: "claso".into(), key: "p".into() };
    assert_eq!(refused("rr+claso(pa=1,p=1)"), (kind, "p"));
    assert_eq!(offset("rr+claso(pa=1,p=1)"), 14);
    let kind = Kind::UnknownKey { name: "rr".into(), key: "pa".into() };
    assert_eq!(refused("rr(pa=1)"), (kind, "pa"));
    let kind = Kind::UnknownVariant { name: "rr".into(), variant: "steal".into() };
    assert_eq!(refused("rr/steal"), (kind, "steal"));
    let kind = Kind::UnknownVariant { name: "claso".into(), variant: "x".into() };
    assert_eq!(refused("rr+claso/x"), (kind, "x"));
}

#[test]
fn what_is_missing_is_pointed_at_where_it_should_be() {
    assert_eq!(refused(""), (Kind::Empty, ""));
    for (text, kind, at) in [
        ("+claso", Kind::MissingName("scheduler"), 0),
        (" rr", Kind::MissingName("scheduler"), 0),
        ("é", Kind::MissingName("scheduler"), 0),
        ("rr+", Kind::MissingName("gate"), 3),
        ("rr++claso", Kind::MissingName("gate"), 3),
        ("rr/", Kind::MissingName("variant"), 3),
        ("rr+claso()", Kind::MissingName("key"), 9),
        ("rr+claso(pa=1,)", Kind::MissingName("key"), 14),
        ("rr+claso(=1)", Kind::MissingName("key"), 9),
        ("rr+claso(", Kind::MissingParenthesis, 9),
        ("rr+claso(pa=1", Kind::MissingParenthesis, 13),
        ("rr+claso(pa=1,", Kind::MissingParenthesis, 14),
        ("rr+claso(pa=1+dyncta", Kind::MissingParenthesis, 13),
    ] {
        assert_eq!(refused(text), (kind, ""), "{text}");
        assert_eq!(offset(text), at, "{text}");
    }
    assert_eq!(refused("rr+claso(pa)"), (Kind::MissingValue("pa".into()), "pa"));
    assert_eq!(refused("rr+claso(pa"), (Kind::MissingValue("pa".into()), "pa"));
}

#[test]
fn what_is_there_twice_or_too_much_is_pointed_at() {
    assert_eq!(refused("rr+claso+claso(pl=1)"), (Kind::RepeatedGate("claso".into()), "claso"));
    assert_eq!(offset("rr+claso+claso(pl=1)"), 9);
    assert_eq!(refused("rr+claso(pa=1,pa=1)"), (Kind::RepeatedKey("pa".into()), "pa"));
    assert_eq!(offset("rr+claso(pa=1,pa=1)"), 14);
    for (text, rest) in [
        ("rr)", ")"),
        ("rr ", " "),
        ("rr claso", " claso"),
        ("rr+claso(pa=1)x", "x"),
        ("rr+claso(pa=1)(pl=1)", "(pl=1)"),
        ("rr/a/b", "/b"),
        ("rré", "é"),
    ] {
        assert_eq!(refused(text), (Kind::TrailingGarbage(rest.into()), rest), "{text}");
    }
}

#[test]
fn a_gate_alone_is_told_to_be_one() {
    for (text, gate, named) in [
        ("claso", "claso", "`claso` is a gate: rr+claso(pa=1,pl=0)"),
        ("claso(pa=1,pl=0)", "claso", "`claso` is a gate: rr+claso("),
        ("claso+claso", "claso", "`claso` is a gate: rr+claso("),
        ("dyncta", "dyncta", "`dyncta` is a gate: rr+dyncta(period=2048,"),
        ("dyncta+claso", "dyncta", "`dyncta` is a gate: rr+dyncta("),
    ] {
        assert_eq!(refused(text), (Kind::GateAsScheduler(gate.into()), gate));
        let help = text.parse::<Composition>().unwrap_err().help;
        assert!(help.starts_with(named), "{help}");
    }
}

#[test]
fn every_known_name_is_accepted_and_listed_in_the_help() {
    let help = "x".parse::<Composition>().unwrap_err().help;
    for Known { name, description, paper } in known() {
        assert!(help.contains(name), "{name}");
        assert!(!description.is_empty() && !description.contains('\n') && !paper.is_empty());
        let text = if name.starts_with('+') { format!("rr{name}") } else { (*name).to_owned() };
        parsed(&text);
    }
}

#[test]
fn an_error_shows_the_string_the_place_and_what_is_known() {
    let render = |text: &str| {
        let error = text.parse::<Composition>().unwrap_err();
        let mut shown = String::new();
        miette::NarratableReportHandler::new().render_report(&mut shown, &error).unwrap();
        let sources = known().map(|known| known.name).filter(|name| !name.starts_with('+'));
        shown.replace(&sources.collect::<Vec<_>>().join(", "), "(all)")
    };
    expect![[r#"
        unknown gate `clsao`
            Diagnostic severity: error
        Begin snippet starting at line 1, column 1

        snippet line 1: rr+clsao(pa=1)
            label at line 1, columns 4 to 8: here
        diagnostic help: did you mean `claso`? known schedulers: (all); known gates: +claso(pa=1,pl=0), +dyncta(period=2048,idle=16,low=128,high=384,pause=0)
        diagnostic code: blockyard::scheduler
    "#]]
    .assert_eq(&render("rr+clsao(pa=1)"));
    expect![[r#"
        a closing parenthesis is missing
            Diagnostic severity: error
        Begin snippet starting at line 1, column 1

        snippet line 1: rr+claso(pa=1
            label at line 1, column 14: here
        diagnostic help: a scheduler is source[/variant][(key=value,...)][+gate(key=value,...)]...; known schedulers: (all); known gates: +claso(pa=1,pl=0), +dyncta(period=2048,idle=16,low=128,high=384,pause=0)
        diagnostic code: blockyard::scheduler
    "#]].assert_eq(&render("rr+claso(pa=1"));
    expect![[r#"
        `ikra/steal` does not take the gate `claso`
            Diagnostic severity: error
        Begin snippet starting at line 1, column 1

        snippet line 1: ikra/steal+dyncta+claso
            label at line 1, columns 19 to 23: here
        diagnostic help: a credit would have to be kept for a block that is on its way to its thief; ikra/chunk, ikra/reset and ikra/flip take claso, ikra/steal takes dyncta
        diagnostic code: blockyard::scheduler
    "#]]
    .assert_eq(&render("ikra/steal+dyncta+claso"));
    expect![[r#"
        `low` is 500, which is more than `high`, 384
            Diagnostic severity: error
        Begin snippet starting at line 1, column 1

        snippet line 1: rr+dyncta(low=500)
            label at line 1, columns 15 to 17: here
        diagnostic help: an SMX gets more blocks below `low` and fewer from `high` on
        diagnostic code: blockyard::scheduler
    "#]]
    .assert_eq(&render("rr+dyncta(low=500)"));
}

proptest! {
    #[test]
    fn the_canonical_name_names_the_same_scheduler(
        (active, loose) in (1u16.., any::<u16>()),
        (period, idle) in (1u16..4096, 0u16..4096),
        (one, other) in (0u16..4096, 0u16..4096),
        which in 0usize..5,
    ) {
        let (claso, dyncta) = (claso(active, loose), dyncta(period, idle, one.min(other), one.max(other)));
        let gates = [vec![], vec![claso], vec![dyncta], vec![claso, dyncta], vec![dyncta, claso]];
        let composition = Composition { source: RoundRobinConfig::default().into(), gates: gates[which].clone() };
        prop_assert_eq!(parsed(&composition.to_string()), composition);
    }

    #[test]
    fn no_string_panics_and_every_error_points_into_it(
        text in "(rr|fifo|-gpgpusim|ikra|steal|queue=2|latency=|full=stop|relations=on|last-finished|claso|dyncta|[a-zé ]|[+/(),=0-9]|pa|pl|pa=1|low=|period=2|start=){0,12}",
    ) {
        match text.parse::<Composition>() {
            Ok(composition) => prop_assert_eq!(parsed(&composition.to_string()), composition),
            Err(error) => {
                let from = error.span.offset();
                prop_assert!(text.get(from..from + error.span.len()).is_some());
            }
        }
    }
}
