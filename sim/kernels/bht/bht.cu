// The forces of Barnes and Hut's n-body simulation (Nature 1986), one thread a body: the fifth
// kernel of M. Burtscher and K. Pingali, An Efficient CUDA Implementation of the Tree-Based Barnes
// Hut n-Body Algorithm (GPU Computing Gems, 2011). A cell that is far from the body acts as a mass
// in its centre; one that is near is opened: the walk goes on with its children, or, at a leaf, all
// bodies of the cell are summed.
//
// Under CDP and DTBL a child sums the bodies of an opened leaf of more than `threshold` bodies, one
// thread a body and `child_block` threads a block. Flat, the thread does it itself.
//
// Cells lie in depth-first order, bodies in that of their leaves, as the paper's fourth kernel sorts
// them. What a body or a cell adds to an acceleration is rounded to a multiple of 1 / BHT_SCALE, so
// that sums are exact, and any order of execution gives the same ones.
#include "blockyard.h"

// The square of the length by which distances are softened.
#define BHT_SOFTENING 0.0025f
#define BHT_SCALE 8388608.0f

// An acceleration in parts of BHT_SCALE, in two's complement.
struct BhtPull {
    uint32_t x, y, z;
};

// From `on` to `from`, and the softened square of their distance.
struct BhtWay {
    float x, y, z, squared;
};

static __device__ __forceinline__ BhtWay bht_way(float4 on, float4 from) {
    float x = from.x - on.x, y = from.y - on.y, z = from.z - on.z;
    return {x, y, z, fmaf(x, x, fmaf(y, y, fmaf(z, z, BHT_SOFTENING)))};
}

// Adds what a mass pulls from there.
static __device__ __forceinline__ void bht_add(BhtPull &pull, BhtWay way, float mass) {
    float inverse = rsqrtf(way.squared);
    float factor = mass * BHT_SCALE * inverse * inverse * inverse;
    pull.x += __float2int_rn(way.x * factor);
    pull.y += __float2int_rn(way.y * factor);
    pull.z += __float2int_rn(way.z * factor);
}

static __device__ __forceinline__ void bht_give(uint32_t *accelerations, uint32_t body,
                                                BhtPull pull) {
    atomicAdd(&accelerations[3 * body], pull.x);
    atomicAdd(&accelerations[3 * body + 1], pull.y);
    atomicAdd(&accelerations[3 * body + 2], pull.z);
}

#if BLOCKYARD_LAUNCH
// One thread a body of the leaf `cell`; a warp adds up what its lanes have.
extern "C" __global__ void bht_sum(const float4 *__restrict__ bodies,
                                   const uint4 *__restrict__ shapes, uint32_t *accelerations,
                                   uint32_t body, uint32_t cell) {
    uint4 shape = __ldg(&shapes[cell]);
    uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
    BhtPull pull = {0, 0, 0};
    if (at < shape.w) {
        float4 from = __ldg(&bodies[shape.z + at]);
        bht_add(pull, bht_way(__ldg(&bodies[body]), from), from.w);
    }
#pragma unroll
    for (uint32_t step = 16; step != 0; step /= 2) {
        uint32_t x = __shfl_down(pull.x, step);
        uint32_t y = __shfl_down(pull.y, step);
        uint32_t z = __shfl_down(pull.z, step);
        // The last warp may have fewer lanes.
        if (threadIdx.x + step < blockDim.x) pull = {pull.x + x, pull.y + y, pull.z + z};
    }
    if (threadIdx.x % 32 == 0) bht_give(accelerations, body, pull);
}
#endif

// bodies[b] and centres[c]: x, y, z, mass. shapes[c]: the softened square of the distance from which
// on the cell acts as one mass, as bits of a float; the cell that follows when this one's are passed
// over; of a leaf, its first body and their number, which is 0 for other cells.
extern "C" __global__ void bht(const float4 *__restrict__ bodies, const float4 *__restrict__ centres,
                               const uint4 *__restrict__ shapes, uint32_t *accelerations,
                               uint32_t count, uint32_t cells, uint32_t threshold,
                               uint32_t child_block) {
    uint32_t body = blockIdx.x * blockDim.x + threadIdx.x;
    if (body >= count) return;
    float4 on = __ldg(&bodies[body]);
    BhtPull pull = {0, 0, 0};
#pragma unroll 1
    for (uint32_t cell = 0; cell < cells;) {
        float4 centre = __ldg(&centres[cell]);
        uint4 shape = __ldg(&shapes[cell]);
        BhtWay way = bht_way(on, centre);
        uint32_t here = cell;
        cell = shape.y;
        if (way.squared >= __uint_as_float(shape.x)) {
            bht_add(pull, way, centre.w);
        } else if (shape.w == 0) {
            cell = here + 1;
#if BLOCKYARD_LAUNCH
        } else if (shape.w > threshold) {
            blockyard_launch(bht_sum, (shape.w + child_block - 1) / child_block, child_block, bodies,
                             shapes, accelerations, body, here);
#endif
        } else {
#pragma unroll 1
            for (uint32_t other = shape.z; other < shape.z + shape.w; other++) {
                float4 from = __ldg(&bodies[other]);
                bht_add(pull, bht_way(on, from), from.w);
            }
        }
    }
    bht_give(accelerations, body, pull);
}
