// Graph colouring in rounds of independent sets (Jones and Plassmann, SIAM J. Sci. Comput. 1993;
// Naumov, Castonguay, Cohen, NVIDIA NVR-2015-001) with the two kernels of Pannotia (Che and others,
// IISWC 2013). An uncoloured vertex takes the round as its colour if no uncoloured neighbour has a
// higher priority: `clr` marks those that have one, `clr_assign` colours the others. The host
// launches both in each round, and another round as long as `left` is set, which it clears before
// `clr_assign`.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block (DTBL, section 5.1), which gets the vertex
// and loads its priority and the bounds of its row itself (LaPerm, section III-A). The loop goes on
// after a conflict, since a child's threads could not stop each other. Any order of execution gives
// the same colours: `clr` writes nothing that it reads, nor does `clr_assign` but to its own vertex.
// What a kernel only reads is loaded by __ldg, since the compiler does so by itself only where no
// pointer to it goes to a child.
#include "blockyard.h"

#define UNCOLOURED 0xffffffffu

// `blocked` is that of the vertex whose edge leads to `target`.
static __device__ __forceinline__ void look(uint32_t target, uint32_t priority,
                                            const uint32_t *__restrict__ priorities,
                                            const uint32_t *__restrict__ colours, uint32_t *blocked,
                                            uint32_t round) {
    if (__ldg(&colours[target]) == UNCOLOURED && __ldg(&priorities[target]) > priority)
        *blocked = round;
}

#if BLOCKYARD_LAUNCH
extern "C" __global__ void clr_expand(const uint32_t *__restrict__ offsets,
                                      const uint32_t *__restrict__ columns,
                                      const uint32_t *__restrict__ priorities,
                                      const uint32_t *__restrict__ colours,
                                      uint32_t *__restrict__ blocked, uint32_t vertex,
                                      uint32_t round) {
    uint32_t edge = __ldg(&offsets[vertex]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= __ldg(&offsets[vertex + 1])) return;
    look(__ldg(&columns[edge]), __ldg(&priorities[vertex]), priorities, colours, blocked + vertex,
         round);
}
#endif

extern "C" __global__ void clr(const uint32_t *__restrict__ offsets,
                               const uint32_t *__restrict__ columns,
                               const uint32_t *__restrict__ priorities,
                               const uint32_t *__restrict__ colours, uint32_t *__restrict__ blocked,
                               uint32_t vertices, uint32_t round, uint32_t threshold,
                               uint32_t child_block) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || __ldg(&colours[vertex]) != UNCOLOURED) return;
    uint32_t begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
    if (end - begin > threshold) {
        uint32_t blocks = (end - begin + child_block - 1) / child_block;
        blockyard_launch(clr_expand, blocks, child_block, offsets, columns, priorities, colours,
                         blocked, vertex, round);
        return;
    }
#endif
    uint32_t priority = __ldg(&priorities[vertex]);
#pragma unroll 1
    for (uint32_t edge = begin; edge < end; edge++)
        look(__ldg(&columns[edge]), priority, priorities, colours, blocked + vertex, round);
}

extern "C" __global__ void clr_assign(uint32_t *__restrict__ colours,
                                      const uint32_t *__restrict__ blocked,
                                      uint32_t *__restrict__ left, uint32_t vertices,
                                      uint32_t round) {
    uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || colours[vertex] != UNCOLOURED) return;
    if (blocked[vertex] == round)
        *left = 1;
    else
        colours[vertex] = round;
}
