// A picture of balls that mirror each other (T. Whitted, An Improved Illumination Model for Shaded
// Display, CACM 1980): RayTracing of SRTF's Table 2.
//
// A thread follows the ray of a point of the picture from ball to ball, as long as something of it
// is left and it meets one. So threads of a warp part, and blocks take longer where balls are.
// Balls are in constant memory, where all threads of a warp read the same one.
#include "blockyard.h"

#define RAYTRACE_BALLS 64
#define RAYTRACE_NEAR 0.001f
#define RAYTRACE_FAR 1.0e30f
// What is left of a ray that is followed no more, and how bright a ball is in the shade.
#define RAYTRACE_LEAST 0.01f
#define RAYTRACE_SHADE 0.2f
// Where the light comes from.
#define RAYTRACE_LIGHT {0.48f, 0.6f, -0.64f}

// Centre and radius; then brightness, and which part of a ray it mirrors.
__constant__ float4 raytrace_places[RAYTRACE_BALLS];
__constant__ float2 raytrace_surfaces[RAYTRACE_BALLS];

struct RaytraceVector {
    float x, y, z;
};

BLOCKYARD_FUNCTION float raytrace_product(RaytraceVector a, RaytraceVector b) {
    return fmaf(a.x, b.x, fmaf(a.y, b.y, __fmul_rn(a.z, b.z)));
}

// From `from` on, `far` times `along`.
BLOCKYARD_FUNCTION RaytraceVector raytrace_moved(RaytraceVector from, float far,
                                                 RaytraceVector along) {
    RaytraceVector to = {fmaf(far, along.x, from.x), fmaf(far, along.y, from.y),
                         fmaf(far, along.z, from.z)};
    return to;
}

// The eye is in front of a picture that is 2 high; balls are behind it.
extern "C" __global__ void raytrace(float *__restrict__ picture, unsigned width, unsigned height,
                                    unsigned balls, unsigned bounces) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float scale = __fdividef(2.0f, float(height));
    const RaytraceVector light = RAYTRACE_LIGHT;
    RaytraceVector from = {0.0f, 0.0f, -2.0f};
    RaytraceVector along = {__fmul_rn(float(int(2 * x) - int(width)), __fmul_rn(0.5f, scale)),
                            __fmul_rn(float(int(height) - int(2 * y)), __fmul_rn(0.5f, scale)),
                            2.0f};
    float length = rsqrtf(raytrace_product(along, along));
    along.x = __fmul_rn(along.x, length);
    along.y = __fmul_rn(along.y, length);
    along.z = __fmul_rn(along.z, length);

    float seen = 0.0f, left = 1.0f;
    for (unsigned bounce = 0; bounce <= bounces && left > RAYTRACE_LEAST; bounce++) {
        float nearest = RAYTRACE_FAR;
        unsigned met = 0;
        for (unsigned ball = 0; ball < balls; ball++) {
            float4 place = raytrace_places[ball];
            RaytraceVector to = {place.x - from.x, place.y - from.y, place.z - from.z};
            float middle = raytrace_product(to, along);
            float beyond = fmaf(-place.w, place.w, raytrace_product(to, to));
            float inside = fmaf(middle, middle, -beyond);
            if (inside <= 0.0f) continue;
            float far = middle - __fsqrt_rn(inside);
            if (far > RAYTRACE_NEAR && far < nearest) {
                nearest = far;
                met = ball;
            }
        }
        if (nearest == RAYTRACE_FAR) {
            // The sky, the brighter the higher.
            seen = fmaf(left, fmaf(0.25f, along.y, 0.5f), seen);
            break;
        }
        float4 place = raytrace_places[met];
        float2 surface = raytrace_surfaces[met];
        from = raytrace_moved(from, nearest, along);
        float turned = __fdividef(1.0f, place.w);
        RaytraceVector normal = {__fmul_rn(from.x - place.x, turned),
                                 __fmul_rn(from.y - place.y, turned),
                                 __fmul_rn(from.z - place.z, turned)};
        float lit = fmaxf(raytrace_product(normal, light), 0.0f) + RAYTRACE_SHADE;
        float bright = __fmul_rn(__fmul_rn(left, 1.0f - surface.y), surface.x);
        seen = fmaf(bright, lit, seen);
        left = __fmul_rn(left, surface.y);
        along = raytrace_moved(along, __fmul_rn(-2.0f, raytrace_product(along, normal)), normal);
    }
    picture[y * width + x] = seen;
}
