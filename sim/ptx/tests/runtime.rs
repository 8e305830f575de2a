//! What threads ask of the device's runtime: memory, printing, assertions, launches.

mod support;

use blockyard_ptx::Arguments;
use support::{complaint, kernel, left_by, machine, run};

/// What each thread of a warp leaves in its word.
fn by_lane(items: &str, body: &str) -> Vec<u32> {
    let body = format!("mad.wide.u32 %d8, %t, 4, %a;\n{body}\nst.global.u32 [%d8], %r0;\n");
    left_by(32, items, &body, 32)
}

fn expected(of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(of).collect()
}

/// The two generations of names.
const GENERATIONS: [&str; 2] = ["cuda", "__cudaCDP2"];

#[test]
fn threads_allocate_memory_of_their_own() {
    let body = ".param .b64 size, found;
        mov.u64 %d0, 8;
        st.param.b64 [size], %d0;
        call (found), malloc, (size);
        ld.param.b64 %d1, [found];
        st.u32 [%d1+4], %t;
        shfl.sync.bfly.b32 %r1, %t, 1, 31, -1;
        ld.u32 %r2, [%d1+4];
        mad.lo.u32 %r0, %r1, 100, %r2;
        st.param.b64 [size], %d1;
        call free, (size);";
    assert_eq!(by_lane("", body), expected(|t| (t ^ 1) * 100 + t));
}

#[test]
fn memory_is_given_by_pointer_copied_and_filled() {
    for cuda in GENERATIONS {
        let body = format!(
            ".local .align 8 .b64 place;
            .param .b64 p0, p1, p2, p4; .param .b32 p3, error;
            mov.u64 %d0, place;
            cvta.local.u64 %d0, %d0;
            st.param.b64 [p0], %d0;
            mov.u64 %d1, 16;
            st.param.b64 [p1], %d1;
            call (error), {cuda}Malloc, (p0, p1);
            ld.param.b32 %r1, [error];
            ld.local.u64 %d2, [place];
            st.param.b64 [p0], %d2;
            mov.u32 %r2, 0x107;
            st.param.b32 [p3], %r2;
            mov.u64 %d1, 12;
            st.param.b64 [p2], %d1;
            call (error), {cuda}MemsetAsync, (p0, p3, p2, p4);
            st.u32 [%d2], %t;
            add.u64 %d3, %d2, 8;
            st.param.b64 [p0], %d3;
            st.param.b64 [p1], %d2;
            mov.u64 %d1, 4;
            st.param.b64 [p2], %d1;
            call (error), {cuda}MemcpyAsync, (p0, p1, p2, p3, p4);
            ld.u32 %r3, [%d2+8];
            ld.u32 %r4, [%d2+4];
            ld.u32 %r5, [%d2+12];
            add.u32 %r0, %r3, %r4;
            add.u32 %r0, %r0, %r5;
            add.u32 %r0, %r0, %r1;
            st.param.b64 [p0], %d2;
            call (error), {cuda}Free, (p0);"
        );
        assert_eq!(by_lane("", &body), expected(|t| t + 0x0707_0707), "{cuda}");
    }
}

#[test]
fn a_device_says_what_every_gpu_has() {
    let ask = |attribute: u32| {
        format!(
            ".local .align 4 .b32 place;
            .param .b64 p0; .param .b32 p1, p2, error;
            mov.u64 %d0, place;
            cvta.local.u64 %d0, %d0;
            mov.u32 %r1, 77;
            st.u32 [%d0], %r1;
            st.param.b64 [p0], %d0;
            mov.u32 %r1, {attribute};
            st.param.b32 [p1], %r1;
            call (error), cudaDeviceGetAttribute, (p0, p1, p2);
            ld.param.b32 %r1, [error];
            ld.u32 %r2, [%d0];
            mad.lo.u32 %r0, %r1, 10000, %r2;"
        )
    };
    for (attribute, value) in [(1, 1024), (4, 64), (10, 32), (1000, 10_077)] {
        assert_eq!(by_lane("", &ask(attribute)), expected(|_| value), "{attribute}");
    }
    let device = ".local .align 4 .b32 place;
        .param .b64 p0; .param .b32 error;
        mov.u64 %d0, place;
        cvta.local.u64 %d0, %d0;
        st.param.b64 [p0], %d0;
        call (error), cudaGetDeviceCount, (p0);
        ld.u32 %r0, [%d0];
        call (error), cudaGetDevice, (p0);
        ld.u32 %r1, [%d0];
        add.u32 %r0, %r0, %r1;";
    assert_eq!(by_lane("", device), expected(|_| 1));
}

