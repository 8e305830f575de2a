// The exclusive prefix sums of an array of words, modulo 2^32: SLA of CLASO's Table 2 (M. Harris,
// S. Sengupta, J. Owens, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, 2007).
//
// `scan_blocks` scans 2 * THREADS words a block: up a tree of sums in shared memory, and down
// again. A word after every 32 of them is left empty, so that the threads of a step meet different
// banks. Each block leaves the sum of its words, which the host scans in the same way until one
// block is left; `scan_add` then adds to each block's sums what is before it.
#include "blockyard.h"

#define THREADS 256
#define PLACE(number) ((number) + (number) / 32)

extern "C" __global__ void scan_blocks(const uint32_t *__restrict__ words,
                                       uint32_t *__restrict__ before,
                                       uint32_t *__restrict__ totals, uint32_t count) {
    __shared__ uint32_t tree[PLACE(2 * THREADS)];
    uint32_t thread = threadIdx.x;
    uint32_t first = blockIdx.x * 2 * THREADS + thread, second = first + THREADS;
    tree[PLACE(thread)] = first < count ? words[first] : 0;
    tree[PLACE(thread + THREADS)] = second < count ? words[second] : 0;
    uint32_t distance = 1;
    for (uint32_t width = THREADS; width > 0; width /= 2) {
        __syncthreads();
        if (thread < width) {
            uint32_t left = distance * (2 * thread + 1) - 1, right = left + distance;
            tree[PLACE(right)] += tree[PLACE(left)];
        }
        distance *= 2;
    }
    if (thread == 0) {
        totals[blockIdx.x] = tree[PLACE(2 * THREADS - 1)];
        tree[PLACE(2 * THREADS - 1)] = 0;
    }
    for (uint32_t width = 1; width <= THREADS; width *= 2) {
        distance /= 2;
        __syncthreads();
        if (thread < width) {
            uint32_t left = distance * (2 * thread + 1) - 1, right = left + distance;
            uint32_t sum = tree[PLACE(left)];
            tree[PLACE(left)] = tree[PLACE(right)];
            tree[PLACE(right)] += sum;
        }
    }
    __syncthreads();
    if (first < count) before[first] = tree[PLACE(thread)];
    if (second < count) before[second] = tree[PLACE(thread + THREADS)];
}

extern "C" __global__ void scan_add(uint32_t *__restrict__ before,
                                    const uint32_t *__restrict__ offsets, uint32_t count) {
    uint32_t offset = offsets[blockIdx.x];
    uint32_t first = blockIdx.x * 2 * THREADS + threadIdx.x, second = first + THREADS;
    if (first < count) before[first] += offset;
    if (second < count) before[second] += offset;
}
