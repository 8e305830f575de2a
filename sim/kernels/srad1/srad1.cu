// Speckle reducing anisotropic diffusion (Y. Yu, S. Acton, IEEE Trans. Image Processing 2002) with
// all of it on the GPU: SD1 of IKRA's Table 3, with the kernels of Rodinia's first version.
//
// Points stand in one line; where a point has its neighbours, tables say, for rows and for columns.
// `srad1_extract` takes the logarithm from the image, and `srad1_compress` puts it back. Each step
// has four kinds of launches: `srad1_prepare` copies values and their squares, `srad1_reduce` sums
// up BLOCK of them, then BLOCK of the sums, and so on, in trees, `srad1_coefficients` finds what
// flows, and `srad1_update` lets it flow.
#include "blockyard.h"

#define SRAD1_BLOCK 512

extern "C" __global__ void srad1_extract(float *image, unsigned count) {
    unsigned at = blockIdx.x * SRAD1_BLOCK + threadIdx.x;
    if (at < count) image[at] = __expf(__fmul_rn(image[at], 1.0f / 255.0f));
}

extern "C" __global__ void srad1_prepare(const float *__restrict__ image,
                                         float *__restrict__ sums, float *__restrict__ squares,
                                         unsigned count) {
    unsigned at = blockIdx.x * SRAD1_BLOCK + threadIdx.x;
    if (at >= count) return;
    float value = image[at];
    sums[at] = value;
    squares[at] = __fmul_rn(value, value);
}

// Of `count` sums that are `apart`; a block leaves its own where the first of them was.
extern "C" __global__ void srad1_reduce(float *sums, float *squares, unsigned count,
                                        unsigned apart) {
    __shared__ float tree[2][SRAD1_BLOCK];
    unsigned thread = threadIdx.x, at = blockIdx.x * SRAD1_BLOCK + thread;
    tree[0][thread] = at < count ? sums[at * apart] : 0.0f;
    tree[1][thread] = at < count ? squares[at * apart] : 0.0f;
    for (unsigned width = SRAD1_BLOCK / 2; width > 0; width /= 2) {
        __syncthreads();
        if (thread < width) {
            tree[0][thread] += tree[0][thread + width];
            tree[1][thread] += tree[1][thread + width];
        }
    }
    if (thread == 0) {
        sums[at * apart] = tree[0][0];
        squares[at * apart] = tree[1][0];
    }
}

extern "C" __global__ void srad1_coefficients(const float *__restrict__ image,
                                              const unsigned *__restrict__ above,
                                              const unsigned *__restrict__ below,
                                              const unsigned *__restrict__ before,
                                              const unsigned *__restrict__ behind,
                                              float *__restrict__ north,
                                              float *__restrict__ south,
                                              float *__restrict__ west, float *__restrict__ east,
                                              float *__restrict__ coefficients, unsigned width,
                                              unsigned count, float speckle) {
    unsigned at = blockIdx.x * SRAD1_BLOCK + threadIdx.x;
    if (at >= count) return;
    unsigned row = at / width, column = at % width;
    float here = image[at];
    float to_north = image[above[row] * width + column] - here;
    float to_south = image[below[row] * width + column] - here;
    float to_west = image[row * width + before[column]] - here;
    float to_east = image[row * width + behind[column]] - here;

    float squares = fmaf(to_north, to_north, __fmul_rn(to_south, to_south));
    squares = fmaf(to_east, to_east, fmaf(to_west, to_west, squares));
    squares = __fdividef(squares, __fmul_rn(here, here));
    float bend = __fdividef(to_north + to_south + to_west + to_east, here);
    float over = fmaf(-0.0625f, __fmul_rn(bend, bend), __fmul_rn(0.5f, squares));
    float under = fmaf(0.25f, bend, 1.0f);
    float varies = __fdividef(over, __fmul_rn(under, under));
    float excess = __fdividef(varies - speckle, fmaf(speckle, speckle, speckle));
    float flows = __fdividef(1.0f, 1.0f + excess);
    north[at] = to_north;
    south[at] = to_south;
    west[at] = to_west;
    east[at] = to_east;
    coefficients[at] = fminf(fmaxf(flows, 0.0f), 1.0f);
}

extern "C" __global__ void srad1_update(float *__restrict__ image,
                                        const unsigned *__restrict__ below,
                                        const unsigned *__restrict__ behind,
                                        const float *__restrict__ north,
                                        const float *__restrict__ south,
                                        const float *__restrict__ west,
                                        const float *__restrict__ east,
                                        const float *__restrict__ coefficients, unsigned width,
                                        unsigned count, float rate) {
    unsigned at = blockIdx.x * SRAD1_BLOCK + threadIdx.x;
    if (at >= count) return;
    unsigned row = at / width, column = at % width;
    float here = coefficients[at];
    float down = coefficients[below[row] * width + column];
    float right = coefficients[row * width + behind[column]];
    float flow = fmaf(here, north[at], __fmul_rn(down, south[at]));
    flow = fmaf(right, east[at], fmaf(here, west[at], flow));
    image[at] = fmaf(rate, flow, image[at]);
}

extern "C" __global__ void srad1_compress(float *image, unsigned count) {
    unsigned at = blockIdx.x * SRAD1_BLOCK + threadIdx.x;
    if (at < count) image[at] = __fmul_rn(__logf(image[at]), 255.0f);
}
