//! `launch-control`, which has no keys.

use super::*;
use crate::launch_control::LaunchControlConfig;
use crate::port::{DevicePorts, LaunchMode};

#[test]
fn launch_control_has_no_keys_and_takes_every_gate() {
    let plain = Composition { source: LaunchControlConfig.into(), gates: vec![] };
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
fn it_alone_answers_blocks_that_ask() {
    for mode in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
        let ports = |text: &str| parsed(text).device_ports(mode);
        assert_eq!(ports("launch-control"), DevicePorts::Cancels);
        for other in ["rr", "domains", "dependent", "ikra/steal"] {
            assert!(!ports(other).takes_cancels(), "{other}");
        }
    }
}
