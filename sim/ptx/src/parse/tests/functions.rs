//! Kernels and functions without what they do.

use super::*;
use crate::ast::{Linkage, Space, Type};

#[test]
fn a_kernel_has_parameters_and_directives() {
    let items = ".visible .entry k(\n.param .u64 a,\n.param .align 8 .b8 b[24]\n)\n\
                 .maxntid 256, 2, 1\n.minnctapersm 2\n.maxnreg 32\n.pragma \"nounroll\";\n{ ret; }";
    let k = function(items);
    assert!(k.entry && k.returns.is_empty());
    assert_eq!((k.name.as_str(), k.linkage), ("k", Linkage::Visible));
    assert_eq!(&file(items)[k.span], "k");
    let [a, b] = &k.parameters[..] else { panic!("{:?}", k.parameters) };
    assert_eq!((a.space, a.ty, &a.extents[..]), (Space::Parameter, Type::Unsigned(64), &[][..]));
    assert_eq!((b.align, b.ty, &b.extents[..]), (Some(8), Type::Bits(8), &[Some(24)][..]));
    let directive = |name: &str, values: &[u64]| (name.to_owned(), values.to_vec());
    assert_eq!(
        k.directives,
        [
            directive("maxntid", &[256, 2, 1]),
            directive("minnctapersm", &[2]),
            directive("maxnreg", &[32])
        ]
    );
    assert_eq!(k.body.map(|body| body.len()), Some(1));
}

#[test]
fn parameters_may_be_none() {
    for text in [".entry k { }", ".entry k() { }", ".func f { }", ".func () f () { }"] {
        let function = function(text);
        assert_eq!((function.parameters, function.returns), (vec![], vec![]), "{text}");
        assert_eq!(function.body, Some(vec![]));
    }
}

#[test]
fn what_a_pointer_points_to_is_not_kept() {
    let pointer = |attributes: &str| {
        let k = function(&format!(".entry k(.param .u64 {attributes} p) {{ }}"));
        let p = &k.parameters[0];
        assert_eq!((p.space, p.ty, p.name.as_str()), (Space::Parameter, Type::Unsigned(64), "p"));
        p.align
    };
    assert_eq!(pointer(".ptr"), None);
    assert_eq!(pointer(".ptr .align 4"), None);
    assert_eq!(pointer(".ptr .global .align 4"), None);
    assert_eq!(pointer(".align 8 .ptr .shared .align 4"), Some(8));
    assert_eq!(message(".entry k(.param .u64 .global p) { }"), "4: `.global` cannot stand here");
}

#[test]
fn a_function_returns_parameters_or_registers() {
    let f = function(".func (.param .b32 r) f(.param .b64 _) { ret; }");
    assert!(!f.entry);
    assert_eq!((f.returns[0].name.as_str(), f.parameters[0].name.as_str()), ("r", "_"));
    let old = function(".func (.reg .u32 %rv1) f (.reg .u32 %ra1, .reg .f32 %ra2) { ret; }");
    assert_eq!((old.returns[0].space, old.returns[0].ty), (Space::Register, Type::Unsigned(32)));
    assert_eq!(old.parameters[1].ty, Type::Float(32));
}

#[test]
fn a_function_may_only_be_declared() {
    let f = function(".extern .func (.param .b32 r) f\n(\n.param .b32 a\n)\n.noreturn\n;");
    assert_eq!((f.linkage, f.body), (Linkage::External, None));
    assert_eq!(f.directives, [("noreturn".to_owned(), vec![])]);
}

#[test]
fn a_declaration_before_a_function_or_variable_needs_no_semicolon() {
    for next in [".visible .func f { }", ".func f { }", ".entry f { }", ".global .u32 f;"] {
        let module = module(&format!(".func (.param .b32 r) g (.param .b32 a)\n{next}"));
        assert_eq!(module.functions[0].body, None);
        assert_eq!(module.functions.len() + module.variables.len(), 2, "{next}");
    }
    assert_eq!(message(".func f()"), "4: the file ends here");
    assert_eq!(message(".entry k() .entry l { }"), "4: `.entry` cannot stand here");
}

#[test]
fn attributes_may_stand_before_the_name() {
    let f = function(".func .attribute(.unified(0x1, 0x2)) .noreturn (.param .b32 r) f() { }");
    assert_eq!((f.name.as_str(), f.returns.len()), ("f", 1));
    assert_eq!(f.directives, [("noreturn".to_owned(), vec![])]);
}

#[test]
fn a_function_that_lacks_a_part_is_refused() {
    for (text, found) in [
        (".entry (.param .u32 a) k { }", "`(`"),
        (".entry { }", "`{`"),
        (".entry k(.u32 a) { }", "`.u32`"),
        (".entry k(.param .u32 a .param .u32 b) { }", "`.param`"),
        (".entry k(.param .u32 a,) { }", "`)`"),
        (".entry k(.param .u32 a { }", "`{`"),
        (".entry k() .maxntid 1, { }", "`{`"),
        (".entry k() .maxnitd 2 { }", "`.maxnitd`"),
        (".entry k() .nosuch { }", "`.nosuch`"),
        (".entry k() ret;", "`ret`"),
        (".entry k() { ret; } }", "`}`"),
    ] {
        assert_eq!(message(text), format!("4: {found} cannot stand here"), "{text}");
    }
    assert_eq!(message(".entry k() { ret;\n"), "4: the file ends here");
}
