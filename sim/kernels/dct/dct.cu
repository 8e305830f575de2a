// The discrete cosine transform of blocks of 8 by 8 points (N. Ahmed, T. Natarajan, K. Rao, IEEE
// Trans. Computers 1974), and its inverse: JPEG-e and JPEG-d of SRTF's Table 2, with the blocks of
// NVIDIA's SDK.
//
// A block of 64 threads has 32 by 16 points in shared memory, eight blocks of the transform. A thread
// takes a row of one, then a column, each in registers.
#include "blockyard.h"

#define DCT_SIDE 8
#define DCT_WIDTH 32
#define DCT_HEIGHT 16

// Half of the cosine of so many sixteenths of pi.
#define DCT_1 0.490392640f
#define DCT_2 0.461939766f
#define DCT_3 0.415734806f
#define DCT_4 0.353553391f
#define DCT_5 0.277785117f
#define DCT_6 0.191341716f
#define DCT_7 0.0975451610f

// The sum of four products, each but the first joined to what is before.
BLOCKYARD_FUNCTION float dct_sum(float a, float p, float b, float q, float c, float r, float d,
                                 float s) {
    return fmaf(d, s, fmaf(c, r, fmaf(b, q, __fmul_rn(a, p))));
}

// Eight values that are `apart`, in their place.
BLOCKYARD_FUNCTION void dct_forward(float *values, unsigned apart) {
    float sums[4], differences[4];
    for (unsigned at = 0; at < 4; at++) {
        float low = values[at * apart], high = values[(7 - at) * apart];
        sums[at] = low + high;
        differences[at] = low - high;
    }
    float *s = sums, *d = differences;
    values[0 * apart] = dct_sum(s[0], DCT_4, s[1], DCT_4, s[2], DCT_4, s[3], DCT_4);
    values[2 * apart] = dct_sum(s[0], DCT_2, s[1], DCT_6, s[2], -DCT_6, s[3], -DCT_2);
    values[4 * apart] = dct_sum(s[0], DCT_4, s[1], -DCT_4, s[2], -DCT_4, s[3], DCT_4);
    values[6 * apart] = dct_sum(s[0], DCT_6, s[1], -DCT_2, s[2], DCT_2, s[3], -DCT_6);
    values[1 * apart] = dct_sum(d[0], DCT_1, d[1], DCT_3, d[2], DCT_5, d[3], DCT_7);
    values[3 * apart] = dct_sum(d[0], DCT_3, d[1], -DCT_7, d[2], -DCT_1, d[3], -DCT_5);
    values[5 * apart] = dct_sum(d[0], DCT_5, d[1], -DCT_1, d[2], DCT_7, d[3], DCT_3);
    values[7 * apart] = dct_sum(d[0], DCT_7, d[1], -DCT_5, d[2], DCT_3, d[3], -DCT_1);
}

BLOCKYARD_FUNCTION void dct_inverse(float *values, unsigned apart) {
    float v[DCT_SIDE];
    for (unsigned at = 0; at < DCT_SIDE; at++) v[at] = values[at * apart];
    float even[4], odd[4];
    even[0] = dct_sum(v[0], DCT_4, v[2], DCT_2, v[4], DCT_4, v[6], DCT_6);
    even[1] = dct_sum(v[0], DCT_4, v[2], DCT_6, v[4], -DCT_4, v[6], -DCT_2);
    even[2] = dct_sum(v[0], DCT_4, v[2], -DCT_6, v[4], -DCT_4, v[6], DCT_2);
    even[3] = dct_sum(v[0], DCT_4, v[2], -DCT_2, v[4], DCT_4, v[6], -DCT_6);
    odd[0] = dct_sum(v[1], DCT_1, v[3], DCT_3, v[5], DCT_5, v[7], DCT_7);
    odd[1] = dct_sum(v[1], DCT_3, v[3], -DCT_7, v[5], -DCT_1, v[7], -DCT_5);
    odd[2] = dct_sum(v[1], DCT_5, v[3], -DCT_1, v[5], DCT_7, v[7], DCT_3);
    odd[3] = dct_sum(v[1], DCT_7, v[3], -DCT_5, v[5], DCT_3, v[7], -DCT_1);
    for (unsigned at = 0; at < 4; at++) {
        values[at * apart] = even[at] + odd[at];
        values[(7 - at) * apart] = even[at] - odd[at];
    }
}

// The picture has DCT_WIDTH * gridDim.x by DCT_HEIGHT * gridDim.y points.
template <bool INVERSE>
BLOCKYARD_FUNCTION void dct_block(const float *__restrict__ from, float *__restrict__ to) {
    // A word more in each row, against bank conflicts.
    __shared__ float tile[DCT_HEIGHT][DCT_WIDTH + 1];
    unsigned thread = threadIdx.x, width = gridDim.x * DCT_WIDTH;
    unsigned corner = blockIdx.y * DCT_HEIGHT * width + blockIdx.x * DCT_WIDTH;
    unsigned column = thread % DCT_WIDTH, half = thread / DCT_WIDTH;
    for (unsigned row = half; row < DCT_HEIGHT; row += 2)
        tile[row][column] = from[corner + row * width + column];
    __syncthreads();
    float *line = &tile[thread / 4][thread % 4 * DCT_SIDE];
    if (INVERSE)
        dct_inverse(line, 1);
    else
        dct_forward(line, 1);
    __syncthreads();
    line = &tile[half * DCT_SIDE][column];
    if (INVERSE)
        dct_inverse(line, DCT_WIDTH + 1);
    else
        dct_forward(line, DCT_WIDTH + 1);
    __syncthreads();
    for (unsigned row = half; row < DCT_HEIGHT; row += 2)
        to[corner + row * width + column] = tile[row][column];
}

extern "C" __global__ void dct_encode(const float *__restrict__ from, float *__restrict__ to) {
    dct_block<false>(from, to);
}

extern "C" __global__ void dct_decode(const float *__restrict__ from, float *__restrict__ to) {
    dct_block<true>(from, to);
}
