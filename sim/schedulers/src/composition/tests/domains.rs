//! The keys of `domains`.

use super::*;
use crate::domains::DomainsConfig;

fn of(config: DomainsConfig) -> Composition {
    Composition { source: config.into(), gates: vec![] }
}

#[test]
fn domains_interleaves_block_by_block_unless_it_is_told_otherwise() {
    let chunks = |chunk| of(DomainsConfig::Interleave { chunk });
    for (text, expected, canonical) in [
        ("domains", chunks(1), "domains(policy=interleave,chunk=1)"),
        ("domains(policy=interleave)", chunks(1), "domains(policy=interleave,chunk=1)"),
        ("domains(chunk=1024)", chunks(1024), "domains(policy=interleave,chunk=1024)"),
        ("domains(chunk=4,policy=interleave)", chunks(4), "domains(policy=interleave,chunk=4)"),
        ("domains(policy=contiguous)", of(DomainsConfig::Contiguous), "domains(policy=contiguous)"),
    ] {
        assert_eq!((parsed(text), parsed(text).to_string()), (expected, canonical.to_owned()));
        assert_eq!(parsed(canonical), parsed(text));
    }
    assert_eq!(parsed("domains(policy=interleave,chunk=4)").brief(), "domains(chunk=4)");
    assert_eq!(parsed("domains(policy=contiguous)").brief(), "domains(policy=contiguous)");
}

#[test]
fn a_chunk_has_1_to_1024_blocks() {
    for value in ["0", "1025", "70000", "-1", "x"] {
        let text = format!("domains(chunk={value})");
        let expected = "1 to 1024";
        let kind = Kind::BadValue { key: "chunk".into(), value: value.into(), expected };
        assert_eq!(refused(&text), (kind, value));
    }
    let kind = Kind::BadValue {
        key: "policy".into(),
        value: "random".into(),
        expected: "interleave or contiguous",
    };
    assert_eq!(refused("domains(policy=random)"), (kind, "random"));
}

#[test]
fn a_contiguous_share_has_no_chunks() {
    for text in ["domains(policy=contiguous,chunk=2)", "domains(chunk=1,policy=contiguous)"] {
        assert_eq!(refused(text), (Kind::ChunkOfContiguous, "chunk"));
    }
}

#[test]
fn domains_takes_dyncta_alone() {
    assert_eq!(parsed("domains+dyncta").gates, [dyncta(2048, 16, 128, 384)]);
    for text in ["domains+claso", "domains(policy=contiguous)+dyncta+claso(pa=2)"] {
        assert_eq!(refused(text), (Kind::NoCreditsForDomains, "claso"));
    }
    let kind = Kind::UnknownKey { name: "domains".into(), key: "smx".into() };
    assert_eq!(refused("domains(smx=4)"), (kind, "smx"));
    let error = "domains(smx=4)".parse::<Composition>().unwrap_err();
    assert!(error.help.contains("smx.domains"), "{}", error.help);
}
