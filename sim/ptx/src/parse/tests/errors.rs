//! How a diagnostic looks.

use expect_test::{expect, Expect};

use super::*;
use crate::diagnostic::rendered;

fn refused(items: &str, expected: &Expect) {
    refused_text(&file(items), expected);
}

fn refused_text(text: &str, expected: &Expect) {
    let error = parse("k.ptx", text).expect_err(text);
    // With a first line that keeps the margin of the others.
    expected.assert_eq(&format!("refused:\n{}", rendered(&error)));
}

#[test]
fn a_missing_semicolon_is_shown_at_the_word_behind_it() {
    refused(
        ".entry k() {\n    add.s32 %r1, %r2, 1\n    ret;\n}\n",
        &expect![[r#"
            refused:
              × k.ptx, line 6: `ret` cannot stand here
               ╭─[k.ptx:6:5]
             5 │     add.s32 %r1, %r2, 1
             6 │     ret;
               ·     ─┬─
               ·      ╰── `ret` cannot stand here
             7 │ }
               ╰────
              help: expected `,` or `;`
        "#]],
    );
}

#[test]
fn a_file_that_is_not_ptx_is_shown_with_its_first_word() {
    refused_text(
        "int main() {}\n",
        &expect![[r#"
        refused:
          × k.ptx, line 1: `int` cannot stand here
           ╭─[k.ptx:1:1]
         1 │ int main() {}
           · ─┬─
           ·  ╰── `int` cannot stand here
           ╰────
          help: expected `.version 8.0` or the like, with which a PTX file begins
    "#]],
    );
}

#[test]
fn the_end_of_a_file_is_shown() {
    refused(
        ".entry k() {\n    ret;\n",
        &expect![[r#"
            refused:
              × k.ptx, line 5: the file ends here
               ╭─[k.ptx:5:9]
             4 │ .entry k() {
             5 │     ret;
               ·         ▲
               ·         ╰── the file ends here
               ╰────
              help: expected an instruction, a label, `{`, `}`, `.reg` or another declaration
        "#]],
    );
}

#[test]
fn a_wrong_operand_is_shown_with_what_could_be_there() {
    refused(
        ".entry k() {\n    mov.u32 %r1, =;\n}\n",
        &expect![[r#"
            refused:
              × k.ptx, line 5: `=` cannot stand here
               ╭─[k.ptx:5:18]
             4 │ .entry k() {
             5 │     mov.u32 %r1, =;
               ·                  ┬
               ·                  ╰── `=` cannot stand here
             6 │ }
               ╰────
              help: expected an operand: a name, a number, `[address]`, `!predicate` or `{a, b}`
        "#]],
    );
}

#[test]
fn a_number_of_too_many_bits_is_shown_with_what_numbers_look_like() {
    refused(
        ".global .u64 x = 0x12345678901234567;\n",
        &expect![[r#"
            refused:
              × k.ptx, line 4: `0x12345678901234567` is not a number of 64 bits
               ╭─[k.ptx:4:18]
             3 │ .address_size 64
             4 │ .global .u64 x = 0x12345678901234567;
               ·                  ─────────┬─────────
               ·                           ╰── `0x12345678901234567` is not a number of 64 bits
               ╰────
              help: expected a number such as `42`, `0x2A`, `052`, `0b101010`, `4.2e1`, `0f` with 8
                    hexadecimal digits or `0d` with 16
        "#]],
    );
}

#[test]
fn a_comment_without_end_is_shown_where_it_begins() {
    refused(
        ".entry k() { ret; } /* and\nso on\n",
        &expect![[r#"
            refused:
              × k.ptx, line 4: this comment does not end
               ╭─[k.ptx:4:23]
             3 │ .address_size 64
             4 │ .entry k() { ret; } /* and
               ·                       ─┬
               ·                        ╰── this comment does not end
             5 │ so on
               ╰────
              help: expected `*/`
        "#]],
    );
}

#[test]
fn a_division_by_zero_is_shown_at_the_divisor() {
    refused(
        ".global .u32 x[8 / (2 - 2)];\n",
        &expect![[r#"
            refused:
              × k.ptx, line 4: this divides by zero
               ╭─[k.ptx:4:20]
             3 │ .address_size 64
             4 │ .global .u32 x[8 / (2 - 2)];
               ·                    ───┬───
               ·                       ╰── this divides by zero
               ╰────
              help: expected a divisor other than 0
        "#]],
    );
}

#[test]
fn a_constant_of_the_wrong_kind_is_shown_as_a_whole() {
    refused(
        ".global .align 0d4010000000000000 .u32 x;\n",
        &expect![[r#"
            refused:
              × k.ptx, line 4: this is a floating-point number
               ╭─[k.ptx:4:16]
             3 │ .address_size 64
             4 │ .global .align 0d4010000000000000 .u32 x;
               ·                ─────────┬────────
               ·                         ╰── this is a floating-point number
               ╰────
              help: expected a whole number
        "#]],
    );
}

#[test]
fn a_long_word_is_cut_and_control_characters_do_not_reach_a_terminal() {
    let long = "x".repeat(100);
    let said = message_of_body(&format!("op a {long};"));
    assert_eq!(said, format!("5: `{}...` cannot stand here", "x".repeat(40)));
    assert_eq!(message("\u{1b}"), "4: `?` begins nothing");
    assert_eq!(message("\0"), "4: `?` begins nothing");
}
