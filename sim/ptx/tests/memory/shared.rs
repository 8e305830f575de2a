//! Shared memory: what kernels and functions declare, and what a launch adds.

use super::{left_by, module};
use crate::support;
use blockyard_contract::port::Dim3;
use blockyard_ptx::{Arguments, Launch};

/// What one block leaves in `words` words from `%a` on; its launch adds `bytes` bytes.
fn left_with(bytes: u32, items: &str, body: &str, words: usize) -> Vec<u32> {
    let machine = support::machine(&module(items, body));
    let at = machine.array(&vec![0; words]).unwrap();
    let launch = Launch {
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(1, 1, 1),
        shared_memory: bytes,
        parameters: Arguments::new().long(at).long(0).into_bytes(),
    };
    if let Err(error) = support::run_launch(&machine, "k", launch) {
        panic!("{}", blockyard_contract::diagnostic::rendered(&error));
    }
    machine.words(at, words as u64).unwrap()
}

#[test]
fn variables_of_the_module_and_the_kernel_are_apart() {
    let body = ".shared .align 8 .b32 own[2];
        mov.u32 %r0, 1;
        mov.u32 %r1, 2;
        mov.u32 %r2, 3;
        st.shared.u32 [first+4], %r0;
        st.shared.u32 [second], %r1;
        st.shared.v2.u32 [own], {%r2, %r2};
        ld.shared.u32 %r3, [first+4];
        ld.shared.u32 %r4, [second];
        ld.shared.u32 %r5, [own+4];
        st.global.v4.u32 [%a], {%r3, %r4, %r5, %r5};";
    let items = ".shared .b32 first[2];\n.shared .align 16 .b32 second;";
    assert_eq!(left_by(1, items, body, 4), [1, 2, 3, 3]);
}

#[test]
fn shared_memory_is_the_blocks_own() {
    let text = module(
        ".shared .b32 count;",
        "mov.u64 %d0, count;
        cvta.shared.u64 %d0, %d0;
        atom.add.u32 %r0, [%d0], 1;
        bar.sync 0;
        ld.shared.u32 %r0, [count];
        mov.u32 %r1, %ctaid.x;
        mad.wide.u32 %a, %r1, 4, %a;
        st.global.u32 [%a], %r0;",
    );
    let machine = support::machine(&text);
    let at = machine.array(&[0; 3]).unwrap();
    support::run(&machine, "k", (3, 50), Arguments::new().long(at).long(0)).unwrap();
    assert_eq!(machine.words(at, 3).unwrap(), [50; 3]);
}

#[test]
fn what_a_launch_adds_lies_behind_the_kernels_own() {
    for align in [4, 16, 128] {
        let items = format!(".extern .shared .align {align} .b32 added[];\n.shared .b32 first;");
        let body = format!(
            ".shared .b32 own[3];
            mov.u32 %r0, 1;
            mov.u32 %r1, 2;
            mov.u32 %r2, 3;
            st.shared.u32 [first], %r0;
            st.shared.u32 [own+8], %r1;
            st.shared.u32 [added], %r2;
            st.shared.u32 [added+60], %r2;
            ld.shared.u32 %r3, [first];
            ld.shared.u32 %r4, [own+8];
            ld.shared.u32 %r5, [added];
            mov.u32 %r6, added;
            rem.u32 %r6, %r6, {align};
            st.global.v4.u32 [%a], {{%r3, %r4, %r5, %r6}};"
        );
        assert_eq!(left_with(64, &items, &body, 4), [1, 2, 3, 0], "{align}");
    }
}

#[test]
fn functions_find_what_a_launch_adds_where_the_kernel_does() {
    let items = ".extern .shared .align 4 .b32 added[];
        .func put()
        {
        .reg .b32 %r;
        mov.u32 %r, 9;
        st.shared.u32 [added+4], %r;
        ret;
        }
        .func more()
        {
        .shared .b32 static[5];
        .reg .b32 %r;
        mov.u32 %r, 8;
        st.shared.u32 [static+16], %r;
        ret;
        }";
    let body = ".shared .b32 own[9];
        mov.u32 %r0, 1;
        st.shared.u32 [own+4], %r0;
        call put;
        call more;
        ld.shared.u32 %r1, [own+4];
        ld.shared.u32 %r2, [added+4];
        st.global.v2.u32 [%a], {%r1, %r2};";
    assert_eq!(left_with(8, items, body, 2), [1, 9]);
}

#[test]
fn the_bytes_that_a_launch_adds_are_known() {
    let items = ".extern .shared .align 4 .b32 added[];";
    let body = "mov.u32 %r0, %dynamic_smem_size;
        mov.u32 %r1, added;
        st.global.v2.u32 [%a], {%r0, %r1};";
    assert_eq!(left_with(12, items, body, 2), [12, 0]);
}
