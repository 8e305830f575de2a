//! `launch-control`, whose one key is a policy.

use super::*;
use crate::clusters::Policy;
use crate::launch_control::LaunchControlConfig;
use crate::port::LaunchMode;

#[test]
fn launch_control_without_a_policy_takes_every_gate() {
    let plain = Composition { source: LaunchControlConfig::default().into(), gates: vec![] };
    assert_eq!(parsed("launch-control"), plain);
    assert_eq!(plain.to_string(), "launch-control");
    assert_eq!(parsed("launch-control+claso(pl=2)").gates, [claso(1, 2)]);
    assert_eq!(parsed("launch-control+dyncta").gates, [dyncta(2048, 16, 128, 384)]);
    let kind = Kind::UnknownKey { name: "launch-control".into(), key: "setup".into() };
    assert_eq!(refused("launch-control(setup=4)"), (kind, "setup"));
    let error = "launch-control(setup=4)".parse::<Composition>().unwrap_err();
    assert!(error.help.contains("cancels"), "{}", error.help);
}

#[test]
fn with_a_policy_it_has_clusters_and_takes_no_gate_but_dyncta() {
    for (policy, name) in [(Policy::Spread, "spread"), (Policy::Balance, "balance")] {
        let text = format!("launch-control(policy={name})");
        let source = LaunchControlConfig { clusters: Some(policy) }.into();
        assert_eq!(parsed(&text), Composition { source, gates: vec![] });
        assert_eq!(parsed(&text).to_string(), text);
        assert_eq!(parsed(&format!("{text}+dyncta")).gates, [dyncta(2048, 16, 128, 384)]);
        for gates in ["claso", "dyncta+claso(pl=1)"] {
            let text = format!("{text}+{gates}");
            assert_eq!(refused(&text), (Kind::NoCreditsForClusters, "claso"));
            let help = text.parse::<Composition>().unwrap_err().help;
            assert!(help.contains("launch-control(policy=...) take dyncta"), "{help}");
        }
    }
    let expected = "spread or balance";
    let kind = Kind::BadValue { key: "policy".into(), value: "even".into(), expected };
    assert_eq!(refused("launch-control(policy=even)"), (kind, "even"));
    let kind = Kind::MissingValue("policy".into());
    assert_eq!(refused("launch-control(policy)").0, kind);
    let twice = "launch-control(policy=spread,policy=balance)";
    assert_eq!(refused(twice), (Kind::RepeatedKey("policy".into()), "policy"));
    let kind = Kind::UnknownVariant { name: "launch-control".into(), variant: "spread".into() };
    assert_eq!(refused("launch-control/spread"), (kind, "spread"));
}

#[test]
fn it_alone_answers_blocks_that_ask() {
    for mode in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
        let ports = |text: &str| parsed(text).ports(mode);
        for answers in ["", "(policy=spread)", "(policy=balance)"] {
            assert!(ports(&format!("launch-control{answers}")).takes_cancels());
        }
        for other in ["rr", "domains", "dependent", "clusters", "ikra/steal"] {
            assert!(!ports(other).takes_cancels(), "{other}");
        }
    }
}
