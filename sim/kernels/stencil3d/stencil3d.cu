// One step of the heat equation in space, by explicit differences with seven points: ST of CLASO's
// Table 2 and of IKRA's Table 3, whose blocks are those of Parboil.
//
//     next = now + rate * (the six neighbours - 6 * now)
//
// The points on the rim keep their values. A block has WIDTH * HEIGHT threads, which go through the
// planes together (P. Micikevicius, 3D Finite Difference Computation on GPUs using CUDA, GPGPU
// 2009): what is below and above is in registers, what is beside in shared memory, but for what
// other blocks have. The host launches step after step with `now` and `next` exchanged.
#include "blockyard.h"

#define WIDTH 32
#define HEIGHT 4

extern "C" __global__ void stencil3d(const float *__restrict__ now, float *__restrict__ next,
                                     unsigned width, unsigned height, unsigned depth, float rate) {
    __shared__ float tile[HEIGHT][WIDTH];
    unsigned column = threadIdx.x, row = threadIdx.y;
    unsigned x = blockIdx.x * WIDTH + column, y = blockIdx.y * HEIGHT + row;
    bool inside = x < width && y < height;
    bool moves = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
    unsigned plane = width * height, at = y * width + x;
    float below, here = 0.0f, above = 0.0f;
    if (inside) {
        here = now[at];
        next[at] = here;
        if (depth > 1) above = now[at + plane];
    }
    for (unsigned z = 1; z + 1 < depth; z++) {
        at += plane;
        below = here;
        here = above;
        if (inside) above = now[at + plane];
        // The plane before has been read.
        __syncthreads();
        tile[row][column] = here;
        __syncthreads();
        float value = here;
        if (moves) {
            float west = column > 0 ? tile[row][column - 1] : now[at - 1];
            float east = column + 1 < WIDTH ? tile[row][column + 1] : now[at + 1];
            float north = row > 0 ? tile[row - 1][column] : now[at - width];
            float south = row + 1 < HEIGHT ? tile[row + 1][column] : now[at + width];
            float sides = west + east + north + south + below + above;
            value = fmaf(rate, fmaf(-6.0f, here, sides), here);
        }
        if (inside) next[at] = value;
    }
    if (inside && depth > 1) next[at + plane] = above;
}
