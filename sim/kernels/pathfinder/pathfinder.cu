// The cheapest way down a wall of numbers, a row after the other, straight or aslant: PF of IKRA's
// Table 3, a dynamic program with the tiles of Rodinia.
//
// A block goes down several rows in shared memory, from one buffer into the other and back. What is
// right gets narrower by a column on both sides in each of them; blocks overlap by that much, and a
// block writes what is right at the end: all but `pyramid` columns on both sides.
#include "blockyard.h"

#define PATHFINDER_BLOCK 256

extern "C" __global__ void pathfinder(const unsigned *__restrict__ wall,
                                      const unsigned *__restrict__ now,
                                      unsigned *__restrict__ next, int columns, int first,
                                      int rows, int pyramid) {
    __shared__ unsigned tile[2][PATHFINDER_BLOCK];
    int thread = threadIdx.x, inner = PATHFINDER_BLOCK - 2 * pyramid;
    int x = int(blockIdx.x) * inner + thread - pyramid;
    bool inside = x >= 0 && x < columns;
    unsigned here = inside ? now[x] : 0;
    tile[0][thread] = here;
    __syncthreads();
    int west = x > 0 ? thread - 1 : thread, east = x + 1 < columns ? thread + 1 : thread;
    for (int row = 0; row < rows; row++) {
        if (inside && thread > row && thread < PATHFINDER_BLOCK - 1 - row) {
            const unsigned *before = tile[row & 1];
            unsigned least = min(here, min(before[west], before[east]));
            here = least + wall[(first + row) * columns + x];
        }
        tile[(row + 1) & 1][thread] = here;
        __syncthreads();
    }
    if (inside && thread >= pyramid && thread < pyramid + inner) next[x] = here;
}
