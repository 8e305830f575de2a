// A picture through a separable filter, rows first, then columns: CP of IKRA's Table 3, with the
// blocks of NVIDIA's SDK (V. Podlozhnyuk, Image Convolution with CUDA, 2007).
//
// A thread has STEPS points, a block's side apart; with them a block loads a block's side more on
// both ends, where the filter reaches what others have. Beyond the picture all is zero. The filter
// is in constant memory, where all threads of a warp read the same word.
#include "blockyard.h"

#define CONVOLUTION_RADIUS 8
#define CONVOLUTION_STEPS 8
#define CONVOLUTION_ROWS_X 16
#define CONVOLUTION_ROWS_Y 4
#define CONVOLUTION_COLUMNS_X 16
#define CONVOLUTION_COLUMNS_Y 8

__constant__ float convolution_filter[2 * CONVOLUTION_RADIUS + 1];

extern "C" __global__ void convolution_rows(const float *__restrict__ picture,
                                            float *__restrict__ filtered, int width, int height) {
    __shared__ float tile[CONVOLUTION_ROWS_Y][(CONVOLUTION_STEPS + 2) * CONVOLUTION_ROWS_X];
    int column = threadIdx.x, row = threadIdx.y;
    int x = (int(blockIdx.x) * CONVOLUTION_STEPS - 1) * CONVOLUTION_ROWS_X + column;
    int y = blockIdx.y * CONVOLUTION_ROWS_Y + row;
    if (y < height)
        for (int step = 0; step < CONVOLUTION_STEPS + 2; step++) {
            int at = x + step * CONVOLUTION_ROWS_X;
            tile[row][column + step * CONVOLUTION_ROWS_X] =
                at >= 0 && at < width ? picture[y * width + at] : 0.0f;
        }
    __syncthreads();
    if (y >= height) return;
    for (int step = 1; step <= CONVOLUTION_STEPS; step++) {
        int offset = step * CONVOLUTION_ROWS_X;
        if (x + offset >= width) return;
        float sum = 0.0f;
        for (int k = -CONVOLUTION_RADIUS; k <= CONVOLUTION_RADIUS; k++)
            sum = fmaf(convolution_filter[CONVOLUTION_RADIUS + k], tile[row][column + offset + k],
                       sum);
        filtered[y * width + x + offset] = sum;
    }
}

extern "C" __global__ void convolution_columns(const float *__restrict__ picture,
                                               float *__restrict__ filtered, int width,
                                               int height) {
    // A word more in each column, against bank conflicts.
    __shared__ float
        tile[CONVOLUTION_COLUMNS_X][(CONVOLUTION_STEPS + 2) * CONVOLUTION_COLUMNS_Y + 1];
    int column = threadIdx.x, row = threadIdx.y;
    int x = blockIdx.x * CONVOLUTION_COLUMNS_X + column;
    int y = (int(blockIdx.y) * CONVOLUTION_STEPS - 1) * CONVOLUTION_COLUMNS_Y + row;
    if (x < width)
        for (int step = 0; step < CONVOLUTION_STEPS + 2; step++) {
            int at = y + step * CONVOLUTION_COLUMNS_Y;
            tile[column][row + step * CONVOLUTION_COLUMNS_Y] =
                at >= 0 && at < height ? picture[at * width + x] : 0.0f;
        }
    __syncthreads();
    if (x >= width) return;
    for (int step = 1; step <= CONVOLUTION_STEPS; step++) {
        int offset = step * CONVOLUTION_COLUMNS_Y;
        if (y + offset >= height) return;
        float sum = 0.0f;
        for (int k = -CONVOLUTION_RADIUS; k <= CONVOLUTION_RADIUS; k++)
            sum = fmaf(convolution_filter[CONVOLUTION_RADIUS + k], tile[column][row + offset + k],
                       sum);
        filtered[(y + offset) * width + x] = sum;
    }
}
