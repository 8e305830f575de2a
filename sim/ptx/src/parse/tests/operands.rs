//! Operands of every kind.

use super::*;

fn address(base: &str, offset: i64, bracketed: bool) -> Operand {
    let base = (!base.is_empty()).then(|| base.to_owned());
    Operand::Address { base, offset, bracketed }
}

#[test]
fn names_have_components() {
    assert_eq!(operand("%tid.x"), name("%tid.x"));
    assert_eq!(operand("v.y"), name("v.y"));
    assert_eq!(operand("%r1.b3210"), name("%r1.b3210"));
    assert_eq!(operands("_, %r1"), [name("_"), name("%r1")]);
    assert_eq!(message_of_body("op a .x;"), "5: `.x` cannot stand here");
}

#[test]
fn predicates_are_negated_and_paired() {
    assert_eq!(
        operands("%p1|%p2, %f1, !%p3"),
        [Operand::Pair("%p1".into(), "%p2".into()), name("%f1"), Operand::Not("%p3".into())]
    );
    assert_eq!(operand("%r1 | _"), Operand::Pair("%r1".into(), "_".into()));
    assert_eq!(operand("! p"), Operand::Not("p".into()));
    assert_eq!(message_of_body("op p|;"), "5: `;` cannot stand here");
    assert_eq!(message_of_body("op p|q|r;"), "5: `|` cannot stand here");
    assert_eq!(message_of_body("op p|1;"), "5: `1` cannot stand here");
    assert_eq!(message_of_body("op !;"), "5: `;` cannot stand here");
}

#[test]
fn addresses_have_a_base_and_bytes() {
    assert_eq!(operand("[%rd1]"), address("%rd1", 0, true));
    assert_eq!(operand("[%rd1+16]"), address("%rd1", 16, true));
    assert_eq!(operand("[%rd1+-16]"), address("%rd1", -16, true));
    assert_eq!(operand("[%rd1 - 16]"), address("%rd1", -16, true));
    assert_eq!(operand("[a + 4 * 2 - 1]"), address("a", 7, true));
    assert_eq!(operand("[a + (1 << 4)]"), address("a", 16, true));
    assert_eq!(operand("[v.x + 4]"), address("v.x", 4, true));
    assert_eq!(operand("[16]"), address("", 16, true));
    assert_eq!(operand("[-16]"), address("", -16, true));
    assert_eq!(operand("[WARP_SZ]"), address("", 32, true));
    assert_eq!(operand("a+16"), address("a", 16, false));
    assert_eq!(operand("a - 16"), address("a", -16, false));
    assert_eq!(operand("a + 0"), address("a", 0, false));
    assert_eq!(operand("[a + 0xFFFFFFFFFFFFFFFF]"), address("a", -1, true));
}

#[test]
fn other_addresses_are_refused() {
    for (text, found) in [
        ("[]", "`]`"),
        ("[a", "`;`"),
        ("[4", "`;`"),
        ("[a + b]", "`b`"),
        ("[4 + a]", "`a`"),
        ("[a * 2]", "`*`"),
        ("[a + ]", "`]`"),
        ("[[a]]", "`[`"),
        ("a + b", "`b`"),
        ("a[4]", "`[`"),
    ] {
        assert_eq!(
            message_of_body(&format!("op {text};")),
            format!("5: {found} cannot stand here")
        );
    }
    assert_eq!(message_of_body("op [1.5];"), "5: this is a floating-point number");
    assert_eq!(message_of_body("op [a + 1.5];"), "5: this is a floating-point number");
}

#[test]
fn textures_have_coordinates() {
    let texture = |names: &[&str], coordinates: &[Operand]| Operand::Texture {
        names: names.iter().map(|name| name.to_string()).collect(),
        coordinates: coordinates.to_vec(),
    };
    assert_eq!(operand("[t, {%r1, %r2}]"), texture(&["t"], &[name("%r1"), name("%r2")]));
    assert_eq!(operand("[t, s, {%f1}]"), texture(&["t", "s"], &[name("%f1")]));
    assert_eq!(
        operand("[%rd1, {%r1, 0}]"),
        texture(&["%rd1"], &[name("%r1"), Operand::Integer(0)])
    );
    assert_eq!(operand("[t, %r1]"), texture(&["t"], &[name("%r1")]));
    assert_eq!(operand("[t, s, %r1]"), texture(&["t", "s"], &[name("%r1")]));
    for (text, found) in [
        ("[t, ]", "`]`"),
        ("[t, {}]", "`}`"),
        ("[t, {a}, b]", "`,`"),
        ("[t, {a}", "`;`"),
        ("[t + 4, {a}]", "`,`"),
        ("[4, {a}]", "`,`"),
    ] {
        assert_eq!(
            message_of_body(&format!("op {text};")),
            format!("5: {found} cannot stand here")
        );
    }
}

#[test]
fn vectors_hold_operands() {
    let mixed = vec![name("%r1"), Operand::Integer(0), name("_")];
    assert_eq!(operand("{%r1, 0, _}"), Operand::Vector(mixed));
    let inner = Operand::Vector(vec![name("a")]);
    assert_eq!(operand("{{a}}"), Operand::Vector(vec![inner]));
    assert_eq!(
        operands("{%r1, %r2}, %rd1"),
        [Operand::Vector(vec![name("%r1"), name("%r2")]), name("%rd1")]
    );
    assert_eq!(message_of_body("op {};"), "5: `}` cannot stand here");
    assert_eq!(message_of_body("op {a,};"), "5: `}` cannot stand here");
    assert_eq!(message_of_body("op {a b};"), "5: `b` cannot stand here");
    assert_eq!(message_of_body("op {a;"), "5: `;` cannot stand here");
}
