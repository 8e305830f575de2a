// The dyadic convolution of a signal with a filter, by fast Walsh-Hadamard transforms (J. L.
// Shanks, Computation of the Fast Walsh-Fourier Transform, IEEE Trans. Computers 1969): FWT of
// CLASO's Table 2, whose launches are those of NVIDIA's SDK.
//
// Two steps of a transform at a time: a thread loads four values that are `stride` apart, and
// stores their sums and differences. Where four are farther apart than a tile the host launches
// `walsh_strided` for each two steps; `walsh_tile` does the rest of them in shared memory.
#include "blockyard.h"

#define TILE 2048

// Two steps on the values at `at`, `at + stride`, `at + 2 * stride` and `at + 3 * stride`.
BLOCKYARD_FUNCTION void walsh_two_steps(float *values, unsigned at, unsigned stride) {
    float a = values[at], b = values[at + stride];
    float c = values[at + 2 * stride], d = values[at + 3 * stride];
    float sum_even = a + c, sum_odd = b + d, even = a - c, odd = b - d;
    values[at] = sum_even + sum_odd;
    values[at + stride] = sum_even - sum_odd;
    values[at + 2 * stride] = even + odd;
    values[at + 3 * stride] = even - odd;
}

// `stride` is a power of two, and there is a thread for every four values.
extern "C" __global__ void walsh_strided(float *values, unsigned stride) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned low = thread & (stride - 1);
    walsh_two_steps(values, (thread - low) * 4 + low, stride);
}

// All steps of `size` values a block, 4 to TILE and a power of two.
extern "C" __global__ void walsh_tile(float *values, unsigned size) {
    __shared__ float tile[TILE];
    float *own = values + blockIdx.x * size;
    for (unsigned at = threadIdx.x; at < size; at += blockDim.x) tile[at] = own[at];
    unsigned stride = size / 4;
    for (; stride > 0; stride /= 4) {
        __syncthreads();
        for (unsigned four = threadIdx.x; four < size / 4; four += blockDim.x) {
            unsigned low = four & (stride - 1);
            walsh_two_steps(tile, (four - low) * 4 + low, stride);
        }
    }
    // An odd number of steps leaves one, between neighbours.
    __syncthreads();
    if (__ffs(size) % 2 == 0) {
        for (unsigned pair = threadIdx.x; pair < size / 2; pair += blockDim.x) {
            float a = tile[2 * pair], b = tile[2 * pair + 1];
            tile[2 * pair] = a + b;
            tile[2 * pair + 1] = a - b;
        }
        __syncthreads();
    }
    for (unsigned at = threadIdx.x; at < size; at += blockDim.x) own[at] = tile[at];
}

extern "C" __global__ void walsh_product(float *__restrict__ values,
                                         const float *__restrict__ filter, unsigned count,
                                         float scale) {
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count;
         at += gridDim.x * blockDim.x)
        values[at] = values[at] * scale * filter[at];
}
