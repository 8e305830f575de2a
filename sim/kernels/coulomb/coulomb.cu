// The electrostatic potential of point charges on the points of a plane, by direct summation: CP of
// CLASO's Table 2 (J. Stone et al., Accelerating Molecular Modeling Applications with Graphics
// Processors, J. Comput. Chem. 2007, for one plane).
//
// Atoms are in constant memory, from where all threads of a warp read the same one. A thread sums
// up POINTS points of a row, as far apart as a block is wide, so that what an atom's row gives is
// computed once and stores coalesce. Where constant memory does not hold all atoms the host
// launches the kernel again on the next slice of them, whose sums are added to those before.
#include "blockyard.h"

#define POINTS 8
#define ATOMS 4000

// x, y, the square of z, charge.
__constant__ float4 coulomb_atoms[ATOMS];

extern "C" __global__ void coulomb(float *__restrict__ potential, unsigned width, unsigned height,
                                   float spacing, unsigned atoms) {
    unsigned column = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    float x[POINTS], sums[POINTS];
#pragma unroll
    for (unsigned point = 0; point < POINTS; point++) {
        x[point] = __fmul_rn(spacing, (float)(column + point * blockDim.x));
        sums[point] = 0.0f;
    }
    float y = __fmul_rn(spacing, (float)row);
    for (unsigned number = 0; number < atoms; number++) {
        float4 atom = coulomb_atoms[number];
        float dy = y - atom.y;
        float rest = fmaf(dy, dy, atom.z);
#pragma unroll
        for (unsigned point = 0; point < POINTS; point++) {
            float dx = x[point] - atom.x;
            sums[point] = fmaf(atom.w, rsqrtf(fmaf(dx, dx, rest)), sums[point]);
        }
    }
    if (row >= height) return;
#pragma unroll
    for (unsigned point = 0; point < POINTS; point++) {
        unsigned at = column + point * blockDim.x;
        if (at < width) potential[row * width + at] += sums[point];
    }
}
