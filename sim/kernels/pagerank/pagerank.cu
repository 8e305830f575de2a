// PageRank (Brin and Page, WWW 1998) with the two kernels of Pannotia (Che and others, IISWC 2013):
// in each iteration `pagerank1` adds to what the targets of a vertex get equal shares of its rank,
// and `pagerank2` makes that the rank of the next iteration, damped. What a vertex without edges
// has is lost, as there.
//
// Ranks are fixed-point numbers, parts of 2^32, where Pannotia has floats: atomic additions of
// words give the same sum in any order. All together are less than 2^32.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block (DTBL, section 5.1), which gets the vertex
// and loads its rank and the bounds of its row itself (LaPerm, section III-A).
#include "blockyard.h"

// 0.85 of a rank, and 0.15 of 2^32.
#define DAMPING 0xd999999au
#define REST 0x26666666u

#if BLOCKYARD_LAUNCH
extern "C" __global__ void pagerank1_expand(const uint32_t *__restrict__ offsets,
                                            const uint32_t *__restrict__ columns,
                                            const uint32_t *__restrict__ ranks,
                                            uint32_t *__restrict__ next, uint32_t vertex) {
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
    uint32_t edge = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= end) return;
    atomicAdd(&next[__ldg(&columns[edge])], __ldg(&ranks[vertex]) / (end - begin));
}
#endif

extern "C" __global__ void pagerank1(const uint32_t *__restrict__ offsets,
                                     const uint32_t *__restrict__ columns,
                                     const uint32_t *__restrict__ ranks,
                                     uint32_t *__restrict__ next, uint32_t vertices, uint32_t round,
                                     uint32_t threshold, uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices) return;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        blockyard_launch(pagerank1_expand, blocks, child_block, offsets, columns, ranks, next,
                         vertex);
        return;
    }
#endif
    if (begin == end) return;
    uint32_t share = __ldg(&ranks[vertex]) / (end - begin);
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++) atomicAdd(&next[__ldg(&columns[edge])], share);
}

extern "C" __global__ void pagerank2(uint32_t *__restrict__ ranks, uint32_t *__restrict__ next,
                                     uint32_t vertices, uint32_t round) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices) return;
    ranks[vertex] = REST / vertices + __umulhi(next[vertex], DAMPING);
    next[vertex] = 0;
}
