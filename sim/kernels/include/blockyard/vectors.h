// dim3 and the short vectors, as large and aligned as CUDA's. For the GPU and the CPU.
#pragma once

// A file may have host code that makes them.
#define BLOCKYARD_MADE BLOCKYARD_FUNCTION __host__
#define BLOCKYARD_VECTORS(name, scalar, align2, align4)                                            \
    struct name##1 { scalar x; };                                                                  \
    struct __attribute__((aligned(align2))) name##2 { scalar x, y; };                              \
    struct name##3 { scalar x, y, z; };                                                            \
    struct __attribute__((aligned(align4))) name##4 { scalar x, y, z, w; };                        \
    BLOCKYARD_MADE name##1 make_##name##1(scalar x) { return {x}; }                                \
    BLOCKYARD_MADE name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }                   \
    BLOCKYARD_MADE name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }      \
    BLOCKYARD_MADE name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {                \
        return {x, y, z, w};                                                                       \
    }

BLOCKYARD_VECTORS(char, signed char, 2, 4)
BLOCKYARD_VECTORS(uchar, unsigned char, 2, 4)
BLOCKYARD_VECTORS(short, short, 4, 8)
BLOCKYARD_VECTORS(ushort, unsigned short, 4, 8)
BLOCKYARD_VECTORS(int, int, 8, 16)
BLOCKYARD_VECTORS(uint, unsigned, 8, 16)
BLOCKYARD_VECTORS(long, long, 16, 16)
BLOCKYARD_VECTORS(ulong, unsigned long, 16, 16)
BLOCKYARD_VECTORS(longlong, long long, 16, 16)
BLOCKYARD_VECTORS(ulonglong, unsigned long long, 16, 16)
BLOCKYARD_VECTORS(float, float, 8, 16)
BLOCKYARD_VECTORS(double, double, 16, 16)
#undef BLOCKYARD_VECTORS
#undef BLOCKYARD_MADE

// The extent of a grid or a block; what is not said is 1.
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 from) : x(from.x), y(from.y), z(from.z) {}
    __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
