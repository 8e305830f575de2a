//! Statements other than instructions.

use super::*;
use crate::ast::{Linkage, Registers, Space, Type};

fn registers(text: &str) -> Registers {
    match <[_; 1]>::try_from(statements(text)) {
        Ok([Statement::Registers(registers)]) => registers,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn registers_are_declared_by_number_and_by_name() {
    let of = registers(".reg .b32 %r<8>, x, y<0>;");
    assert_eq!((of.ty, of.vector), (Type::Bits(32), 1));
    let names = [("%r", Some(8)), ("x", None), ("y", Some(0))];
    assert_eq!(of.names, names.map(|(name, number)| (name.to_owned(), number)));
    assert_eq!(registers(".reg .pred \t%p<2>;").ty, Type::Predicate);
    let vector = registers(".reg .v2 .f32 v;");
    assert_eq!((vector.vector, vector.ty), (2, Type::Float(32)));
}

#[test]
fn the_number_of_registers_has_32_bits() {
    assert_eq!(registers(".reg .b32 r<4294967295>;").names[0].1, Some(u32::MAX));
    let said = message_of_body(".reg .b32 r<4294967296>;");
    assert_eq!(said, "5: these are too many registers");
    assert_eq!(message_of_body(".reg .b32 r<-1>;"), "5: `-` cannot stand here");
    assert_eq!(message_of_body(".reg .b32 r<1;"), "5: `;` cannot stand here");
    assert_eq!(message_of_body(".reg .b32;"), "5: `;` cannot stand here");
    assert_eq!(message_of_body(".reg .b32 r s;"), "5: `s` cannot stand here");
}

#[test]
fn registers_stand_where_they_are_written() {
    let items = ".entry k {\n.reg .b32 %r<8> ;\n}";
    let body = function(items).body.unwrap();
    let [Statement::Registers(of)] = &body[..] else { panic!("{body:?}") };
    assert_eq!(&file(items)[of.span.clone()], ".reg .b32 %r<8>");
}

#[test]
fn a_body_may_have_variables_of_any_space() {
    let body = ".local .align 8 .b8 a[16]; .shared .f32 b; .param .b64 c;\n\
                .extern .shared .align 4 .b8 d[]; .global .u32 e = 3;";
    let variables: Vec<_> = statements(body)
        .into_iter()
        .map(|statement| match statement {
            Statement::Variable(variable) => (variable.space, variable.linkage, variable.name),
            other => panic!("{other:?}"),
        })
        .collect();
    let of = |space, linkage, name: &str| (space, linkage, name.to_owned());
    assert_eq!(
        variables,
        [
            of(Space::Local, Linkage::Internal, "a"),
            of(Space::Shared, Linkage::Internal, "b"),
            of(Space::Parameter, Linkage::Internal, "c"),
            of(Space::Shared, Linkage::External, "d"),
            of(Space::Global, Linkage::Internal, "e"),
        ]
    );
}

#[test]
fn a_label_may_stand_before_the_end_of_a_block() {
    let items = ".entry k { $L__BB0_2 :\n}";
    let body = function(items).body.unwrap();
    let [Statement::Label { name, span }] = &body[..] else { panic!("{body:?}") };
    assert_eq!((name.as_str(), &file(items)[span.clone()]), ("$L__BB0_2", "$L__BB0_2"));
}

#[test]
fn blocks_nest() {
    let body = statements("{ { ret; } a: { } }");
    let [Statement::Block(outer)] = &body[..] else { panic!("{body:?}") };
    assert!(matches!(
        &outer[..],
        [Statement::Block(one), Statement::Label { .. }, Statement::Block(none)]
            if one.len() == 1 && none.is_empty()
    ));
}

#[test]
fn a_prototype_says_what_is_passed() {
    let body = statements("p : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);");
    let [Statement::Prototype { name, parameters, .. }] = &body[..] else { panic!("{body:?}") };
    let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty).collect();
    assert_eq!((name.as_str(), &types[..]), ("p", &[Type::Bits(64), Type::Bits(32)][..]));
    assert_eq!(message_of_body("p: .callprototype _"), "6: `}` cannot stand here");
}

#[test]
fn targets_are_labels_or_functions() {
    for kind in ["branchtargets", "calltargets"] {
        let body = statements(&format!("t: .{kind} $L1, f;"));
        let [Statement::Targets { name, targets, .. }] = &body[..] else { panic!("{body:?}") };
        assert_eq!((name.as_str(), &targets[..]), ("t", &["$L1".to_owned(), "f".to_owned()][..]));
        assert_eq!(message_of_body(&format!("t: .{kind};")), "5: `;` cannot stand here");
        assert_eq!(
            message_of_body(&format!(".{kind} a;")),
            format!("5: `.{kind}` cannot stand here")
        );
    }
}

#[test]
fn the_line_of_the_source_is_kept() {
    for text in [
        ".loc 2 37",
        ".loc 2 37 5",
        ".loc 2 37 5, function_name $L__info_string0, inlined_at 1 20 3",
        ".loc 2 37 5, function_name $L__info_string0+16, inlined_at 1 20 3",
    ] {
        let body = statements(&format!("{text}\nret;"));
        assert!(
            matches!(
                &body[..],
                [Statement::Location { file: 2, line: 37 }, Statement::Instruction(_)]
            ),
            "{text}: {body:?}"
        );
    }
    assert_eq!(message_of_body(".loc 2\nret;"), "6: `ret` cannot stand here");
    assert_eq!(message_of_body(".loc 2 37 5, is_stmt 0"), "5: `is_stmt` cannot stand here");
}

#[test]
fn statements_may_be_empty_or_say_nothing() {
    assert_eq!(statements(";; .pragma \"nounroll\"; .file 1 \"a.cu\""), []);
}
