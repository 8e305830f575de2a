// One step of the heat equation on a plane, by explicit differences with five points:
//
//     next = now + rate * (west + east + north + south - 4 * now)
//
// The points on the rim keep their values. A block has TILE * TILE threads, and its tile in shared
// memory a halo of one point on each side (P. Micikevicius, 3D Finite Difference Computation on
// GPUs using CUDA, GPGPU 2009, for one plane). The host launches step after step, each time with
// `now` and `next` exchanged.
#include "blockyard.h"

#define TILE 16

extern "C" __global__ void stencil(const float *__restrict__ now, float *__restrict__ next,
                                   unsigned width, unsigned height, float rate) {
    __shared__ float tile[TILE + 2][TILE + 2];
    unsigned x = blockIdx.x * TILE + threadIdx.x;
    unsigned y = blockIdx.y * TILE + threadIdx.y;
    unsigned column = threadIdx.x + 1, row = threadIdx.y + 1;
    bool inside = x < width && y < height;
    unsigned here = y * width + x;
    if (inside) {
        tile[row][column] = now[here];
        if (threadIdx.x == 0 && x > 0) tile[row][0] = now[here - 1];
        if (threadIdx.x == TILE - 1 && x + 1 < width) tile[row][TILE + 1] = now[here + 1];
        if (threadIdx.y == 0 && y > 0) tile[0][column] = now[here - width];
        if (threadIdx.y == TILE - 1 && y + 1 < height) tile[TILE + 1][column] = now[here + width];
    }
    __syncthreads();
    if (!inside) return;
    float value = tile[row][column];
    if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
        float sides = tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] +
                      tile[row + 1][column];
        value = fmaf(rate, sides - 4.0f * value, value);
    }
    next[here] = value;
}
