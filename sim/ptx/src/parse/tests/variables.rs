//! Variables, and what they hold at first.

use super::*;
use crate::ast::{Initial, Linkage, Space, Type, Variable};

fn variable(text: &str) -> Variable {
    let mut variables = module(text).variables;
    assert_eq!(variables.len(), 1, "{text}");
    variables.remove(0)
}

fn initial(text: &str) -> Initial {
    variable(&format!(".global .u64 x[] = {text};")).initial.expect(text)
}

#[test]
fn a_variable_keeps_all_that_is_said_of_it() {
    let text = ".visible .global .align 16 .v4 .f32 x[2][N_IS_8][]".replace("N_IS_8", "4*2");
    let items = format!("{text} = {{1}};");
    let x = variable(&items);
    assert_eq!((x.space, x.linkage, x.align), (Space::Global, Linkage::Visible, Some(16)));
    assert_eq!((x.ty, x.vector, x.name.as_str()), (Type::Float(32), 4, "x"));
    assert_eq!(x.extents, [Some(2), Some(8), None]);
    assert_eq!(x.initial, Some(Initial::List(vec![Initial::Integer(1)])));
    assert_eq!(&file(&items)[x.span], "x");
}

#[test]
fn a_variable_may_say_no_more_than_its_type() {
    let x = variable(".shared .b8 x;");
    assert_eq!((x.space, x.linkage, x.align), (Space::Shared, Linkage::Internal, None));
    assert_eq!((x.ty, x.vector, x.extents, x.initial), (Type::Bits(8), 1, vec![], None));
}

#[test]
fn spaces_and_linkages_are_told_apart() {
    let space = |text: &str| variable(&format!("{text} .u32 x;")).space;
    assert_eq!(space(".global"), Space::Global);
    assert_eq!(space(".shared"), Space::Shared);
    assert_eq!(space(".local"), Space::Local);
    assert_eq!(space(".const"), Space::Constant);
    assert_eq!(space(".const[3]"), Space::Constant);
    assert_eq!(space(".tex"), Space::Texture);
    let linkage = |text: &str| variable(&format!("{text} .global .u32 x;")).linkage;
    assert_eq!(linkage(".extern"), Linkage::External);
    assert_eq!(linkage(".visible"), Linkage::Visible);
    assert_eq!(linkage(".weak"), Linkage::Weak);
    assert_eq!(linkage(".common"), Linkage::Weak);
}

#[test]
fn every_type_is_known() {
    use Type::*;
    let types = [
        ("pred", Predicate),
        ("b8", Bits(8)),
        ("b16", Bits(16)),
        ("b32", Bits(32)),
        ("b64", Bits(64)),
        ("b128", Bits(128)),
        ("u8", Unsigned(8)),
        ("u16", Unsigned(16)),
        ("u32", Unsigned(32)),
        ("u64", Unsigned(64)),
        ("s8", Signed(8)),
        ("s16", Signed(16)),
        ("s32", Signed(32)),
        ("s64", Signed(64)),
        ("f16", Float(16)),
        ("f32", Float(32)),
        ("f64", Float(64)),
        ("f16x2", Halves),
        ("bf16", Brain),
        ("bf16x2", Brains),
        ("texref", Texture),
        ("samplerref", Sampler),
        ("surfref", Surface),
    ];
    for (word, ty) in types {
        assert_eq!(variable(&format!(".global .{word} x;")).ty, ty, "{word}");
    }
    assert_eq!(message(".global .u128 x;"), "4: `.u128` cannot stand here");
}

#[test]
fn several_names_share_what_stands_before_them() {
    let variables = module(".const .align 4 .s16 a, b[3] = {1, 2, 3}, c = 5;").variables;
    assert!(variables.iter().all(|v| (v.align, v.ty) == (Some(4), Type::Signed(16))));
    assert_eq!(variables[0].initial, None);
    assert_eq!((&variables[1].extents[..], &variables[2].extents[..]), (&[Some(3)][..], &[][..]));
    assert_eq!(variables[2].initial, Some(Initial::Integer(5)));
}

#[test]
fn numbers_are_initial_values() {
    assert_eq!(initial("-1"), Initial::Integer(u64::MAX));
    assert_eq!(initial("(1 << 4) | 1"), Initial::Integer(17));
    assert_eq!(initial("WARP_SZ"), Initial::Integer(32));
    assert_eq!(initial("0f3F800000"), Initial::Single(0x3F80_0000));
    assert_eq!(initial("-0d3FF0000000000000"), Initial::Double((-1.0_f64).to_bits()));
    assert_eq!(initial("0.25"), Initial::Double(0.25_f64.to_bits()));
}

#[test]
fn addresses_are_initial_values() {
    let of = |text: &str, base: &str, generic, offset| {
        let name = base.to_owned();
        assert_eq!(initial(text), Initial::Address { name, generic, offset }, "{text}");
    };
    of("y", "y", false, 0);
    of("y+4", "y", false, 4);
    of("y - 4", "y", false, -4);
    of("generic(y)", "y", true, 0);
    of("generic(y)+12", "y", true, 12);
    // A variable may have that name.
    of("generic", "generic", false, 0);
}

#[test]
fn lists_nest_and_may_be_empty() {
    let number = Initial::Integer;
    let list = |items: &[Initial]| Initial::List(items.to_vec());
    assert_eq!(initial("{}"), list(&[]));
    assert_eq!(
        initial("{{1, 2}, {3}}"),
        list(&[list(&[number(1), number(2)]), list(&[number(3)])])
    );
    let text = |items: &str| message(&format!(".global .u32 x[2] = {items};"));
    assert_eq!(text("{1,}"), "4: `}` cannot stand here");
    assert_eq!(text("{1 2}"), "4: `2` cannot stand here");
    assert_eq!(text(""), "4: `;` cannot stand here");
    assert_eq!(text("generic(1)"), "4: `1` cannot stand here");
}

#[test]
fn how_a_texture_is_read_is_read_over() {
    let of = variable(".global .samplerref x = { addr_mode_0 = clamp_to_edge, filter_mode = 1 };");
    assert_eq!((of.ty, of.initial), (Type::Sampler, None));
    assert_eq!(variable(".global .texref x;").ty, Type::Texture);
    assert_eq!(variable(".extern .global .surfref x;").ty, Type::Surface);
}

#[test]
fn attributes_are_read_over() {
    let x = variable(".global .attribute(.managed, .unified(1, 2)) .align 8 .u64 x;");
    assert_eq!((x.align, x.ty), (Some(8), Type::Unsigned(64)));
}

#[test]
fn a_declaration_that_lacks_a_part_is_refused() {
    for (text, found) in [
        (".global x;", "`x`"),
        (".global .u32;", "`;`"),
        (".global .u32 .s32 x;", "`.s32`"),
        (".global .global .u32 x;", "`.global`"),
        (".global .u32 x", "`.func`"),
        (".global .u32 x[;", "`;`"),
        (".global .u32 x[4;", "`;`"),
        (".global .align .u32 x;", "`.u32`"),
        (".const[1 .u32 x;", "`.u32`"),
        (".global .u32 x, ;", "`;`"),
    ] {
        assert_eq!(message(&format!("{text} .func f;")), format!("4: {found} cannot stand here"));
    }
    assert_eq!(message(".global .u32 x[1.5];"), "4: this is a floating-point number");
}
