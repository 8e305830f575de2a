// A step of learning by back propagation in a network of one hidden layer of 16 units (D.
// Rumelhart, G. Hinton, R. Williams, Learning Representations by Back-Propagating Errors, Nature
// 1986): BP of CLASO's Table 2 and IKRA's Table 3, whose grids are those of Rodinia.
//
// A block has UNITS * UNITS threads, for as many weights between UNITS inputs and the hidden layer.
// `backprop_forward` multiplies weights and inputs in shared memory, sums up the inputs of each
// hidden unit in a tree over the rows of threads, and leaves a sum a block, which the host adds up.
// `backprop_adjust` adds to each weight its share of the unit's error, and of its last change.
#include "blockyard.h"

#define UNITS 16

extern "C" __global__ void backprop_forward(const float *__restrict__ inputs,
                                            const float *__restrict__ weights,
                                            float *__restrict__ sums) {
    __shared__ float values[UNITS], products[UNITS][UNITS];
    unsigned unit = threadIdx.x, row = threadIdx.y;
    unsigned input = blockIdx.y * UNITS + row;
    if (unit == 0) values[row] = inputs[input];
    __syncthreads();
    products[row][unit] = weights[input * UNITS + unit] * values[row];
    for (unsigned width = UNITS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (row < width) products[row][unit] += products[row + width][unit];
    }
    if (row == 0) sums[blockIdx.y * UNITS + unit] = products[0][unit];
}

extern "C" __global__ void backprop_adjust(const float *__restrict__ inputs,
                                           float *__restrict__ weights,
                                           float *__restrict__ changes,
                                           const float *__restrict__ errors, float rate,
                                           float momentum) {
    unsigned unit = threadIdx.x, input = blockIdx.y * UNITS + threadIdx.y;
    unsigned weight = input * UNITS + unit;
    float last = __fmul_rn(momentum, changes[weight]);
    float change = fmaf(__fmul_rn(rate, errors[unit]), inputs[input], last);
    weights[weight] += change;
    changes[weight] = change;
}
