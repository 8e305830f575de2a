//! CUDA C that no kernel of the folder has, compiled with `blockyard.h` and run.

mod header {
    mod groups;
    mod names;
    mod textures;
}
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use blockyard_contract::port::Dim3;
use blockyard_ptx::{functional, Arguments, Launch, Machine};
use support::{folder, succeed, tool};

/// What one thread of the kernel `k(unsigned *out)` in `source` leaves in `words` words, unless
/// there is no clang.
fn left(source: &str, words: usize) -> Option<Vec<u32>> {
    left_by(1, source, words, |_| Vec::new())
}

/// What `threads` threads of `k(unsigned *out, ...)` leave there; `others` says what it takes
/// beside that.
fn left_by(
    threads: u32,
    source: &str,
    words: usize,
    others: impl Fn(&Machine) -> Vec<u64>,
) -> Option<Vec<u32>> {
    let runs = |clang: &Path| Command::new(clang).arg("--version").output().is_ok();
    let clang = tool(&["clang-16", "clang"], runs)?;
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("k.cu");
    fs::write(&file, source).expect("the source is written");
    let mut command = Command::new(clang);
    command.current_dir(folder());
    command.args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"]);
    command.args(["--cuda-gpu-arch=sm_35", "-O2", "-S", "-I", "include", "-I", "include/cuda"]);
    command.args(["-include", "blockyard.h", "-o", "-"]);
    let ptx = succeed(command.arg(&file));
    let machine = Machine::new(blockyard_ptx::load("k.ptx", &ptx).expect("the PTX loads"));
    let at = machine.array(&vec![0; words]).expect("an array");
    let first = Arguments::new().long(at);
    let launch = Launch {
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(threads, 1, 1),
        shared_memory: 0,
        parameters: others(&machine).into_iter().fold(first, Arguments::long).into_bytes(),
    };
    let launch = machine.launch("k", launch, 0).expect("it is launched");
    functional::run(&mut vec![launch]).expect("it ends");
    Some(machine.words(at, words as u64).expect("the words"))
}

#[test]
fn functions_of_numbers_are_compiled_and_computed() {
    // Volatile: the compiler computes none of them.
    let source = r#"
        extern "C" __global__ void k(double *out) {
            volatile double two = 2.0, zero = 0.0;
            volatile float half = 0.5f;
            volatile int nine = 9;
            double sine, cosine;
            sincos(zero, &sine, &cosine);
            out[0] = exp(zero) + sine + cosine;
            out[1] = pow(two, 10);
            out[2] = pow(half, nine);
            out[3] = sqrt(nine) + cbrt(nine - 1);
            out[4] = fmod(-7.5, two);
            out[5] = hypotf(6 * half, 8 * half);
            out[6] = round(-half * 5);
            out[7] = max(half, two) + fmin(two, half);
            out[8] = log2(half);
            out[9] = atan2(zero, -two);
        }
    "#;
    let Some(words) = left(source, 20) else { return };
    let pairs = words.chunks(2).map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0]));
    let given: Vec<f64> = pairs.map(f64::from_bits).collect();
    let pi = std::f64::consts::PI;
    assert_eq!(given, [2.0, 1024.0, 1.0 / 512.0, 5.0, -1.5, 5.0, -3.0, 2.5, -1.0, pi]);
}

#[test]
fn products_and_sums_that_say_so_are_rounded_apart() {
    // (1 + 2^-12)^2 has a last bit of 2^-24, which a float of that size has not.
    let source = r#"
        extern "C" __global__ void k(float *out) {
            volatile float a = 1.0f + 1.0f / 4096, b = -1.0f;
            volatile double c = 1.0 + 1.0 / (1 << 27), d = -1.0;
            out[0] = __fmul_rn(a, a) + b;
            out[1] = __fadd_rn(a * a, b);
            out[2] = __fsub_rn(a * a, -b);
            out[3] = __dmul_rn(c, c) + d;
            out[4] = __dadd_rn(c * c, d);
            out[5] = fmaf(a, a, b);
        }
    "#;
    let Some(words) = left(source, 6) else { return };
    let given: Vec<f32> = words.into_iter().map(f32::from_bits).collect();
    let (apart, double) = (1.0 / 2048.0, 1.0 / f32::from(1_u16 << 13) / f32::from(1_u16 << 13));
    let joined = apart + 1.0 / 4096.0 / 4096.0;
    assert_eq!(given, [apart, apart, apart, double, double, joined]);
}

#[test]
fn names_that_cuda_gives_without_a_header_are_there() {
    let source = r#"
        #include <cuda.h>
        #include <cuda_runtime.h>
        #include <device_functions.h>
        #include <device_launch_parameters.h>
        #include <math_constants.h>
        extern "C" __global__ void k(uint *out) {
            uchar byte = 255;
            ushort half = 65535;
            ulong none = (ulong)NULL;
            volatile float x = CUDART_INF_F;
            out[0] = byte + half + none;
            out[1] = UINT_MAX - INT_MAX;
            out[2] = x > FLT_MAX && CUDART_INF > DBL_MAX;
        }
    "#;
    let Some(words) = left(source, 3) else { return };
    assert_eq!(words, [255 + 65535, 1 << 31, 1]);
}