/// Asks how many blocks of the kernel itself an SMX holds: into `%r0`, ten thousand more for an
/// error.
fn occupancy(function: &str, threads: u32, dynamic: u32) -> String {
    let flags = if function.ends_with("WithFlags") { ", flags" } else { "" };
    format!(
        ".local .align 4 .b32 place; .param .b64 p0, p1, p3; .param .b32 p2, flags, error;
        mov.u64 %d0, place; cvta.local.u64 %d0, %d0; st.local.u32 [place], 77;
        st.param.b64 [p0], %d0;
        mov.u64 %d1, k; st.param.b64 [p1], %d1;
        st.param.b32 [p2], {threads}; st.param.b64 [p3], {dynamic}; st.param.b32 [flags], 0;
        call (error), {function}, (p0, p1, p2, p3{flags});
        ld.param.b32 %r1, [error]; ld.local.u32 %r0, [place];
        mad.lo.u32 %r0, %r1, 10000, %r0;
        st.global.u32 [%a], %r0;"
    )
}

#[test]
fn an_smx_is_asked_how_many_blocks_it_holds() {
    use blockyard_gpu::config::GpuConfig;
    // 2,048 threads, 16 blocks, 49,152 bytes of shared memory; of which the kernel has 4,096
    // itself.
    let gpu = GpuConfig::preset("k20c").unwrap();
    let smx = &gpu.smx;
    assert_eq!((smx.threads, smx.thread_block_slots, smx.shared_memory), (2048, 16, 49_152));
    let items = ".shared .align 4 .b8 own[4096];";
    let own = "mov.u32 %r5, own; st.shared.u32 [%r5], %r5;";
    for generation in GENERATIONS {
        for flags in ["", "WithFlags"] {
            let function = format!("{generation}OccupancyMaxActiveBlocksPerMultiprocessor{flags}");
            for (threads, dynamic, blocks) in [
                (1024, 0, 2),
                (1000, 0, 2),
                (256, 0, 8),
                (32, 0, 12),
                (32, 12_288, 3),
                (32, 1 << 20, 0),
                (0, 0, 10_077),
                (2000, 0, 10_077),
            ] {
                let body = format!("{own}{}", occupancy(&function, threads, dynamic));
                let machine = machine(&kernel(items, &body));
                machine.set_gpu(&gpu);
                let at = machine.array(&[0]).unwrap();
                run(&machine, "k", (1, 1), Arguments::new().long(at).long(0)).unwrap();
                assert_eq!(
                    machine.words(at, 1).unwrap(),
                    [blocks],
                    "{function} {threads} {dynamic}"
                );
            }
        }
    }
    let body = occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessor", 32, 0);
    let said = complaint(&kernel("", &body), "k", 1, Arguments::new().long(0).long(0));
    assert!(said.contains("there is no GPU"), "{said}");
}

