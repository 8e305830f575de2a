// A convolutional neural network that recognizes digits in images of 29 by 29 points (P. Simard,
// D. Steinkraus, J. Platt, Best Practices for Convolutional Neural Networks, ICDAR 2003): NN of
// CLASO's Table 2.
//
// The first two layers are maps: a neuron looks at windows of 5 by 5 points, which are 2 apart, of
// the image or of all maps of the layer before; a block has the neurons of a map and an image. The
// last two layers are dense: a warp has a neuron, and its lanes take the inputs in turn. A neuron's
// weights begin with its bias.
#include "blockyard.h"

#define DIGITS_WINDOW 5
#define DIGITS_APART 2
#define DIGITS_WARPS 4

// 1.7159 * tanh(2 / 3 * x)
BLOCKYARD_FUNCTION float digits_squash(float x) {
    float grown = __expf(__fmul_rn(4.0f / 3.0f, x));
    return __fmul_rn(1.7159f, 1.0f - __fdividef(2.0f, grown + 1.0f));
}

// The neurons (threadIdx.x, threadIdx.y) of map blockIdx.x and image blockIdx.y, from `maps` maps
// of `width` by `width`.
extern "C" __global__ void digits_maps(const float *__restrict__ inputs,
                                       const float *__restrict__ weights,
                                       float *__restrict__ outputs, unsigned maps,
                                       unsigned width) {
    const float *input = inputs + blockIdx.y * maps * width * width;
    const float *weight = weights + blockIdx.x * (1 + maps * DIGITS_WINDOW * DIGITS_WINDOW);
    unsigned corner = DIGITS_APART * (threadIdx.y * width + threadIdx.x);
    float sum = *weight++;
    for (unsigned map = 0; map < maps; map++) {
        for (unsigned row = 0; row < DIGITS_WINDOW; row++)
            for (unsigned column = 0; column < DIGITS_WINDOW; column++)
                sum = fmaf(*weight++, input[corner + row * width + column], sum);
        input += width * width;
    }
    unsigned neuron = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + threadIdx.y;
    outputs[neuron * blockDim.x + threadIdx.x] = digits_squash(sum);
}

// DIGITS_WARPS neurons of image blockIdx.y.
extern "C" __global__ void digits_dense(const float *__restrict__ inputs,
                                        const float *__restrict__ weights,
                                        float *__restrict__ outputs, unsigned count,
                                        unsigned neurons) {
    unsigned lane = threadIdx.x % 32, neuron = blockIdx.x * DIGITS_WARPS + threadIdx.x / 32;
    if (neuron >= neurons) return;
    const float *input = inputs + blockIdx.y * count, *weight = weights + neuron * (1 + count);
    float sum = 0.0f;
    for (unsigned at = lane; at < count; at += 32) sum = fmaf(weight[1 + at], input[at], sum);
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down(sum, step);
    if (lane == 0) outputs[blockIdx.y * neurons + neuron] = digits_squash(weight[0] + sum);
}
