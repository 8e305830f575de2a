//! Sources that differ from `rr` in where blocks go.

use super::*;
use crate::clusters::{ClustersConfig, Policy};
use crate::most_room::MostRoomConfig;

#[test]
fn most_room_is_a_source_without_keys_and_variants_that_takes_gates() {
    let plain = Composition { source: MostRoomConfig.into(), gates: vec![] };
    assert_eq!(parsed("most-room"), plain);
    assert_eq!(plain.to_string(), "most-room");
    let kind = Kind::UnknownKey { name: "most-room".into(), key: "by".into() };
    assert_eq!(refused("most-room(by=1)"), (kind, "by"));
    let kind = Kind::UnknownVariant { name: "most-room".into(), variant: "x".into() };
    assert_eq!(refused("most-room/x"), (kind, "x"));
    assert_eq!(parsed("most-room+claso").gates, [claso(1, 0)]);
    let both = [dyncta(2048, 16, 128, 384), claso(1, 0)];
    assert_eq!(parsed("most-room+dyncta+claso").gates, both);
}

#[test]
fn clusters_have_a_policy_and_no_gate_but_dyncta() {
    for (text, policy, canonical) in [
        ("clusters", Policy::Spread, "clusters(policy=spread)"),
        ("clusters(policy=spread)", Policy::Spread, "clusters(policy=spread)"),
        ("clusters(policy=balance)", Policy::Balance, "clusters(policy=balance)"),
    ] {
        let gates = vec![];
        let expected = Composition { source: ClustersConfig { policy }.into(), gates };
        assert_eq!(parsed(text), expected);
        assert_eq!(parsed(text).to_string(), canonical);
        assert_eq!(parsed(&format!("{text}+dyncta")).gates, [dyncta(2048, 16, 128, 384)]);
        for gates in ["claso", "dyncta+claso(pl=1)"] {
            let text = format!("{text}+{gates}");
            assert_eq!(refused(&text), (Kind::NoCreditsForClusters, "claso"));
            let help = text.parse::<Composition>().unwrap_err().help;
            assert!(help.contains("one on each of its SMXs at once"), "{help}");
        }
    }
    let expected = "spread or balance";
    let kind = Kind::BadValue { key: "policy".into(), value: "even".into(), expected };
    assert_eq!(refused("clusters(policy=even)"), (kind, "even"));
    let kind = Kind::UnknownKey { name: "clusters".into(), key: "size".into() };
    assert_eq!(refused("clusters(size=4)"), (kind, "size"));
    let twice = "clusters(policy=spread,policy=spread)";
    assert_eq!(refused(twice), (Kind::RepeatedKey("policy".into()), "policy"));
    let kind = Kind::UnknownVariant { name: "clusters".into(), variant: "spread".into() };
    assert_eq!(refused("clusters/spread"), (kind, "spread"));
}

#[test]
fn a_name_that_is_nearly_one_is_answered_with_it() {
    for (text, meant) in [("cluster", "clusters"), ("most-rom", "most-room")] {
        let error = text.parse::<Composition>().unwrap_err();
        assert_eq!(*error.kind, Kind::UnknownScheduler(text.into()));
        assert!(error.help.contains(&format!("`{meant}`")), "{}", error.help);
    }
}