#[test]
fn a_device_says_what_its_smxs_have_where_they_are_known() {
    let gpu = blockyard_gpu::config::GpuConfig::preset("k20c").unwrap();
    for (attribute, value) in [(16, 13), (39, 2048), (81, 49_152), (82, 65_536), (106, 16)] {
        let body = format!(
            ".local .align 4 .b32 place; .param .b64 p0; .param .b32 p1, p2, error;
            mov.u64 %d0, place; cvta.local.u64 %d0, %d0; st.param.b64 [p0], %d0;
            st.param.b32 [p1], {attribute}; st.param.b32 [p2], 0; st.local.u32 [place], 77;
            call (error), cudaDeviceGetAttribute, (p0, p1, p2);
            ld.param.b32 %r1, [error]; ld.local.u32 %r0, [place];
            mad.lo.u32 %r0, %r1, 10000, %r0; st.global.u32 [%a], %r0;"
        );
        for (known, expected) in [(true, value), (false, 10_077)] {
            let machine = machine(&kernel("", &body));
            if known {
                machine.set_gpu(&gpu);
            }
            let at = machine.array(&[0]).unwrap();
            run(&machine, "k", (1, 1), Arguments::new().long(at).long(0)).unwrap();
            assert_eq!(machine.words(at, 1).unwrap(), [expected], "{attribute} {known}");
        }
    }
}

#[test]
fn only_what_was_given_can_be_given_back() {
    let body = ".param .b64 p; st.param.b64 [p], %b; call free, (p);";
    let said = complaint(&kernel("", body), "k", 1, Arguments::new().long(0).long(0x1234));
    assert!(said.contains("`free` of 0x1234, which `malloc` has not given"), "{said}");
}

#[test]
fn threads_print_one_after_the_other() {
    let items =
        ".global .align 1 .b8 text[13] = {37, 100, 32, 37, 115, 32, 37, 46, 49, 102, 10, 0};
        .global .align 1 .b8 word[3] = {104, 105, 0};";
    let body = ".local .align 8 .b8 list[24];
        .param .b64 format, arguments; .param .b32 count;
        .reg .f64 %f;
        mov.u64 %d0, list;
        cvta.local.u64 %d0, %d0;
        st.u32 [%d0], %t;
        mov.u64 %d1, word;
        st.u64 [%d0+8], %d1;
        cvt.rn.f64.u32 %f, %t;
        st.f64 [%d0+16], %f;
        mov.u64 %d1, text;
        st.param.b64 [format], %d1;
        st.param.b64 [arguments], %d0;
        setp.lt.u32 %p0, %t, 3;
        @%p0 call (count), vprintf, (format, arguments);";
    let machine = machine(&kernel(items, body));
    run(&machine, "k", (1, 32), Arguments::new().long(0).long(0)).unwrap();
    assert_eq!(machine.take_printed(), "0 hi 0.0\n1 hi 1.0\n2 hi 2.0\n");
}

#[test]
fn an_assertion_that_fails_ends_the_run_with_its_place() {
    let items = ".global .align 1 .b8 said[5] = {97, 62, 98, 0};
        .global .align 1 .b8 file[5] = {102, 46, 99, 117, 0};
        .global .align 1 .b8 of[2] = {103, 0};";
    let pass = "mov.u64 %d0, said; st.param.b64 [p0], %d0;
        mov.u64 %d0, file; st.param.b64 [p1], %d0;
        mov.u32 %r0, 12; st.param.b32 [p2], %r0;
        mov.u64 %d0, of; st.param.b64 [p3], %d0;
        setp.eq.u32 %p0, %t, 5;";
    let declared = ".param .b64 p0, p1, p3, p4; .param .b32 p2;";
    for call in ["__assertfail, (p0, p1, p2, p3, p4)", "__assert_fail, (p0, p1, p2, p3)"] {
        let body = format!("{declared}{pass}@%p0 call {call};");
        let said = complaint(&kernel(items, &body), "k", 32, Arguments::new().long(0).long(0));
        assert!(
            said.contains("thread (5, 0, 0): the assertion `a>b` fails (f.cu:12, g)"),
            "{said}"
        );
    }
}

/// A kernel that adds its parameter to a word.
const CHILD: &str = ".visible .entry child(.param .u64 at, .param .u32 more)
    {
    .reg .u64 %a; .reg .u32 %m, %o;
    ld.param.u64 %a, [at];
    ld.param.u32 %m, [more];
    red.global.add.u32 [%a], %m;
    ret;
    }";

