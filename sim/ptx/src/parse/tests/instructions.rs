//! Instructions as compilers write them.

use super::*;
use crate::ast::Guard;

fn modifiers(text: &str) -> Vec<String> {
    instruction(text).modifiers
}

#[test]
fn the_opcode_ends_at_the_first_dot() {
    let of = instruction("ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+16];");
    assert_eq!(of.opcode, "ld");
    assert_eq!(of.modifiers, ["global", "nc", "v4", "f32"]);
    let vector = ["%f1", "%f2", "%f3", "%f4"].map(name).to_vec();
    let (base, offset, bracketed) = (Some("%rd1".to_owned()), 16, true);
    let address = Operand::Address { base, offset, bracketed };
    assert_eq!(of.operands, [Operand::Vector(vector), address]);
    assert_eq!(of.guard, None);
}

#[test]
fn modifiers_may_have_colons_and_begin_with_digits() {
    assert_eq!(modifiers("ld.shared::cta.u32 %r1, [%r2];"), ["shared::cta", "u32"]);
    assert_eq!(
        modifiers("cp.async.ca.shared.global.L2::128B [%r1], [%rd1], 16;"),
        ["async", "ca", "shared", "global", "L2::128B"]
    );
    assert_eq!(modifiers("op.a::b::c;"), ["a::b::c"]);
    assert_eq!(modifiers("op.a::2;"), ["a::2"]);
    assert_eq!(modifiers("tex.2d.v4.f32.s32 %r1, [t, {%r1, %r2}];")[0], "2d");
    assert_eq!(modifiers("op .a /**/ .b x;"), ["a", "b"]);
    assert_eq!(message_of_body("op.;"), "5: `.` begins nothing");
    assert_eq!(message_of_body("op.a::;"), "5: `:` cannot stand here");
}

#[test]
fn an_instruction_may_have_no_operands() {
    for text in ["ret;", "exit;", "trap;", "bar.warp.sync ;", "membar.gl;"] {
        assert_eq!(instruction(text).operands, [], "{text}");
    }
}

#[test]
fn a_guard_names_a_predicate_that_holds_or_does_not() {
    let guard = |text: &str| instruction(text).guard.map(|g: Guard| (g.predicate, g.negated));
    assert_eq!(guard("@%p1 bra $L;"), Some(("%p1".to_owned(), false)));
    assert_eq!(guard("@!%p1 bra.uni $L;"), Some(("%p1".to_owned(), true)));
    assert_eq!(guard("@ ! p ret;"), Some(("p".to_owned(), true)));
    assert_eq!(message_of_body("@5 ret;"), "5: `5` cannot stand here");
    assert_eq!(message_of_body("@p { ret; }"), "5: `{` cannot stand here");
    assert_eq!(message_of_body("@p a: ret;"), "5: `:` cannot stand here");
}

#[test]
fn an_instruction_stands_from_its_opcode_to_its_last_operand() {
    for (text, stands) in [
        ("@%p1 add.s32 %r1, %r2, 1 ;", "add.s32 %r1, %r2, 1"),
        ("ret ;", "ret"),
        ("bar.sync /* x */ 0 // y\n;", "bar.sync /* x */ 0"),
        ("bar.warp.sync /* x */ ;", "bar.warp.sync"),
    ] {
        let items = format!(".entry k {{\n{text}\n}}");
        let body = function(&items).body.unwrap();
        let [Statement::Instruction(of)] = &body[..] else { panic!("{body:?}") };
        assert_eq!(&file(&items)[of.span.clone()], stands);
    }
}

#[test]
fn calls_have_lists() {
    let list = |names: &[&str]| Operand::List(names.iter().map(|of| name(of)).collect());
    assert_eq!(
        instruction("call.uni \n(retval0), \nf, \n(\nparam0, \nparam1\n);").operands,
        [list(&["retval0"]), name("f"), list(&["param0", "param1"])]
    );
    assert_eq!(
        instruction("call (%r1), %rd1, (%r2), proto;").operands,
        [list(&["%r1"]), name("%rd1"), list(&["%r2"]), name("proto")]
    );
    assert_eq!(instruction("call f;").operands, [name("f")]);
    assert_eq!(instruction("call f, ();").operands, [name("f"), list(&[])]);
    let numbers = vec![Operand::Integer(5), Operand::Integer(9), name("x")];
    assert_eq!(
        instruction("call f, (5, (4 + 5), x);").operands,
        [name("f"), Operand::List(numbers)]
    );
    assert_eq!(message_of_body("call f, (a;"), "5: `;` cannot stand here");
    assert_eq!(message_of_body("call f, (a,);"), "5: `)` cannot stand here");
}

#[test]
fn only_calls_have_lists() {
    assert_eq!(instruction("mov.u32 %r1, (4);").operands[1], Operand::Integer(4));
    assert_eq!(message_of_body("mov.u32 %r1, (x);"), "5: `x` cannot stand here");
}

#[test]
fn operands_need_commas_and_a_semicolon() {
    for (text, found) in [
        ("add.s32 %r1 %r2;", "`%r2`"),
        ("add.s32 %r1, ;", "`;`"),
        ("add.s32 , %r1;", "`,`"),
        ("add.s32 %r1, %r2 }", "`}`"),
        ("ret }", "`}`"),
        ("ret\n.reg .u32 x;", "`.reg`"),
        ("5;", "`5`"),
        ("a: b: 5", "`5`"),
        ("add.s32 %r1, .reg", "`.reg`"),
    ] {
        let said = message_of_body(text);
        assert!(said.ends_with(&format!(": {found} cannot stand here")), "{text}: {said}");
    }
}
