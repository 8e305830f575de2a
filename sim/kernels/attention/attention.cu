// out = softmax(q * k^T * scale) * v for each head, without ever holding a row of the product: the online
// softmax of Milakov and Gimelshein (arXiv:1805.02867) in the tiles of FlashAttention (Dao et al.,
// arXiv:2205.14135).
//
// Each head has `length` rows of DIM numbers in q, k, v and out. A block has TILE threads, each with the
// query of a row, whose scores, weights and sum stay in registers; tiles of TILE keys and values pass
// through shared memory. Scores are summed in ascending order by fused multiply-adds.
#include "blockyard.h"

#define DIM 32
#define TILE 64

extern "C" __global__ void attention(const float *__restrict__ q, const float *__restrict__ k,
                                     const float *__restrict__ v, float *__restrict__ out,
                                     unsigned length, float scale) {
    __shared__ float keys[TILE][DIM];
    __shared__ float values[TILE][DIM];
    unsigned head = blockIdx.y * length;
    unsigned row = blockIdx.x * TILE + threadIdx.x;
    float query[DIM], sums[DIM];
#pragma unroll
    for (unsigned d = 0; d < DIM; d++) {
        query[d] = row < length ? q[(head + row) * DIM + d] : 0.0f;
        sums[d] = 0.0f;
    }
    float most = -3.0e38f, weights = 0.0f;
#pragma unroll 1
    for (unsigned first = 0; first < length; first += TILE) {
        for (unsigned n = 0; n < DIM; n++) {
            unsigned at = threadIdx.x + TILE * n;
            bool inside = first + at / DIM < length;
            keys[at / DIM][at % DIM] = inside ? k[(head + first) * DIM + at] : 0.0f;
            values[at / DIM][at % DIM] = inside ? v[(head + first) * DIM + at] : 0.0f;
        }
        __syncthreads();
        unsigned here = length - first < TILE ? length - first : TILE;
#pragma unroll 1
        for (unsigned j = 0; j < here; j++) {
            float score = 0.0f;
#pragma unroll
            for (unsigned d = 0; d < DIM; d++) score = fmaf(query[d], keys[j][d], score);
            score = __fmul_rn(score, scale);
            float larger = fmaxf(most, score);
            float keep = __expf(most - larger);
            float weight = __expf(score - larger);
            weights = fmaf(weights, keep, weight);
#pragma unroll
            for (unsigned d = 0; d < DIM; d++)
                sums[d] = fmaf(weight, values[j][d], __fmul_rn(sums[d], keep));
            most = larger;
        }
        __syncthreads();
    }
    if (row < length) {
#pragma unroll
        for (unsigned d = 0; d < DIM; d++) out[(head + row) * DIM + d] = sums[d] / weights;
    }
}
