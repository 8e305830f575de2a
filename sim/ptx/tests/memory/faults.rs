//! What a user reads when a thread accesses what is not there.

use expect_test::expect;

use super::module;
use crate::support;
use blockyard_contract::diagnostic::rendered;
use blockyard_contract::port::Dim3;
use blockyard_ptx::{Arguments, Launch};

/// What is wrong when one thread runs `body`, without the place in the text; `%a` points to 16
/// bytes.
fn wrong(items: &str, body: &str) -> String {
    let machine = support::machine(&module(items, body));
    let at = machine.array(&[0; 4]).unwrap();
    let run = support::run(&machine, "k", (1, 1), Arguments::new().long(at).long(0));
    run.expect_err(body).to_string()
}

#[test]
fn an_access_must_be_inside_of_what_was_allocated() {
    let ends = [("ld.global.u32 %r0, [%a+12];", true), ("ld.global.u32 %r0, [%a+16];", false)];
    for (body, inside) in ends {
        let machine = support::machine(&module("", body));
        let at = machine.array(&[0; 4]).unwrap();
        let run = support::run(&machine, "k", (1, 1), Arguments::new().long(at).long(0));
        assert_eq!(run.is_ok(), inside, "{body}");
    }
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 1 byte at 0x10000010 is outside of what was allocated"].assert_eq(&wrong("", "ld.global.u8 %r0, [%a+16];"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 1 byte at 0xfffffff is outside of what was allocated"].assert_eq(&wrong("", "ld.global.u8 %r0, [%a+-1];"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 4 bytes at 0x10000010 is outside of what was allocated"].assert_eq(&wrong("", "st.global.v4.u32 [%a+16], {%t, %t, %t, %t};"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): an atomic access of 4 bytes at 0x10000010 is outside of what was allocated"].assert_eq(&wrong("", "red.global.add.u32 [%a+16], 1;"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x0 is outside of what was allocated"].assert_eq(&wrong("", "ld.global.u32 %r0, [%b];"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x0 is outside of what was allocated"].assert_eq(&wrong("", "ld.u32 %r0, [%b];"));
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 8 bytes at 0xfffffffffffffff8 is outside of what was allocated"].assert_eq(&wrong("", "ld.global.u64 %d0, [%b+-8];"));
}

#[test]
fn atomic_operations_on_vectors_end_the_run_elsewhere_than_in_global_memory() {
    let body =
        ".reg .f32 %f; mov.u64 %d0, sh; cvta.shared.u64 %d0, %d0; red.add.v2.f32 [%d0], {%f, %f};";
    expect![
        "kernel `k`, block (0, 0, 0), thread (0, 0, 0): an atomic access of a vector at 0x1000000 is not in global memory"
    ]
    .assert_eq(&wrong(".shared .align 8 .b8 sh[8];", body));
}

#[test]
fn an_access_must_be_at_a_multiple_of_its_bytes() {
    let accesses = [
        "ld.global.u16 %r0, [%a+1];",
        "ld.global.u32 %r0, [%a+2];",
        "st.global.u64 [%a+4], %a;",
        "ld.global.v2.u32 {%r0, %r1}, [%a+4];",
        "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a+8];",
        "ld.global.v4.u8 {%r0, %r1, %r2, %r3}, [%a+2];",
        "atom.global.add.u32 %r0, [%a+2], 1;",
        ".reg .f32 %f; red.global.add.v4.f32 [%a+8], {%f, %f, %f, %f};",
        "ld.u32 %r0, [%a+1];",
        "ld.param.u32 %r0, [a+2];",
    ];
    let all: Vec<String> = accesses.iter().map(|access| wrong("", access)).collect();
    expect![[r#"
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 2 bytes at 0x10000001 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x10000002 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 8 bytes at 0x10000004 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 8 bytes at 0x10000004 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 16 bytes at 0x10000008 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x10000002 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): an atomic access of 4 bytes at 0x10000002 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): an atomic access of 16 bytes at 0x10000008 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x10000001 is misaligned
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x2 is misaligned"#]].assert_eq(&all.join("\n"));
}

#[test]
fn each_space_has_its_own_end() {
    let items = ".shared .b32 common[2];\n.const .b32 fixed[2] = {1, 2};";
    let accesses = [
        "ld.shared.u32 %r0, [common+8];",
        "ld.shared.u32 %r0, [common+-4];",
        "st.shared.u8 [common+8], %r0;",
        "ld.const.u32 %r0, [fixed+8];",
        "ld.param.u32 %r0, [b+8];",
        ".local .b32 own[4]; ld.local.u32 %r0, [own+16];",
        ".local .b32 own[4]; ld.local.u32 %r0, [own+-4];",
    ];
    let all: Vec<String> = accesses.iter().map(|access| wrong(items, access)).collect();
    expect![[r#"
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x8 of shared memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0xfffffffc of shared memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 1 byte at 0x8 of shared memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x8 of constant memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x10 of parameter memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0x10 of local memory is outside of it
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a load of 4 bytes at 0xfffffffc of local memory is outside of it"#]].assert_eq(&all.join("\n"));
}

#[test]
fn constants_and_a_kernels_parameters_cannot_be_overwritten() {
    let items = ".const .b32 fixed[2] = {1, 2};";
    let through = |space: &str, name: &str| {
        format!("mov.u64 %d0, {name};\ncvta.{space}.u64 %d0, %d0;\nst.u32 [%d0], %t;")
    };
    let accesses = [
        through("const", "fixed"),
        through("param", "b"),
        through("const", "fixed").replace("st.u32 [%d0], %t", "atom.add.u32 %r0, [%d0], 1"),
    ];
    let all: Vec<String> = accesses.iter().map(|access| wrong(items, access)).collect();
    expect![[r#"
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 4 bytes at 0x4000000 writes what is constant
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 4 bytes at 0x3000008 writes what is constant
        kernel `k`, block (0, 0, 0), thread (0, 0, 0): an atomic access of 4 bytes at 0x4000000 writes what is constant"#]].assert_eq(&all.join("\n"));
}

/// What is wrong in a grid of many threads, all of it.
fn shown(items: &str, body: &str) -> String {
    let machine = support::machine(&module(items, body));
    let at = machine.array(&[0; 4]).unwrap();
    let launch = Launch {
        grid: Dim3::new(2, 3, 4),
        block: Dim3::new(5, 4, 3),
        shared_memory: 0,
        parameters: Arguments::new().long(at).long(0).into_bytes(),
    };
    let text = rendered(&support::run_launch(&machine, "k", launch).expect_err(body));
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Lets only thread (3, 2, 1) of block (1, 2, 3) go on.
const ONE: &str = "mov.u32 %r0, %tid.y;
    mad.lo.u32 %t, %r0, 10, %t;
    mov.u32 %r0, %tid.z;
    mad.lo.u32 %t, %r0, 100, %t;
    mov.u32 %r0, %ctaid.x;
    mad.lo.u32 %t, %r0, 1000, %t;
    mov.u32 %r0, %ctaid.y;
    mad.lo.u32 %t, %r0, 10000, %t;
    mov.u32 %r0, %ctaid.z;
    mad.lo.u32 %t, %r0, 100000, %t;
    setp.eq.u32 %p0, %t, 321123;";

#[test]
fn a_fault_says_which_thread_of_which_block() {
    expect![[r#"
        × kernel `k`, block (1, 2, 3), thread (3, 2, 1): a store of 4 bytes at 0x40 is outside of what
        │ was allocated
        ╭─[test.ptx:25:6]
        24 │     setp.eq.u32 %p0, %t, 321123;
        25 │ @%p0 st.global.u32 [%b+64], %t;
        ·      ────────────┬────────────
        ·                  ╰── here
        26 │ ret;
        ╰────
        help: expected an address of an allocation; those next to it: 0x10000000 to 0x10000010"#]].assert_eq(&shown("", &format!("{ONE}\n@%p0 st.global.u32 [%b+64], %t;")));
    expect![[r#"
        × kernel `k`, block (1, 2, 3), thread (3, 2, 1): a trap
        ╭─[test.ptx:25:6]
        24 │     setp.eq.u32 %p0, %t, 321123;
        25 │ @%p0 trap;
        ·      ──┬─
        ·        ╰── here
        26 │ ret;
        ╰────
        help: expected none to be reached"#]]
    .assert_eq(&shown("", &format!("{ONE}\n@%p0 trap;")));
}

#[test]
fn a_fault_in_a_function_shows_its_line() {
    let items = ".func f(.param .b64 at)
{
    .reg .b64 %d;
    .reg .b32 %r;
    ld.param.u64 %d, [at];
    ld.u32 %r, [%d];
    ret;
}";
    let body = format!(
        "{ONE}
{{ .param .b64 at;
st.param.b64 [at], %b;
@%p0 call f, (at); }}"
    );
    expect![[r#"
        × kernel `k`, block (1, 2, 3), thread (3, 2, 1): a load of 4 bytes at 0x0 is outside of what was
        │ allocated
        ╭─[test.ptx:9:5]
        8 │     ld.param.u64 %d, [at];
        9 │     ld.u32 %r, [%d];
        ·     ───────┬───────
        ·            ╰── here
        10 │     ret;
        ╰────
        help: expected an address of an allocation; those next to it: 0x10000000 to 0x10000010"#]].assert_eq(&shown(items, &body));
}

#[test]
fn calls_within_one_another_come_to_an_end() {
    let items = ".func f()\n{\n    call f;\n    ret;\n}";
    expect![[r#"
        × kernel `k`, block (1, 2, 3), thread (3, 2, 1): 512 calls within one another are too many
        ╭─[test.ptx:6:5]
        5 │ {
        6 │     call f;
        ·     ───┬──
        ·        ╰── here
        7 │     ret;
        ╰────
        help: expected fewer calls, or less local memory"#]]
    .assert_eq(&shown(items, &format!("{ONE}\n@%p0 call f;")));
    let items = ".func f()\n{\n    .local .b8 own[65536];\n    call f;\n    ret;\n}";
    expect![[r#"
        × kernel `k`, block (1, 2, 3), thread (3, 2, 1): 9 calls within one another are too many
        ╭─[test.ptx:7:5]
        6 │     .local .b8 own[65536];
        7 │     call f;
        ·     ───┬──
        ·        ╰── here
        8 │     ret;
        ╰────
        help: expected fewer calls, or less local memory"#]]
    .assert_eq(&shown(items, &format!("{ONE}\n@%p0 call f;")));
}

#[test]
fn a_call_must_reach_a_function() {
    let body = "prototype: .callprototype _ ();\ncall %b, prototype;";
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a call of 0x0, where no function is"]
        .assert_eq(&wrong("", body));
}

#[test]
fn offsets_go_round_at_the_ends_of_the_addresses() {
    // `x` lies behind the kernel's own parameters.
    let body = "{ .param .b64 x; st.param.b64 [x+9223372036854775800], %a; }";
    expect!["kernel `k`, block (0, 0, 0), thread (0, 0, 0): a store of 8 bytes at 0x8 writes what is constant"].assert_eq(&wrong("", body));
}
