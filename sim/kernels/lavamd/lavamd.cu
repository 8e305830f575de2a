// The forces between particles of boxes that touch: LM of IKRA's Table 3, after LavaMD (L. Szafaryn
// et al., Trellis, 2012, as Rodinia has it), in doubles but for the approximated power.
//
// A block has a box. For that box and each of its neighbours it loads the particles there into
// shared memory; a thread has one of its own particles and adds up what all of these do to it. What
// boxes are neighbours stands in a table of lists.
#include "blockyard.h"

#define LAVAMD_PARTICLES 100
#define LAVAMD_NEIGHBOURS 27

// Of a particle: half the square of its distance from the origin, and its place.
struct __align__(16) LavamdParticle {
    double square, x, y, z;
};

extern "C" __global__ void lavamd(const unsigned *__restrict__ lists,
                                  const LavamdParticle *__restrict__ particles,
                                  const double *__restrict__ charges,
                                  LavamdParticle *__restrict__ forces, float alpha) {
    __shared__ LavamdParticle others[LAVAMD_PARTICLES];
    __shared__ double pull[LAVAMD_PARTICLES];
    unsigned thread = threadIdx.x, first = blockIdx.x * LAVAMD_PARTICLES;
    // The number of neighbours, itself included, and which they are.
    const unsigned *list = lists + blockIdx.x * (1 + LAVAMD_NEIGHBOURS);
    double scale = 2.0 * double(alpha) * double(alpha);
    LavamdParticle own = {0.0, 0.0, 0.0, 0.0}, force = {0.0, 0.0, 0.0, 0.0};
    bool has = thread < LAVAMD_PARTICLES;
    if (has) own = particles[first + thread];
    for (unsigned number = 0; number < list[0]; number++) {
        unsigned from = list[1 + number] * LAVAMD_PARTICLES;
        if (has) {
            others[thread] = particles[from + thread];
            pull[thread] = charges[from + thread];
        }
        __syncthreads();
        if (has)
            for (unsigned at = 0; at < LAVAMD_PARTICLES; at++) {
                LavamdParticle other = others[at];
                double product =
                    fma(own.x, other.x, fma(own.y, other.y, __dmul_rn(own.z, other.z)));
                double apart = own.square + other.square - product;
                double fades = __expf(-float(__dmul_rn(scale, apart)));
                double strong = __dmul_rn(__dmul_rn(2.0, fades), pull[at]);
                force.square = fma(pull[at], fades, force.square);
                force.x = fma(strong, own.x - other.x, force.x);
                force.y = fma(strong, own.y - other.y, force.y);
                force.z = fma(strong, own.z - other.z, force.z);
            }
        __syncthreads();
    }
    if (has) forces[first + thread] = force;
}
