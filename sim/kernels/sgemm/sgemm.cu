// C = A * B for matrices of floats whose columns lie together, by outer products (V. Volkov, J.
// Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, SC 2008): SG of IKRA's Table 3, with the
// blocks of Parboil.
//
// A block has ROWS rows and COLUMNS columns of C, a thread one of these rows, in registers. A tile of
// DEPTH rows of B goes through shared memory, where all threads read the same word.
#include "blockyard.h"

#define SGEMM_COLUMNS 16
#define SGEMM_DEPTH 8
#define SGEMM_ROWS (SGEMM_COLUMNS * SGEMM_DEPTH)

extern "C" __global__ void sgemm(const float *__restrict__ a, const float *__restrict__ b,
                                 float *__restrict__ c, unsigned rows, unsigned columns,
                                 unsigned inner) {
    __shared__ float tile[SGEMM_DEPTH][SGEMM_COLUMNS];
    unsigned thread = threadIdx.y * SGEMM_COLUMNS + threadIdx.x;
    unsigned row = blockIdx.x * SGEMM_ROWS + thread, first = blockIdx.y * SGEMM_COLUMNS;
    float sums[SGEMM_COLUMNS];
    for (unsigned column = 0; column < SGEMM_COLUMNS; column++) sums[column] = 0.0f;
    for (unsigned from = 0; from < inner; from += SGEMM_DEPTH) {
        unsigned at = from + threadIdx.y, column = first + threadIdx.x;
        bool inside = at < inner && column < columns;
        tile[threadIdx.y][threadIdx.x] = inside ? b[at * columns + column] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < SGEMM_DEPTH; k++) {
            float left = row < rows && from + k < inner ? a[(from + k) * rows + row] : 0.0f;
#pragma unroll
            for (unsigned other = 0; other < SGEMM_COLUMNS; other++)
                sums[other] = fmaf(left, tile[k][other], sums[other]);
        }
        __syncthreads();
    }
    if (row >= rows) return;
#pragma unroll
    for (unsigned column = 0; column < SGEMM_COLUMNS; column++)
        if (first + column < columns) c[(first + column) * rows + row] = sums[column];
}
