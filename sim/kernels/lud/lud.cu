// A matrix as the product of a lower and an upper one, in tiles: LUD of IKRA's Table 3, with the
// three kernels of Rodinia, which follow blocked Gaussian elimination without pivots (G. Golub, C.
// Van Loan, Matrix Computations, section 3.2).
//
// For tile after tile of the diagonal, `lud_diagonal` takes it apart, `lud_perimeter` what is right
// of it and what is below, a tile of each a block, and `lud_internal` subtracts their products from
// all that is left: grids shrink. What is below the diagonal becomes the lower matrix, whose own
// diagonal is all ones, and the rest the upper one.
#include "blockyard.h"

#define LUD_TILE 16

typedef float LudTile[LUD_TILE][LUD_TILE];

// A column of threads loads or stores a column of a tile.
BLOCKYARD_FUNCTION void lud_load(LudTile tile, const float *from, unsigned size,
                                 unsigned column) {
    for (unsigned row = 0; row < LUD_TILE; row++) tile[row][column] = from[row * size + column];
}

BLOCKYARD_FUNCTION void lud_store(float *to, LudTile tile, unsigned size, unsigned column) {
    for (unsigned row = 0; row < LUD_TILE; row++) to[row * size + column] = tile[row][column];
}

// The tile number `at` of the diagonal, by one thread a row and column.
extern "C" __global__ void lud_diagonal(float *matrix, unsigned size, unsigned at) {
    __shared__ LudTile tile;
    unsigned thread = threadIdx.x;
    float *corner = matrix + at * LUD_TILE * (size + 1);
    lud_load(tile, corner, size, thread);
    for (unsigned pivot = 0; pivot + 1 < LUD_TILE; pivot++) {
        __syncthreads();
        if (thread > pivot) {
            float lower = tile[thread][pivot];
            for (unsigned k = 0; k < pivot; k++)
                lower = fmaf(-tile[thread][k], tile[k][pivot], lower);
            tile[thread][pivot] = lower / tile[pivot][pivot];
        }
        __syncthreads();
        if (thread > pivot) {
            float upper = tile[pivot + 1][thread];
            for (unsigned k = 0; k <= pivot; k++)
                upper = fmaf(-tile[pivot + 1][k], tile[k][thread], upper);
            tile[pivot + 1][thread] = upper;
        }
    }
    __syncthreads();
    lud_store(corner, tile, size, thread);
}

// Half of the threads have a tile to the right, a column each; the others one below, a row each.
extern "C" __global__ void lud_perimeter(float *matrix, unsigned size, unsigned at) {
    __shared__ LudTile diagonal, right, below;
    unsigned thread = threadIdx.x % LUD_TILE, apart = LUD_TILE * (blockIdx.x + 1);
    float *corner = matrix + at * LUD_TILE * (size + 1);
    bool is_right = threadIdx.x < LUD_TILE;
    if (is_right) {
        lud_load(diagonal, corner, size, thread);
        lud_load(right, corner + apart, size, thread);
    } else {
        lud_load(below, corner + apart * size, size, thread);
    }
    __syncthreads();
    if (is_right) {
        for (unsigned row = 1; row < LUD_TILE; row++) {
            float upper = right[row][thread];
            for (unsigned k = 0; k < row; k++)
                upper = fmaf(-diagonal[row][k], right[k][thread], upper);
            right[row][thread] = upper;
        }
    } else {
        for (unsigned column = 0; column < LUD_TILE; column++) {
            float lower = below[thread][column];
            for (unsigned k = 0; k < column; k++)
                lower = fmaf(-below[thread][k], diagonal[k][column], lower);
            below[thread][column] = lower / diagonal[column][column];
        }
    }
    __syncthreads();
    if (is_right)
        lud_store(corner + apart, right, size, thread);
    else
        lud_store(corner + apart * size, below, size, thread);
}

// A tile behind both.
extern "C" __global__ void lud_internal(float *matrix, unsigned size, unsigned at) {
    __shared__ LudTile right, below;
    unsigned column = threadIdx.x, row = threadIdx.y;
    float *corner = matrix + at * LUD_TILE * (size + 1);
    unsigned x = LUD_TILE * (blockIdx.x + 1) + column, y = LUD_TILE * (blockIdx.y + 1) + row;
    right[row][column] = corner[row * size + x];
    below[row][column] = corner[y * size + column];
    __syncthreads();
    float sum = 0.0f;
    for (unsigned k = 0; k < LUD_TILE; k++) sum = fmaf(below[row][k], right[k][column], sum);
    corner[y * size + x] -= sum;
}