/// Launches `child` over 2 blocks of 3 threads with the lane's word and 100 times its number.
fn launch(cuda: &str) -> String {
    format!(
        ".param .b64 function; .param .align 4 .b8 grid[12]; .param .align 4 .b8 block[12];
        .param .b32 shared; .param .b64 buffer, stream; .param .b32 error;
        mov.u64 %d0, child;
        st.param.b64 [function], %d0;
        mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 0;
        st.param.b32 [grid], %r2; st.param.b32 [grid+4], %r1; st.param.b32 [grid+8], %r1;
        st.param.b32 [block], %r3; st.param.b32 [block+4], %r1; st.param.b32 [block+8], %r1;
        st.param.b32 [shared], %r4;
        call (buffer), {cuda}GetParameterBufferV2, (function, grid, block, shared);
        ld.param.b64 %d1, [buffer];
        st.u64 [%d1], %d8;
        mul.lo.u32 %r5, %t, 100;
        st.u32 [%d1+8], %r5;
        st.param.b64 [buffer], %d1;
        mov.u64 %d2, 0;
        st.param.b64 [stream], %d2;
        call (error), {cuda}LaunchDeviceV2, (buffer, stream);
        ld.param.b32 %r6, [error];"
    )
}

#[test]
fn threads_launch_kernels_and_wait_for_them() {
    for cuda in GENERATIONS {
        let body = format!(
            "st.global.u32 [%d8], %t;
            {}
            call (error), {cuda}DeviceSynchronize;
            ld.global.u32 %r0, [%d8];
            add.u32 %r0, %r0, %r6;",
            launch(cuda)
        );
        assert_eq!(by_lane(CHILD, &body), expected(|t| t + 6 * 100 * t), "{cuda}");
    }
}

#[test]
fn what_is_copied_comes_behind_what_was_launched() {
    // The copy of the word to where it is: what the children leave, not what was there.
    let body = format!(
        "st.global.u32 [%d8], %t;
        {}
        .param .b64 to, from, bytes; .param .b32 kind;
        .local .align 4 .b32 copied;
        mov.u64 %d3, copied;
        cvta.local.u64 %d3, %d3;
        st.param.b64 [to], %d3;
        st.param.b64 [from], %d8;
        mov.u64 %d4, 4;
        st.param.b64 [bytes], %d4;
        st.param.b32 [kind], %r4;
        call (error), cudaMemcpyAsync, (to, from, bytes, kind, stream);
        ld.u32 %r0, [%d3];",
        launch("cuda")
    );
    assert_eq!(by_lane(CHILD, &body), expected(|t| t + 6 * 100 * t));
}

#[test]
fn a_launch_without_threads_or_with_too_many_is_an_error_and_no_fault() {
    let body = launch("cuda").replace("mov.u32 %r3, 3;", "mov.u32 %r3, 2000;");
    let body = format!("{body}\nmov.u32 %r0, %r6;");
    assert_eq!(by_lane(CHILD, &body), expected(|_| 9));
}

#[test]
fn there_is_a_buffer_for_as_many_parameters_as_a_kernel_may_have() {
    let asks_for = |bytes: u64| {
        format!(
            ".param .b64 alignment, bytes, found;
            mov.u64 %d0, {bytes};
            st.param.b64 [alignment], %d0;
            st.param.b64 [bytes], %d0;
            call (found), cudaGetParameterBuffer, (alignment, bytes);
            ld.param.b64 %d1, [found];
            set.ne.u32.u64 %r0, %d1, 0;"
        )
    };
    assert_eq!(by_lane("", &asks_for(32_764)), [u32::MAX; 32]);
    for bytes in [1 << 32, u64::MAX] {
        let said =
            complaint(&kernel("", &asks_for(bytes)), "k", 1, Arguments::new().long(0).long(0));
        assert!(said.contains(&format!("no memory for {bytes} bytes")), "{said}");
    }
}
