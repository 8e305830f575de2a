//! `priority` and its levels.

use super::*;
use crate::priority::PriorityConfig;

#[test]
fn priority_has_2_to_8_levels_by_default_6_and_takes_gates() {
    for (text, levels, canonical) in [
        ("priority", 6, "priority(levels=6)"),
        ("priority(levels=2)", 2, "priority(levels=2)"),
        ("priority(levels=8)", 8, "priority(levels=8)"),
    ] {
        let expected = Composition { source: PriorityConfig { levels }.into(), gates: vec![] };
        assert_eq!(parsed(text), expected);
        assert_eq!(parsed(text).to_string(), canonical);
        let both = [dyncta(2048, 16, 128, 384), claso(1, 0)];
        assert_eq!(parsed(&format!("{text}+dyncta+claso")).gates, both);
    }
    for bad in ["0", "1", "9", "257", "-2", "two"] {
        let kind = Kind::BadValue { key: "levels".into(), value: bad.into(), expected: "2 to 8" };
        assert_eq!(refused(&format!("priority(levels={bad})")).0, kind);
    }
    let kind = Kind::UnknownKey { name: "priority".into(), key: "level".into() };
    assert_eq!(refused("priority(level=4)"), (kind, "level"));
    let twice = "priority(levels=2,levels=2)";
    assert_eq!(refused(twice), (Kind::RepeatedKey("levels".into()), "levels"));
    let kind = Kind::UnknownVariant { name: "priority".into(), variant: "x".into() };
    assert_eq!(refused("priority/x"), (kind, "x"));
}

#[test]
fn a_name_that_is_nearly_priority_is_answered_with_it() {
    let error = "priorty".parse::<Composition>().unwrap_err();
    assert_eq!(*error.kind, Kind::UnknownScheduler("priorty".into()));
    assert!(error.help.contains("`priority`"), "{}", error.help);
}
