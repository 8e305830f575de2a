// Motion estimation: how much each block of 4 by 4 points of a picture differs from what is around
// its place in another one, as a sum of absolute differences: SAD of SRTF's Table 2, with the blocks
// of Parboil.
//
// The search window is 2 * RANGE + 1 places wide and high. A thread has POSITIONS places of it, one
// after the other in a row. Beyond the rim the other picture goes on with its last points.
#include "blockyard.h"

#define SAD_SIDE 4
#define SAD_RANGE 16
#define SAD_WINDOW (2 * SAD_RANGE + 1)
#define SAD_PLACES (SAD_WINDOW * SAD_WINDOW)
#define SAD_POSITIONS 18

extern "C" __global__ void sad(const unsigned char *__restrict__ picture,
                               const unsigned char *__restrict__ other,
                               unsigned *__restrict__ sums, int width, int height) {
    __shared__ int block[SAD_SIDE][SAD_SIDE];
    int left = blockIdx.x * SAD_SIDE, top = blockIdx.y * SAD_SIDE;
    if (threadIdx.x < SAD_SIDE * SAD_SIDE) {
        int column = threadIdx.x % SAD_SIDE, row = threadIdx.x / SAD_SIDE;
        block[row][column] = picture[(top + row) * width + left + column];
    }
    __syncthreads();
    unsigned *own = sums + (blockIdx.y * gridDim.x + blockIdx.x) * SAD_PLACES;
    for (int position = 0; position < SAD_POSITIONS; position++) {
        int place = threadIdx.x * SAD_POSITIONS + position;
        if (place >= SAD_PLACES) return;
        int x = left + place % SAD_WINDOW - SAD_RANGE, y = top + place / SAD_WINDOW - SAD_RANGE;
        int sum = 0;
        for (int row = 0; row < SAD_SIDE; row++) {
            const unsigned char *line = other + min(max(y + row, 0), height - 1) * width;
#pragma unroll
            for (int column = 0; column < SAD_SIDE; column++)
                sum += abs(block[row][column] - line[min(max(x + column, 0), width - 1)]);
        }
        own[place] = sum;
    }
}
