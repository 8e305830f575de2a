// c = a + b, by blocks that take others that have not started when their own work is done: the
// example of the CUDA C++ programming guide, "work stealing with cluster launch control". One thread
// asks while all of them do the work at hand.
#include "blockyard.h"

extern "C" __global__ void steal(const float *__restrict__ a, const float *__restrict__ b,
                                 float *__restrict__ c, unsigned count) {
    __shared__ blockyard_question question;
    if (threadIdx.x == 0) question.prepare();
    __syncthreads();
    dim3 block(blockIdx.x);
    for (unsigned round = 0;; round++) {
        if (threadIdx.x == 0) question.ask();
        unsigned i = block.x * blockDim.x + threadIdx.x;
        if (i < count) c[i] = a[i] + b[i];
        if (!question.answer(round, block)) return;
        __syncthreads();
    }
}
