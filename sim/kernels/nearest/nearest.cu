// How far places are from one that is asked for: NN of IKRA's Table 3, Rodinia's nearest neighbour
// (a thread a place; the host looks for the nearest of them).
#include "blockyard.h"

extern "C" __global__ void nearest(const float2 *__restrict__ places,
                                   float *__restrict__ distances, unsigned count, float latitude,
                                   float longitude) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float2 place = places[at];
    float north = place.x - latitude, east = place.y - longitude;
    distances[at] = __fsqrt_rn(fmaf(north, north, __fmul_rn(east, east)));
}
