// How often each byte occurs: every block counts in shared memory and then adds its counts to those
// of the grid (V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA 2007, with one set of bins a
// block).
//
// The threads of the grid take the bytes in turn, so any grid and block will do.
#include "blockyard.h"

#define BINS 256

extern "C" __global__ void histogram(const uint8_t *__restrict__ bytes, uint32_t *__restrict__ bins,
                                     uint32_t count) {
    __shared__ uint32_t counts[BINS];
#pragma unroll 1
    for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) counts[bin] = 0;
    __syncthreads();
    uint32_t threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        atomicAdd(&counts[bytes[i]], 1u);
    __syncthreads();
#pragma unroll 1
    for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        uint32_t found = counts[bin];
        if (found != 0) atomicAdd(&bins[bin], found);
    }
}
