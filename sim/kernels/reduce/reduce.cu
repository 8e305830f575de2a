// The sum of an array of words, modulo 2^32: a tree in shared memory with sequential addressing,
// whose first sum is taken while loading (kernel 4 of M. Harris, Optimizing Parallel Reduction in
// CUDA, NVIDIA 2007).
//
// Each block leaves the sum of 2 * blockDim.x words. The host launches the kernel again on these
// sums until one block is left. Blocks may have any number of threads up to 1024: an odd one in the
// middle waits for the next step.
#include "blockyard.h"

extern "C" __global__ void reduce(const uint32_t *__restrict__ words, uint32_t *__restrict__ sums,
                                  uint32_t count) {
    __shared__ uint32_t partial[1024];
    uint32_t thread = threadIdx.x;
    uint32_t first = blockIdx.x * blockDim.x * 2 + thread;
    uint32_t second = first + blockDim.x;
    uint32_t sum = first < count ? words[first] : 0;
    if (second < count) sum += words[second];
    partial[thread] = sum;
    __syncthreads();
#pragma unroll 1
    for (uint32_t width = blockDim.x; width > 1;) {
        uint32_t half = (width + 1) / 2;
        if (thread < width / 2) partial[thread] += partial[thread + half];
        __syncthreads();
        width = half;
    }
    if (thread == 0) sums[blockIdx.x] = partial[0];
}
