// The scalar products of pairs of vectors of floats: SP of CLASO's Table 2, whose grid is that of
// NVIDIA's SDK.
//
// A block takes pair after pair, as far apart as there are blocks. Products are first joined to
// ACCUMULATORS sums, of which number i takes the elements i, i + ACCUMULATORS, ...: so the threads
// of a warp load neighbours. A tree in shared memory makes one of them.
#include "blockyard.h"

#define ACCUMULATORS 1024

extern "C" __global__ void scalarprod(const float *__restrict__ a, const float *__restrict__ b,
                                      float *__restrict__ products, unsigned vectors,
                                      unsigned elements) {
    __shared__ float sums[ACCUMULATORS];
    for (unsigned vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
        unsigned first = vector * elements;
        for (unsigned slot = threadIdx.x; slot < ACCUMULATORS; slot += blockDim.x) {
            float sum = 0.0f;
            for (unsigned at = slot; at < elements; at += ACCUMULATORS)
                sum = fmaf(a[first + at], b[first + at], sum);
            sums[slot] = sum;
        }
        for (unsigned width = ACCUMULATORS / 2; width > 0; width /= 2) {
            __syncthreads();
            for (unsigned slot = threadIdx.x; slot < width; slot += blockDim.x)
                sums[slot] += sums[slot + width];
        }
        if (threadIdx.x == 0) products[vector] = sums[0];
        // The last two sums have been read when the next pair's are written.
        __syncthreads();
    }
}
