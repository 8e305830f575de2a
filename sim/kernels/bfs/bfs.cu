// Breadth-first search level by level, one thread a vertex, driven by topology (Harish and
// Narayanan, HiPC 2007). The host launches the next level as long as `changed` is set, which it
// clears before each.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block (DTBL, sections 3.1 and 5.1). Any order of
// execution gives the same levels: a launch writes only `depth + 1`, and only over UNVISITED. The
// graph is loaded by __ldg, since the compiler does so by itself only where no pointer to it goes
// to a child.
#include "blockyard.h"

#define UNVISITED 0xffffffffu

static __device__ __forceinline__ void visit(uint32_t target, uint32_t *levels, uint32_t *changed,
                                             uint32_t depth) {
    if (levels[target] != UNVISITED) return;
    levels[target] = depth + 1;
    *changed = 1;
}

#if BLOCKYARD_LAUNCH
extern "C" __global__ void bfs_expand(const uint32_t *__restrict__ columns, uint32_t *levels,
                                      uint32_t *changed, uint32_t begin, uint32_t end,
                                      uint32_t depth) {
    uint32_t edge = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge < end) visit(__ldg(&columns[edge]), levels, changed, depth);
}
#endif

extern "C" __global__ void bfs(const uint32_t *__restrict__ offsets,
                               const uint32_t *__restrict__ columns, uint32_t *levels,
                               uint32_t *changed, uint32_t vertices, uint32_t depth,
                               uint32_t threshold, uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || levels[vertex] != depth) return;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        blockyard_launch(bfs_expand, blocks, child_block, columns, levels, changed, begin, end,
                         depth);
        return;
    }
#endif
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++)
        visit(__ldg(&columns[edge]), levels, changed, depth);
}
