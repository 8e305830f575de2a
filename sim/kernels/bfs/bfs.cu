// Breadth-first search level by level, driven by a queue: one thread a vertex of the frontier, whose
// rows are gathered as in Merrill, Garland and Grimshaw (PPoPP 2012): by the whole block where a
// row has at least as many edges as the block has threads, by the whole warp where it has at least
// as many as a warp, and the rest by all threads of the block, edge by edge, after a prefix sum of
// their lengths. The host launches the next level as long as the queue has grown.
//
// Under CDP and DTBL a vertex with more than `threshold` edges has its row walked by a child with
// one thread an edge and `child_block` threads a block, in place of block and warp (DTBL, section
// 5.1). The child gets the vertex and loads the bounds of its row itself (LaPerm, section III-A).
//
// Any order of execution gives the same levels: a launch writes only `depth + 1`, and only over
// UNVISITED; the order in the queue depends on it. The graph is loaded by __ldg, since the compiler
// does so by itself only where no pointer to it goes to a child.
#include "blockyard.h"

#define UNVISITED 0xffffffffu
#define LANES 32u

// Edges that a block gathers at a time after a prefix sum.
#define GATHER 256u

struct Search {
    const uint32_t *columns;
    uint32_t *levels, *queue, *tail;
    uint32_t depth;
};

static __device__ __forceinline__ void visit(const Search &search, uint32_t edge) {
    uint32_t target = __ldg(&search.columns[edge]);
    // Most edges lead to what is visited: the load spares them the atomic.
    if (search.levels[target] != UNVISITED) return;
    if (atomicCAS(&search.levels[target], UNVISITED, search.depth + 1) != UNVISITED) return;
    // The lanes that have found a vertex take their places in the queue together.
    uint32_t found = __ballot(1);
    uint32_t lane = threadIdx.x % LANES, first = __ffs(found) - 1, place = 0;
    if (lane == first) place = atomicAdd(search.tail, __popc(found));
    place = __shfl(place, first);
    search.queue[place + __popc(found & ((1u << lane) - 1))] = target;
}

#if BLOCKYARD_LAUNCH
extern "C" __global__ void bfs_expand(const uint32_t *__restrict__ offsets,
                                      const uint32_t *__restrict__ columns, uint32_t *levels,
                                      uint32_t *queue, uint32_t *tail, uint32_t vertex,
                                      uint32_t depth) {
    uint32_t edge = __ldg(&offsets[vertex]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (edge < __ldg(&offsets[vertex + 1])) visit({columns, levels, queue, tail, depth}, edge);
}
#else

// Rows as long as the block: each thread that has one becomes the owner of the block in its turn.
static __device__ __forceinline__ void gather_by_block(const Search &search, uint32_t &begin,
                                                       uint32_t end) {
    __shared__ uint32_t owner, row[2];
    if (threadIdx.x == 0) owner = 0;
    while (__syncthreads_or(end - begin >= blockDim.x)) {
        if (end - begin >= blockDim.x) atomicExch(&owner, threadIdx.x);
        __syncthreads();
        if (owner == threadIdx.x) {
            row[0] = begin;
            row[1] = begin = end;
        }
        __syncthreads();
#pragma unroll 1
        for (uint32_t edge = row[0] + threadIdx.x; edge < row[1]; edge += blockDim.x)
            visit(search, edge);
    }
}

// Rows as long as the warp.
static __device__ __forceinline__ void gather_by_warp(const Search &search, uint32_t &begin,
                                                      uint32_t end) {
    uint32_t lane = threadIdx.x % LANES;
    uint32_t lanes = min(LANES, blockDim.x - (threadIdx.x - lane));
    while (uint32_t owners = __ballot(end - begin >= LANES)) {
        uint32_t owner = __ffs(owners) - 1;
        uint32_t from = __shfl(begin, owner);
        uint32_t to = __shfl(end, owner);
        if (lane == owner) begin = end;
#pragma unroll 1
        for (uint32_t edge = from + lane; edge < to; edge += lanes) visit(search, edge);
    }
}
#endif

// What is left, whatever its lengths.
static __device__ __forceinline__ void gather_by_scan(const Search &search, uint32_t begin,
                                                      uint32_t end) {
    __shared__ uint32_t sums[1024 / LANES], edges[GATHER];
    uint32_t lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    uint32_t sum = end - begin;
    for (uint32_t step = 1; step < LANES; step *= 2) {
        uint32_t below = __shfl_up(sum, step);
        if (lane >= step) sum += below;
    }
    if (lane == LANES - 1 || threadIdx.x == blockDim.x - 1) sums[warp] = sum;
    __syncthreads();
    uint32_t place = sum - (end - begin), total = 0;
#pragma unroll 1
    for (uint32_t other = 0; other * LANES < blockDim.x; other++) {
        if (other == warp) place += total;
        total += sums[other];
    }
#pragma unroll 1
    for (uint32_t base = 0; base < total; base += GATHER) {
#pragma unroll 1
        for (; begin < end && place < base + GATHER; begin++) edges[place++ - base] = begin;
        __syncthreads();
#pragma unroll 1
        for (uint32_t at = threadIdx.x; at < min(GATHER, total - base); at += blockDim.x)
            visit(search, edges[at]);
        __syncthreads();
    }
}

// The frontier are the `count` vertices of the queue from `first` on.
extern "C" __global__ void bfs(const uint32_t *__restrict__ offsets,
                               const uint32_t *__restrict__ columns, uint32_t *levels,
                               uint32_t *queue, uint32_t *tail, uint32_t count, uint32_t first,
                               uint32_t depth, uint32_t threshold, uint32_t child_block) {
    Search search = {columns, levels, queue, tail, depth};
    uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t begin = 0, end = 0;
    if (index < count) {
        uint32_t vertex = queue[first + index];
        begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
#if BLOCKYARD_LAUNCH
        if (end - begin > threshold) {
            uint32_t blocks = (end - begin + child_block - 1) / child_block;
            blockyard_launch(bfs_expand, blocks, child_block, offsets, columns, levels, queue, tail,
                             vertex, depth);
            begin = end;
        }
#endif
    }
#if !BLOCKYARD_LAUNCH
    gather_by_block(search, begin, end);
    gather_by_warp(search, begin, end);
#endif
    gather_by_scan(search, begin, end);
}
