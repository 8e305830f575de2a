// What European calls are worth, by the mean of what they pay on many paths of the price: MC of
// CLASO's Table 2, whose grids are those of NVIDIA's SDK (P. Boyle, Options: A Monte Carlo
// Approach, J. Financial Economics 1977).
//
// `montecarlo_samples` makes the same normal numbers for all options: van der Corput's sequence in
// base 2, through B. Moro's inverse of the normal distribution (The Full Monte, Risk 1995).
// `montecarlo_calls` has a block an option: threads take the paths in turn, and a tree in shared
// memory sums up what they have found. Products whose sums are not joined by hand are __fmul_rn.
#include "blockyard.h"

#define THREADS 256

BLOCKYARD_FUNCTION float montecarlo_inverse(float part) {
    float middle = part - 0.5f;
    if (fabsf(middle) < 0.42f) {
        float square = __fmul_rn(middle, middle);
        float above = fmaf(square, -25.44106049637f, 41.39119773534f);
        above = fmaf(square, above, -18.61500062529f);
        above = fmaf(square, above, 2.50662823884f);
        float below = fmaf(square, 3.13082909833f, -21.06224101826f);
        below = fmaf(square, below, 23.08336743743f);
        below = fmaf(square, below, -8.47351093090f);
        below = fmaf(square, below, 1.0f);
        return __fdividef(__fmul_rn(middle, above), below);
    }
    float tail = middle > 0.0f ? 1.0f - part : part;
    float far = __logf(-__logf(tail));
    float sum = fmaf(far, 0.0000003960315187f, 0.0000002888167364f);
    sum = fmaf(far, sum, 0.0000321767881768f);
    sum = fmaf(far, sum, 0.0003951896511919f);
    sum = fmaf(far, sum, 0.0038405729373609f);
    sum = fmaf(far, sum, 0.0276438810333863f);
    sum = fmaf(far, sum, 0.1607979714918209f);
    sum = fmaf(far, sum, 0.9761690190917186f);
    sum = fmaf(far, sum, 0.3374754822726147f);
    return middle > 0.0f ? sum : -sum;
}

extern "C" __global__ void montecarlo_samples(float *__restrict__ samples, unsigned count) {
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count;
         at += gridDim.x * blockDim.x) {
        // In the middle of one of 2^23 parts: neither 0 nor 1.
        float part = (float)(__brev(at) >> 8 | 1) * (1.0f / (1 << 24));
        samples[at] = montecarlo_inverse(part);
    }
}

// An option is its price, its strike, and mean and deviation of the price's logarithm at its end.
// Of what it pays on all paths the sum is left, and that of the squares.
extern "C" __global__ void montecarlo_calls(const float4 *__restrict__ options,
                                            const float *__restrict__ samples,
                                            float2 *__restrict__ results, unsigned paths) {
    __shared__ float sums[THREADS], squares[THREADS];
    float4 option = options[blockIdx.x];
    float sum = 0.0f, square = 0.0f;
    for (unsigned path = threadIdx.x; path < paths; path += THREADS) {
        float grown = __expf(fmaf(option.w, samples[path], option.z));
        float pays = fmaxf(fmaf(option.x, grown, -option.y), 0.0f);
        sum += pays;
        square = fmaf(pays, pays, square);
    }
    sums[threadIdx.x] = sum;
    squares[threadIdx.x] = square;
    for (unsigned width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) {
            sums[threadIdx.x] += sums[threadIdx.x + width];
            squares[threadIdx.x] += squares[threadIdx.x + width];
        }
    }
    if (threadIdx.x == 0) results[blockIdx.x] = make_float2(sums[0], squares[0]);
}
