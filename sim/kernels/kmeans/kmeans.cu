// Lloyd's algorithm (Least Squares Quantization in PCM, IEEE Trans. Information Theory 1982): KMS
// of CLASO's Table 2 and KM of IKRA's Table 3, with the two kernels of Rodinia.
//
// `kmeans_turn` turns the table of points, so that neighbouring threads read neighbouring words of
// a feature. `kmeans_assign` has a thread a point, which finds the nearest centre; the centres are
// in constant memory, where all threads of a warp read the same word. Between two of its launches
// the host moves each centre into the middle of its points.
#include "blockyard.h"

#define KMEANS_WORDS 2048

// The features of the first centre, of the second one, ...
__constant__ float kmeans_centres[KMEANS_WORDS];

extern "C" __global__ void kmeans_turn(const float *__restrict__ points,
                                       float *__restrict__ turned, unsigned count,
                                       unsigned features) {
    unsigned point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= count) return;
    for (unsigned feature = 0; feature < features; feature++)
        turned[feature * count + point] = points[point * features + feature];
}

extern "C" __global__ void kmeans_assign(const float *__restrict__ turned,
                                         unsigned *__restrict__ nearest, unsigned count,
                                         unsigned features, unsigned clusters) {
    unsigned point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= count) return;
    unsigned best = 0;
    float least = FLT_MAX;
    for (unsigned cluster = 0; cluster < clusters; cluster++) {
        float distance = 0.0f;
        for (unsigned feature = 0; feature < features; feature++) {
            float apart = turned[feature * count + point] -
                          kmeans_centres[cluster * features + feature];
            distance = fmaf(apart, apart, distance);
        }
        if (distance < least) {
            least = distance;
            best = cluster;
        }
    }
    nearest[point] = best;
}
