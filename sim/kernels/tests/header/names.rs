//! Floats of 16 bits, and what kernels of public suites call by other names.

use crate::{left, left_by};

#[test]
fn halves_are_added_multiplied_compared_and_rounded() {
    let source = r#"
#include <cuda_fp16.h>
    extern "C" __global__ void k(float *out) {
        half a = __float2half(1.5f), b = half(0.25f);
        half2 two = __floats2half2_rn(3.0f, -4.0f), same = __half2half2(b);
        a += b;
        out[0] = a;
        out[1] = __half2float(a * b - b);
        out[2] = __hfma(a, b, __hneg(b));
        out[3] = __low2float(two * same) + 100 * __high2float(__hfma2(two, same, two));
        out[4] = half(1.0f) / half(3.0f);
        out[5] = __hlt(a, b) + 10 * __hgt(a, b) + 100 * (a == a);
        out[6] = half(70000.0f);
        out[7] = half(2049.0f);
        out[8] = half(-3) + half(0.5);
    }
    "#;
    let Some(words) = left(source, 9) else { return };
    let given: Vec<f32> = words.into_iter().map(f32::from_bits).collect();
    // 1/3 is 1365 of 4096ths; beyond 65504 there is no number; of 2049 the even neighbour is 2048.
    let expected =
        [1.75, 0.1875, 0.1875, -499.25, 1365.0 / 4096.0, 110.0, f32::INFINITY, 2048.0, -2.5];
    assert_eq!(given, expected);
}

#[test]
fn dependents_and_blocks_that_have_not_started_have_names() {
    let source = r#"
        extern "C" __global__ void k(unsigned *out) {
            __shared__ blockyard_question question;
            cudaTriggerProgrammaticLaunchCompletion();
            cudaGridDependencySynchronize();
            if (threadIdx.x == 0) question.prepare();
            __syncthreads();
            dim3 block(7, 8, 9);
            for (unsigned round = 0; round < 3; round++) {
                if (threadIdx.x == 0) question.ask();
                out[4 * threadIdx.x + round] = question.answer(round, block);
                __syncthreads();
            }
            out[4 * threadIdx.x + 3] = block.x + block.y + block.z + 5;
        }
    "#;
    let Some(words) = left_by(40, source, 160, |_| Vec::new()) else { return };
    // It is the only block.
    assert_eq!(words, [0, 0, 0, 5].repeat(40));
}

#[test]
fn scopes_matches_and_reductions_are_there_under_their_names() {
    let source = r#"
        extern "C" __global__ void k(unsigned *out) {
            unsigned t = threadIdx.x, all = 0xffffffff;
            int same;
            out += 2;
            atomicAdd_system(out - 2, 3);
            atomicMax_block(out - 1, t);
            out[6 * t] = __match_any_sync(all, t / 8);
            out[6 * t + 1] = __match_any_sync(all, (double)(t % 2));
            out[6 * t + 2] = __match_all_sync(all, 7, &same) + same;
            out[6 * t + 3] = __match_all_sync(all, t, &same) + same;
            out[6 * t + 4] = __reduce_add_sync(all, t) + 1000 * __reduce_max_sync(all, (int)t - 5);
            volatile double third = 3.0, half = 2.5;
            out[6 * t + 5] = lrint(half) + 10 * lround(half) + 100 * __double2int_ru(1 / third)
                + 1000 * (__drcp_rn(third) == 1.0 / 3.0)
                + 10000 * (__hiloint2double(__double2hiint(half), __double2loint(half)) == half);
        }
    "#;
    let Some(words) = left_by(32, source, 2 + 6 * 32, |_| Vec::new()) else { return };
    assert_eq!(words[..2], [96, 31]);
    for (t, own) in (0..).zip(words[2..].chunks(6)) {
        let ninth = 0xff << (t / 8 * 8);
        let parity = if t % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa };
        let all = [ninth, parity, 0, 0, 496 + 26 * 1000, 2 + 30 + 100 + 1000 + 10000];
        assert_eq!(own, all, "thread {t}");
    }
}
