// Speckle reducing anisotropic diffusion (Y. Yu, S. Acton, IEEE Trans. Image Processing 2002), in
// tiles: SD2 of IKRA's Table 3, with the two kernels of Rodinia's second version.
//
// `srad2_coefficients` finds how a point differs from its neighbours, and how much flows there;
// `srad2_update` lets it flow. Both have their block's points in shared memory, and what other
// blocks have from global memory; the neighbour of a point on the rim is that point. How much
// speckle there is the host finds between two steps.
#include "blockyard.h"

#define SRAD2_SIDE 16

extern "C" __global__ void srad2_coefficients(const float *__restrict__ image,
                                              float *__restrict__ north,
                                              float *__restrict__ south,
                                              float *__restrict__ west, float *__restrict__ east,
                                              float *__restrict__ coefficients, unsigned width,
                                              unsigned height, float speckle) {
    __shared__ float tile[SRAD2_SIDE][SRAD2_SIDE];
    unsigned column = threadIdx.x, row = threadIdx.y;
    unsigned x = blockIdx.x * SRAD2_SIDE + column, y = blockIdx.y * SRAD2_SIDE + row;
    unsigned at = y * width + x;
    bool inside = x < width && y < height;
    float here = inside ? image[at] : 1.0f;
    tile[row][column] = here;
    __syncthreads();
    if (!inside) return;
    float up = here, down = here, left = here, right = here;
    if (y > 0) up = row > 0 ? tile[row - 1][column] : image[at - width];
    if (y + 1 < height) down = row + 1 < SRAD2_SIDE ? tile[row + 1][column] : image[at + width];
    if (x > 0) left = column > 0 ? tile[row][column - 1] : image[at - 1];
    if (x + 1 < width) right = column + 1 < SRAD2_SIDE ? tile[row][column + 1] : image[at + 1];
    float to_north = up - here, to_south = down - here;
    float to_west = left - here, to_east = right - here;

    float squares = fmaf(to_north, to_north, __fmul_rn(to_south, to_south));
    squares = fmaf(to_east, to_east, fmaf(to_west, to_west, squares));
    squares = __fdividef(squares, __fmul_rn(here, here));
    float bend = __fdividef(to_north + to_south + to_west + to_east, here);
    float above = fmaf(-0.0625f, __fmul_rn(bend, bend), __fmul_rn(0.5f, squares));
    float below = fmaf(0.25f, bend, 1.0f);
    float varies = __fdividef(above, __fmul_rn(below, below));
    float excess = __fdividef(varies - speckle, fmaf(speckle, speckle, speckle));
    float flows = __fdividef(1.0f, 1.0f + excess);
    north[at] = to_north;
    south[at] = to_south;
    west[at] = to_west;
    east[at] = to_east;
    coefficients[at] = fminf(fmaxf(flows, 0.0f), 1.0f);
}

extern "C" __global__ void srad2_update(float *__restrict__ image,
                                        const float *__restrict__ north,
                                        const float *__restrict__ south,
                                        const float *__restrict__ west,
                                        const float *__restrict__ east,
                                        const float *__restrict__ coefficients, unsigned width,
                                        unsigned height, float rate) {
    __shared__ float tile[SRAD2_SIDE][SRAD2_SIDE];
    unsigned column = threadIdx.x, row = threadIdx.y;
    unsigned x = blockIdx.x * SRAD2_SIDE + column, y = blockIdx.y * SRAD2_SIDE + row;
    unsigned at = y * width + x;
    bool inside = x < width && y < height;
    float here = inside ? coefficients[at] : 0.0f;
    tile[row][column] = here;
    __syncthreads();
    if (!inside) return;
    float down = here, right = here;
    if (y + 1 < height)
        down = row + 1 < SRAD2_SIDE ? tile[row + 1][column] : coefficients[at + width];
    if (x + 1 < width)
        right = column + 1 < SRAD2_SIDE ? tile[row][column + 1] : coefficients[at + 1];
    float flow = fmaf(here, north[at], __fmul_rn(down, south[at]));
    flow = fmaf(right, east[at], fmaf(here, west[at], flow));
    image[at] = fmaf(rate, flow, image[at]);
}
