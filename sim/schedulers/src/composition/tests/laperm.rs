//! `laperm`, its variants and parameters.

use super::*;

#[test]
fn laperm_comes_in_three_variants_with_parameters_and_only_two_of_them_take_credits() {
    for (text, canonical) in [
        ("laperm/tb-pri", "laperm/tb-pri(queue=linked,levels=4,entries=128,cluster=1)"),
        (
            "laperm/adaptive-bind(cluster=2,levels=8,queue=shifting)+claso",
            "laperm/adaptive-bind(queue=shifting,levels=8,entries=128,cluster=2)+claso(pa=1,pl=0)",
        ),
        (
            "laperm/smx-bind(entries=2)",
            "laperm/smx-bind(queue=linked,levels=4,entries=2,cluster=1)",
        ),
        (
            "laperm/smx-bind+dyncta(period=7)",
            "laperm/smx-bind(queue=linked,levels=4,entries=128,cluster=1)+dyncta(period=7,idle=16,low=128,high=384)",
        ),
    ] {
        assert_eq!(parsed(text).to_string(), canonical);
        assert_eq!(parsed(canonical), parsed(text));
    }
    assert_eq!(refused("laperm"), (Kind::MissingVariant("laperm".into()), "laperm"));
    for text in ["laperm/smx-bind+claso", "laperm/smx-bind+dyncta+claso(pl=1)"] {
        assert_eq!(refused(text), (Kind::NoCreditsForBoundGroups, "claso"));
        let help = text.parse::<Composition>().unwrap_err().help;
        assert!(help.contains("a bound group could starve"), "{help}");
    }
    let kind = |key: &str, value: &str, expected| Kind::BadValue {
        key: key.into(),
        value: value.into(),
        expected,
    };
    let refusal = refused("laperm/tb-pri(entries=3)");
    assert_eq!(refusal, (kind("entries", "3", "a power of two from 1 to 2048"), "3"));
    assert!(matches!(refused("laperm/tb-pri(size=3)"), (Kind::UnknownKey { .. }, "size")));
    assert!(matches!(refused("laperm/rr"), (Kind::UnknownVariant { .. }, "rr")));
    assert!(matches!(refused("laperm/tb-pri(levels=1,levels=1)"), (Kind::RepeatedKey(_), _)));
}
