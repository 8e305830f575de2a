// c = a * b with a tile of each factor in shared memory, as in the chapter on shared memory of the
// CUDA C++ Programming Guide. `a` has `rows` rows of `inner` numbers, `b` `inner` rows of
// `columns`, all by rows.
//
// A block has TILE * TILE threads and computes TILE * TILE elements of c; places of a tile beyond
// the matrices hold 0, so any size will do. Each sum runs over `inner` in ascending order, by fused
// multiply-adds: the result is the same to the last bit on every machine.
#include "blockyard.h"

#define TILE 16

extern "C" __global__ void matmul(const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c, unsigned rows, unsigned columns,
                                  unsigned inner) {
    __shared__ float of_a[TILE][TILE];
    __shared__ float of_b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * TILE + y;
    unsigned column = blockIdx.x * TILE + x;
    float sum = 0.0f;
#pragma unroll 1
    for (unsigned first = 0; first < inner; first += TILE) {
        bool in_a = row < rows && first + x < inner;
        bool in_b = first + y < inner && column < columns;
        of_a[y][x] = in_a ? a[row * inner + first + x] : 0.0f;
        of_b[y][x] = in_b ? b[(first + y) * columns + column] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++) sum = fmaf(of_a[y][k], of_b[k][x], sum);
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}
