//! `dependent`, which has no keys.

use super::*;
use crate::dependent::DependentConfig;
use crate::port::LaunchMode;

#[test]
fn dependent_has_no_keys_and_takes_gates() {
    let plain = Composition { source: DependentConfig.into(), gates: vec![] };
    assert_eq!((parsed("dependent"), parsed("dependent").to_string()), (plain, "dependent".into()));
    let both = [dyncta(2048, 16, 128, 384), claso(1, 0)];
    assert_eq!(parsed("dependent+dyncta+claso").gates, both);
    let kind = Kind::UnknownKey { name: "dependent".into(), key: "prologue".into() };
    assert_eq!(refused("dependent(prologue=4)"), (kind, "prologue"));
    let kind = Kind::UnknownVariant { name: "dependent".into(), variant: "x".into() };
    assert_eq!(refused("dependent/x"), (kind, "x"));
}

#[test]
fn dependent_alone_looks_at_triggers() {
    let ports = |text| parsed(text).ports(LaunchMode::Flat);
    assert!(ports("dependent+claso").sees_triggers());
    for other in ["rr", "partitions", "priority", "srtf", "laperm/tb-pri"] {
        assert!(!ports(other).sees_triggers(), "{other}");
    }
}
