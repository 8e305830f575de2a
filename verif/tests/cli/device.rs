//! What threads ask of the GPU on which they run.

use super::command::Place;

/// Leaves in `out` how many blocks of 256 threads an SMX holds, and how many SMXs there are.
const MODULE: &str = ".version 6.0\n.target sm_35\n.address_size 64\n\
    .visible .entry asks(.param .u64 out)\n{\n\
    .param .b64 p0, p1, p3; .param .b32 p2, p4, p5, error;\n.reg .b64 %d<3>;\n\
    ld.param.u64 %d0, [out];\nst.param.b64 [p0], %d0;\n\
    mov.u64 %d1, asks;\nst.param.b64 [p1], %d1;\nst.param.b32 [p2], 256;\nst.param.b64 [p3], 0;\n\
    call (error), cudaOccupancyMaxActiveBlocksPerMultiprocessor, (p0, p1, p2, p3);\n\
    add.u64 %d2, %d0, 4;\nst.param.b64 [p0], %d2;\nst.param.b32 [p4], 16;\nst.param.b32 [p5], 0;\n\
    call (error), cudaDeviceGetAttribute, (p0, p4, p5);\nret;\n}\n";

/// A folder with the module, which is to leave these.
fn asking(blocks: u32, smxs: u32) -> Place {
    let place = Place::new();
    place.write("a.ptx", MODULE);
    place.write(
        "a.toml",
        format!(
            "[buffers]\nout = {{ type = \"u32\", count = 2 }}\n\
             [[launch]]\ngrid = 1\nblock = 1\narguments = [\"out\"]\n\
             [expect]\nout = {{ values = [{blocks}, {smxs}] }}\n"
        ),
    );
    place
}

#[test]
fn threads_are_answered_for_the_gpu_of_the_run() {
    for (gpu, blocks, smxs) in [("k20c", 8, 13), ("gtx480", 6, 15)] {
        let args = ["run", "--gpu", gpu, "--kernel", "a.ptx", "--scheduler", "rr"];
        asking(blocks, smxs).fine(&[&args[..], &["--engine", "golden"]].concat());
    }
}

#[test]
fn a_run_without_timing_answers_for_the_preset_that_others_have_by_default() {
    asking(8, 13).fine(&["run", "--functional", "--kernel", "a.ptx"]);
}
