// Shortest paths from one vertex by Bellman and Ford's algorithm: one thread a vertex relaxes the
// edges of those vertices that are due, with an atomic minimum (Harish and Narayanan, HiPC 2007;
// the sssp of LonestarGPU: Burtscher, Nasre, Pingali, IISWC 2012). Whoever lowers a distance makes
// its vertex due in the next round, which the host launches as long as `changed` is set; it clears
// the flag before each.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block (DTBL, section 5.1), which gets the vertex
// and loads its distance and the bounds of its row itself (LaPerm, section III-A). Any order of
// execution gives the same distances; the number of rounds may differ. The graph is loaded by
// __ldg, since the compiler does so by itself only where no pointer to it goes to a child.
#include "blockyard.h"

// The largest distance: longer paths count as this long, and one more is no path.
#define FARTHEST 0xfffffffeu

static __device__ __forceinline__ void relax(uint32_t target, uint32_t distance, uint32_t weight,
                                             uint32_t *distances, uint32_t *due, uint32_t *changed,
                                             uint32_t round) {
    uint32_t sum = distance + weight;
    uint32_t length = sum < distance ? FARTHEST : min(sum, FARTHEST);
    // Most edges lower nothing: the load spares them the atomic.
    if (length >= distances[target]) return;
    if (length >= atomicMin(&distances[target], length)) return;
    due[target] = round + 1;
    *changed = 1;
}

#if BLOCKYARD_LAUNCH
extern "C" __global__ void sssp_expand(const uint32_t *__restrict__ offsets,
                                       const uint32_t *__restrict__ columns,
                                       const uint32_t *__restrict__ weights, uint32_t *distances,
                                       uint32_t *due, uint32_t *changed, uint32_t vertex,
                                       uint32_t round) {
    uint32_t edge = __ldg(&offsets[vertex]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= __ldg(&offsets[vertex + 1])) return;
    relax(__ldg(&columns[edge]), distances[vertex], __ldg(&weights[edge]), distances, due, changed,
          round);
}
#endif

extern "C" __global__ void sssp(const uint32_t *__restrict__ offsets,
                                const uint32_t *__restrict__ columns,
                                const uint32_t *__restrict__ weights, uint32_t *distances,
                                uint32_t *due, uint32_t *changed, uint32_t vertices, uint32_t round,
                                uint32_t threshold, uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || due[vertex] != round) return;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        blockyard_launch(sssp_expand, blocks, child_block, offsets, columns, weights, distances,
                         due, changed, vertex, round);
        return;
    }
#endif
    uint32_t distance = distances[vertex];
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++)
        relax(__ldg(&columns[edge]), distance, __ldg(&weights[edge]), distances, due, changed,
              round);
}
