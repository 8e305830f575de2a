//! `partitions`, which has no keys.

use super::*;
use crate::partitions::PartitionsConfig;

#[test]
fn partitions_has_no_keys_and_takes_dyncta_alone() {
    let plain = Composition { source: PartitionsConfig.into(), gates: vec![] };
    assert_eq!(
        (parsed("partitions"), parsed("partitions").to_string()),
        (plain, "partitions".into())
    );
    assert_eq!(parsed("partitions+dyncta").gates, [dyncta(2048, 16, 128, 384)]);
    for text in ["partitions+claso", "partitions+dyncta+claso(pa=2)"] {
        assert_eq!(refused(text), (Kind::NoCreditsForPartitions, "claso"));
    }
    let kind = Kind::UnknownKey { name: "partitions".into(), key: "smx".into() };
    assert_eq!(refused("partitions(smx=4)"), (kind, "smx"));
    let error = "partitions(smx=4)".parse::<Composition>().unwrap_err();
    assert!(error.help.contains("smx.partitions"), "{}", error.help);
    let kind = Kind::UnknownVariant { name: "partitions".into(), variant: "x".into() };
    assert_eq!(refused("partitions/x"), (kind, "x"));
}
