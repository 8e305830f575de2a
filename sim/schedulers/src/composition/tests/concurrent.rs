//! The policies for concurrent kernels: `srtf`, `mpmax`, `sjf`, `ljf`.

use super::*;

#[test]
fn the_policies_for_concurrent_kernels_have_parameters_and_no_gate_but_dyncta() {
    for (text, canonical) in [
        ("mpmax", "mpmax"),
        ("srtf", "srtf(sample=1)"),
        ("srtf(sample=255)", "srtf(sample=255)"),
        ("srtf/adaptive(threshold=0)", "srtf/adaptive(sample=1,limit=3,threshold=0)"),
        ("sjf(wait=7,runtimes=5)", "sjf(runtimes=5,wait=7)"),
        ("ljf(runtimes=5:6)", "ljf(runtimes=5:6,wait=0)"),
        ("srtf/zero-sampling(runtimes=5)", "srtf/zero-sampling(runtimes=5)"),
        ("mpmax+dyncta", "mpmax+dyncta(period=2048,idle=16,low=128,high=384)"),
        (
            "ljf(runtimes=5)+dyncta(low=0)",
            "ljf(runtimes=5,wait=0)+dyncta(period=2048,idle=16,low=0,high=384)",
        ),
    ] {
        assert_eq!(parsed(text).to_string(), canonical);
        assert_eq!(parsed(canonical), parsed(text));
    }
    for (name, keys) in [
        ("mpmax", ""),
        ("srtf", "(sample=2)"),
        ("srtf/adaptive", ""),
        ("srtf/zero-sampling", "(runtimes=1)"),
        ("sjf", "(runtimes=1)"),
        ("ljf", "(runtimes=1)"),
    ] {
        for gates in ["claso", "dyncta+claso", "claso(pl=3)+dyncta"] {
            let text = format!("{name}{keys}+{gates}");
            let kind = Kind::NoCreditsForConcurrentKernels(name.into());
            assert_eq!(refused(&text), (kind, "claso"), "{text}");
            let help = text.parse::<Composition>().unwrap_err().help;
            assert!(help.contains("two SMXs could wait for each other"), "{help}");
        }
    }
    for text in ["mpmax(limit=3)", "srtf(limit=3)", "srtf/zero-sampling(runtimes=1,wait=2)"] {
        assert!(matches!(refused(text).0, Kind::UnknownKey { .. }), "{text}");
    }
    for text in ["srtf(sample=0)", "sjf(runtimes=0)", "sjf(runtimes=1,wait=65536)"] {
        assert!(matches!(refused(text).0, Kind::BadValue { .. }), "{text}");
    }
    for text in ["sjf", "ljf(wait=3)", "srtf/zero-sampling"] {
        assert!(matches!(refused(text).0, Kind::MissingRuntimes(_)), "{text}");
    }
    for text in ["srtf/x", "mpmax/x", "sjf/x(runtimes=1)"] {
        assert!(matches!(refused(text).0, Kind::UnknownVariant { .. }), "{text}");
    }
    assert!(matches!(refused("srtf(sample=1,sample=1)").0, Kind::RepeatedKey(_)));
}
