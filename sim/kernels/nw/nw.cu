// The best alignment of two sequences (S. Needleman, C. Wunsch, J. Molecular Biology 1970): NW of
// IKRA's Table 3, in tiles as Rodinia has them.
//
// A tile needs the tiles before it in its row and in its column, so a launch has those of one
// anti-diagonal, a block each; its threads go through it anti-diagonal by anti-diagonal, too, in
// shared memory. The table has a row and a column more than the sequences have letters.
#include "blockyard.h"

#define NW_TILE 8

extern "C" __global__ void nw(const int *__restrict__ similarities, int *__restrict__ scores,
                              unsigned length, unsigned diagonal, unsigned first, int penalty) {
    __shared__ int tile[NW_TILE + 1][NW_TILE + 1], similar[NW_TILE][NW_TILE];
    unsigned thread = threadIdx.x, width = length + 1;
    unsigned x = (first + blockIdx.x) * NW_TILE, y = (diagonal - first - blockIdx.x) * NW_TILE;
    const int *from = similarities + y * length + x;
    int *corner = scores + y * width + x;
    for (unsigned row = 0; row < NW_TILE; row++)
        similar[row][thread] = from[row * length + thread];
    tile[0][thread + 1] = corner[thread + 1];
    tile[thread + 1][0] = corner[(thread + 1) * width];
    if (thread == 0) tile[0][0] = corner[0];
    for (unsigned step = 0; step < 2 * NW_TILE - 1; step++) {
        __syncthreads();
        unsigned row = step - thread;
        if (row < NW_TILE) {
            int both = tile[row][thread] + similar[row][thread];
            int gap = max(tile[row][thread + 1], tile[row + 1][thread]) - penalty;
            tile[row + 1][thread + 1] = max(both, gap);
        }
    }
    __syncthreads();
    for (unsigned row = 0; row < NW_TILE; row++)
        corner[(row + 1) * width + thread + 1] = tile[row + 1][thread + 1];
}
