// A maximal independent set in rounds (Luby, SIAM J. Comput. 1986) with the three kernels of Pannotia
// (Che and others, IISWC 2013). Each vertex has a value, no two the same. In a round `mis1` finds the
// lowest value among the undecided neighbours of an undecided vertex; `mis2` puts a vertex that is
// below it into the set and marks its neighbours; `mis3` leaves out those that are marked. The host
// launches the three again as long as `left` is set, which it clears before `mis1`, and which says
// that a vertex was undecided. Self loops change nothing: a vertex is not above itself.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block (DTBL, section 5.1), which gets the vertex
// and loads the bounds of its row itself (LaPerm, section III-A). Any order of execution gives the
// same set: what a kernel writes for other vertices than its own it does not read.
#include "blockyard.h"

#define UNDECIDED 0u
#define IN 1u
#define OUT 2u
#define NONE 0xffffffffu

// What `mis1` sees of the neighbour `target`.
static __device__ __forceinline__ uint32_t seen(uint32_t target,
                                                const uint32_t *__restrict__ values,
                                                const uint32_t *__restrict__ states) {
    return __ldg(&states[target]) == UNDECIDED ? __ldg(&values[target]) : NONE;
}

#if BLOCKYARD_LAUNCH
extern "C" __global__ void mis1_expand(const uint32_t *__restrict__ offsets,
                                       const uint32_t *__restrict__ columns,
                                       const uint32_t *__restrict__ values,
                                       const uint32_t *__restrict__ states,
                                       uint32_t *__restrict__ lowest, uint32_t vertex) {
    uint32_t edge = __ldg(&offsets[vertex]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= __ldg(&offsets[vertex + 1])) return;
    atomicMin(&lowest[vertex], seen(__ldg(&columns[edge]), values, states));
}

extern "C" __global__ void mis2_expand(const uint32_t *__restrict__ offsets,
                                       const uint32_t *__restrict__ columns,
                                       uint32_t *__restrict__ marked, uint32_t vertex) {
    uint32_t edge = __ldg(&offsets[vertex]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= __ldg(&offsets[vertex + 1])) return;
    marked[__ldg(&columns[edge])] = 1;
}
#endif

extern "C" __global__ void mis1(const uint32_t *__restrict__ offsets,
                                const uint32_t *__restrict__ columns,
                                const uint32_t *__restrict__ values,
                                const uint32_t *__restrict__ states, uint32_t *__restrict__ lowest,
                                uint32_t *__restrict__ left, uint32_t vertices, uint32_t round,
                                uint32_t threshold, uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || __ldg(&states[vertex]) != UNDECIDED) return;
    *left = 1;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        lowest[vertex] = NONE;
        blockyard_launch(mis1_expand, blocks, child_block, offsets, columns, values, states, lowest,
                         vertex);
        return;
    }
#endif
    uint32_t least = NONE;
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++) {
        uint32_t value = seen(__ldg(&columns[edge]), values, states);
        least = value < least ? value : least;
    }
    lowest[vertex] = least;
}

extern "C" __global__ void mis2(const uint32_t *__restrict__ offsets,
                                const uint32_t *__restrict__ columns,
                                const uint32_t *__restrict__ values,
                                const uint32_t *__restrict__ lowest, uint32_t *__restrict__ states,
                                uint32_t *__restrict__ marked, uint32_t vertices, uint32_t round,
                                uint32_t threshold, uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || states[vertex] != UNDECIDED) return;
    if (__ldg(&values[vertex]) > __ldg(&lowest[vertex])) return;
    states[vertex] = IN;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        blockyard_launch(mis2_expand, blocks, child_block, offsets, columns, marked, vertex);
        return;
    }
#endif
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++) marked[__ldg(&columns[edge])] = 1;
}

extern "C" __global__ void mis3(const uint32_t *__restrict__ marked, uint32_t *__restrict__ states,
                                uint32_t vertices, uint32_t round) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || states[vertex] != UNDECIDED) return;
    if (marked[vertex]) states[vertex] = OUT;
}
