//! `run --check-shared`: races for shared memory, and reads of what nobody has written.

use super::command::Place;

/// Blocks of two warps. Each thread does `first`, comes to a barrier, loads from shared memory the
/// word of the thread 32 further, and does `last`; `%r3` is the address of its own word.
fn neighbours(place: &Place, first: &str, last: &str) {
    let module = format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n\
         .visible .entry neighbours(.param .u64 out)\n{{\n\
         .reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 words[256];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, words;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r2;\n\
         {first}\nbar.sync 0;\n\
         xor.b32 %r4, %r1, 32;\nshl.b32 %r4, %r4, 2;\nadd.s32 %r4, %r4, %r2;\n\
         ld.shared.u32 %r5, [%r4];\n{last}\n\
         ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n\
         st.global.u32 [%rd3], %r5;\nret;\n}}\n"
    );
    place.write("n.ptx", module);
    place.write(
        "n.toml",
        "[buffers]\nout = { type = \"u32\", count = 64 }\n\
         [[launch]]\ngrid = 3\nblock = 64\narguments = [\"out\"]\n",
    );
}

const STORE: &str = "st.shared.u32 [%r3], %r1;";
const TIMED: [&str; 6] = ["run", "--scheduler", "rr", "--engine", "golden", "--check-shared"];
const FUNCTIONAL: [&str; 3] = ["run", "--functional", "--check-shared"];

#[test]
fn a_race_is_reported_with_kernel_block_threads_address_and_line() {
    let place = Place::new();
    neighbours(&place, STORE, STORE);
    // Warp 0 comes to its end before warp 1 reads.
    let functional = [
        "kernel `neighbours`, block (0, 0, 0), thread (32, 0, 0): byte 0x0 of shared memory was written \
         by thread 0 and is read with no barrier between",
        "[n.ptx:18:1]",
        "expected a write before each read, and a barrier between warps",
    ];
    place.refused(&[&FUNCTIONAL[..], &["--kernel", "n.ptx"]].concat(), &functional);
    // The other warp has read when the first one writes.
    let timed = [
        "kernel `neighbours`, block (",
        "of shared memory was read by thread ",
        "and is written with no barrier between",
        "[n.ptx:19:1]",
    ];
    place.refused(&[&TIMED[..], &["--kernel", "n.ptx"]].concat(), &timed);
}

#[test]
fn a_read_of_what_nobody_has_written_is_reported() {
    let place = Place::new();
    neighbours(&place, "", "");
    for mode in [&TIMED[..], &FUNCTIONAL] {
        let args = [mode, &["--kernel", "n.ptx"]].concat();
        let what = "of shared memory is read, and nobody has written it";
        place.refused(&args, &["kernel `neighbours`, block (", what, "[n.ptx:18:1]"]);
    }
}

#[test]
fn clean_kernels_run_as_without_the_check() {
    let place = Place::new();
    neighbours(&place, STORE, "");
    let kernels = ["matmul", "reduce", "histogram", "stencil", "nested"];
    let named = kernels.map(|name| ["--workload", name]);
    for source in [&named[..], &[["--kernel", "n.ptx"]]].concat() {
        for mode in [&TIMED[..], &FUNCTIONAL] {
            let checked = place.fine(&[mode, &source].concat());
            let plain = place.fine(&[&mode[..mode.len() - 1], &source].concat());
            assert_eq!(checked.stdout, plain.stdout, "{source:?}");
        }
    }
}

#[test]
fn a_workload_without_values_in_shared_memory_is_refused() {
    let place = Place::new();
    for source in [["--workload", "ikra/small"], ["--trace", "kernelslist.g"]] {
        let args = [&TIMED[..], &source].concat();
        place
            .refused(&args, &["--check-shared does nothing here", "use --kernel or a workload in"]);
    }
}
