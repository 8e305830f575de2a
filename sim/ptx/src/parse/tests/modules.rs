//! Headers, and what is read over.

use super::*;

#[test]
fn the_header_is_kept() {
    let module = parse("k.ptx", ".version 7.8 .target sm_90a, debug\n.address_size 64").unwrap();
    assert_eq!(module.version, (7, 8));
    assert_eq!(module.target, ["sm_90a", "debug"]);
    assert_eq!(module.address_size, 64);
    assert!(module.variables.is_empty() && module.functions.is_empty());
}

#[test]
fn addresses_have_32_bits_where_the_file_does_not_say() {
    let module = parse("k.ptx", ".version 1.4\n.target sm_10, map_f64_to_f32\n").unwrap();
    assert_eq!((module.version, module.address_size), ((1, 4), 32));
    assert_eq!(module.target, ["sm_10", "map_f64_to_f32"]);
}

#[test]
fn a_file_begins_with_its_version() {
    let said = |text: &str| parse("k.ptx", text).expect_err(text).to_string();
    assert_eq!(said(""), "k.ptx, line 1: the file ends here");
    assert_eq!(said("\n.target sm_80"), "k.ptx, line 2: `.target` cannot stand here");
    assert_eq!(said(".version 8"), "k.ptx, line 1: `8` cannot stand here");
    assert_eq!(said(".version 1e5"), "k.ptx, line 1: `1e5` cannot stand here");
    assert_eq!(said(".version 8.0 .target 5"), "k.ptx, line 1: `5` cannot stand here");
    assert_eq!(said(".version 8.0 .target sm_80,"), "k.ptx, line 1: the file ends here");
    let again = ".version 8.0\n.version 7.8";
    assert_eq!(said(again), "k.ptx, line 2: `.version` cannot stand here");
    let bits = ".version 8.0 .address_size 16";
    assert_eq!(said(bits), "k.ptx, line 1: `16` cannot stand here");
}

#[test]
fn a_target_is_an_architecture_or_a_feature() {
    for target in ["sm_20", "sm_90a", "sm_103f", "sm_35, debug", "sm_20, texmode_independent"] {
        let text = format!(".version 8.0 .target {target}");
        assert_eq!(parse("k.ptx", &text).expect(target).target.join(", "), target);
    }
    for target in ["sm_foo", "sm_", "sm_a", "sm_90b", "compute_80", "sm_80, bebug"] {
        let said = parse("k.ptx", &format!(".version 8.0 .target {target}")).expect_err(target);
        let last = target.split(", ").last().expect("one");
        assert_eq!(said.to_string(), format!("k.ptx, line 1: `{last}` cannot stand here"));
    }
}

#[test]
fn what_says_nothing_of_the_computation_is_read_over() {
    for text in [
        ".file 1 \"a.cu\"",
        ".file 1 \"a.cu\", 1700000000, 4242",
        ".section .debug_str { info: .b8 104,0 \n .b64 info+4 \n { } }",
        ".section .debug_loc { }",
        ".pragma \"nounroll\";",
        ".alias f, g;",
    ] {
        assert_eq!(module(text), module(""), "{text}");
    }
    assert_eq!(message(".section .debug_str { { }"), "4: the file ends here");
    assert_eq!(message(".pragma \"nounroll\""), "4: the file ends here");
    assert_eq!(message(".file x"), "4: `x` cannot stand here");
    assert_eq!(message(".file 1;"), "4: `;` cannot stand here");
}

#[test]
fn variables_and_functions_keep_their_order() {
    let module = module(
        ".global .u32 a;\n.func f;\n.const .f32 b;\n.entry k { ret; }\n.shared .b8 c;\n.func g { }",
    );
    let variables: Vec<_> = module.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(variables, ["a", "b", "c"]);
    let functions: Vec<_> = module.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(functions, ["f", "k", "g"]);
}

#[test]
fn nothing_else_stands_outside_a_function() {
    assert_eq!(message("ret;"), "4: `ret` cannot stand here");
    assert_eq!(message("\n}"), "5: `}` cannot stand here");
    assert_eq!(message(".u32 x;"), "4: `.u32` cannot stand here");
    assert_eq!(message(".extern x;"), "4: `x` cannot stand here");
}

#[test]
fn registers_stand_outside_a_function_in_files_of_ptx_1() {
    let registers = module(".reg .u32 %a<3>;\n.reg .f32 b;").registers;
    let names: Vec<_> = registers.iter().map(|registers| registers.names[0].clone()).collect();
    assert_eq!(names, [("%a".to_owned(), Some(3)), ("b".to_owned(), None)]);
}

#[test]
fn a_file_may_begin_with_the_mark_of_its_byte_order() {
    let text = "\u{feff}.version 7.0\n.target sm_70\n";
    assert_eq!(crate::parse::parse("a.ptx", text).unwrap().version, (7, 0));
}
