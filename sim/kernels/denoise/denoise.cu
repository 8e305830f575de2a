// A picture without noise, by means over points whose surroundings are alike (A. Buades, B. Coll, J.
// Morel, A Non-Local Algorithm for Image Denoising, CVPR 2005): ImageDenoising-nlm2 of SRTF's Table
// 2, the quick version of NVIDIA's SDK.
//
// A block has 8 by 8 points. Each of its threads weighs the surroundings of one point against those
// of the block's middle, once for the whole block; then each point takes over a part of the mean of
// those around it, with these weights: more of it where many are large. Beyond the rim the picture
// goes on with its last points.
#include "blockyard.h"

#define DENOISE_SIDE 8
#define DENOISE_RADIUS 3
// By how much a weight falls for each unit of difference, and for each of distance.
#define DENOISE_NOISE 1.45f
#define DENOISE_SPREAD (1.0f / 49.0f)
// From which weight on a point is like the middle, which part of all makes a place flat, and how
// much of its mean a point takes over there, and elsewhere.
#define DENOISE_ALIKE 0.10f
#define DENOISE_FLAT 0.10f
#define DENOISE_MUCH 0.80f
#define DENOISE_LITTLE 0.20f

BLOCKYARD_FUNCTION float denoise_point(const float *picture, int x, int y, int width,
                                       int height) {
    return picture[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

extern "C" __global__ void denoise(const float *__restrict__ picture, float *__restrict__ clean,
                                   int width, int height) {
    __shared__ float weights[DENOISE_SIDE][DENOISE_SIDE];
    int column = threadIdx.x, row = threadIdx.y;
    int left = blockIdx.x * DENOISE_SIDE, top = blockIdx.y * DENOISE_SIDE;
    int x = left + column, y = top + row;
    float apart = 0.0f;
    for (int down = -DENOISE_RADIUS; down <= DENOISE_RADIUS; down++)
        for (int across = -DENOISE_RADIUS; across <= DENOISE_RADIUS; across++) {
            float middle = denoise_point(picture, left + DENOISE_RADIUS + across,
                                         top + DENOISE_RADIUS + down, width, height);
            float own = denoise_point(picture, x + across, y + down, width, height);
            float difference = middle - own;
            apart = fmaf(difference, difference, apart);
        }
    int far = (column - DENOISE_RADIUS) * (column - DENOISE_RADIUS) +
              (row - DENOISE_RADIUS) * (row - DENOISE_RADIUS);
    float falls = fmaf(float(far), DENOISE_SPREAD, __fmul_rn(apart, DENOISE_NOISE));
    weights[row][column] = __expf(-falls);
    __syncthreads();

    float sum = 0.0f, all = 0.0f;
    int alike = 0;
    for (int down = 0; down < DENOISE_SIDE; down++)
        for (int across = 0; across < DENOISE_SIDE; across++) {
            float weight = weights[down][across];
            float other = denoise_point(picture, x + across - DENOISE_RADIUS,
                                        y + down - DENOISE_RADIUS, width, height);
            sum = fmaf(other, weight, sum);
            all += weight;
            if (weight > DENOISE_ALIKE) alike++;
        }
    if (x >= width || y >= height) return;
    float mean = __fdividef(sum, all), here = picture[y * width + x];
    float flat = DENOISE_FLAT * DENOISE_SIDE * DENOISE_SIDE;
    float takes = float(alike) > flat ? DENOISE_MUCH : DENOISE_LITTLE;
    clean[y * width + x] = fmaf(takes, mean - here, here);
}
