// The quadtree of a map: a square all of whose cells have one value is a leaf; any other is split
// into its quarters, down to a depth of `limit`. It is the refinement of A. Adinetz, Adaptive
// Parallel Computation with CUDA Dynamic Parallelism (NVIDIA 2014), with values from memory in the
// place of Mandelbrot's set.
//
// One block looks at one square. Under CDP and DTBL it launches a grid of four blocks for the
// quarters, which may launch in their turn: `limit` levels of children below the host's launch.
// Flat, the block itself walks over the whole tree of its square, leaf after leaf.
//
// The host launches ceil(width / side) by ceil(height / side) blocks, with left, top and depth 0.
// `side` is a multiple of 2^limit; a square is cut off where the map ends. depths[cell] becomes the
// depth of the leaf that has the cell, leaves[d] grows by the number of leaves of depth d that have
// any cell.
#include "blockyard.h"

struct Square {
    uint32_t left, top;      // its first cell
    uint32_t columns, rows;  // as much of it as the map has
};

static __device__ __forceinline__ Square cut(uint32_t left, uint32_t top, uint32_t side,
                                             uint32_t width, uint32_t height) {
    uint32_t columns = left < width ? min(side, width - left) : 0;
    uint32_t rows = top < height ? min(side, height - top) : 0;
    return {left, top, columns, rows};
}

// Whether all cells of the square are alike: every thread of the block asks, and all get one
// answer.
static __device__ __forceinline__ bool uniform(const uint32_t *__restrict__ map, uint32_t width,
                                               Square square) {
    uint32_t first = map[square.top * width + square.left];
    bool differs = false;
#pragma unroll 1
    for (uint32_t row = threadIdx.y; row < square.rows; row += blockDim.y)
#pragma unroll 1
        for (uint32_t column = threadIdx.x; column < square.columns; column += blockDim.x)
            differs |= map[(square.top + row) * width + square.left + column] != first;
    return !__syncthreads_or(differs);
}

// The block's threads write the leaf.
static __device__ __forceinline__ void settle(uint32_t *__restrict__ depths,
                                              uint32_t *__restrict__ leaves, uint32_t width,
                                              Square square, uint32_t depth) {
#pragma unroll 1
    for (uint32_t row = threadIdx.y; row < square.rows; row += blockDim.y)
#pragma unroll 1
        for (uint32_t column = threadIdx.x; column < square.columns; column += blockDim.x)
            depths[(square.top + row) * width + square.left + column] = depth;
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(&leaves[depth], 1u);
}

extern "C" __global__ void nested(const uint32_t *__restrict__ map, uint32_t *__restrict__ depths,
                                  uint32_t *__restrict__ leaves, uint32_t width, uint32_t height,
                                  uint32_t left, uint32_t top, uint32_t side, uint32_t depth,
                                  uint32_t limit) {
    left += blockIdx.x * side;
    top += blockIdx.y * side;
#if BLOCKYARD_LAUNCH
    Square square = cut(left, top, side, width, height);
    if (square.columns == 0 || square.rows == 0) return;
    if (depth == limit || uniform(map, width, square)) {
        settle(depths, leaves, width, square, depth);
    } else if (threadIdx.x == 0 && threadIdx.y == 0) {
        blockyard_launch(nested, dim3(2, 2), dim3(blockDim.x, blockDim.y), map, depths, leaves,
                         width, height, left, top, side / 2, depth + 1, limit);
    }
#else
    // `path` has two bits for every level from `depth` to `at`: which quarter, of x and of y.
    uint32_t path = 0, at = depth;
#pragma unroll 1
    do {
        uint32_t x = left, y = top;
#pragma unroll 1
        for (uint32_t level = depth; level < at; level++) {
            uint32_t quarter = path >> 2 * (at - 1 - level), half = side >> (level - depth + 1);
            if (quarter & 1) x += half;
            if (quarter & 2) y += half;
        }
        Square square = cut(x, y, side >> (at - depth), width, height);
        bool any = square.columns != 0 && square.rows != 0;
        if (any && at < limit && !uniform(map, width, square)) {
            path <<= 2;
            at++;
        } else {
            if (any) settle(depths, leaves, width, square, at);
            // On to the next quarter, out of all squares whose last one this was.
#pragma unroll 1
            while (at > depth && (path & 3) == 3) {
                path >>= 2;
                at--;
            }
            path++;
        }
    } while (at > depth);
#endif
}
