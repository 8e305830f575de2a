// Floats of 16 bits, alone and in pairs, by PTX's instructions of them. Not for the CPU.
#pragma once

#include "../blockyard.h"

struct __attribute__((aligned(2))) __half {
    unsigned short bits;

    __half() = default;
    __device__ __half(float from) {
        __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(from));
    }
    __device__ __half(double from) {
        __asm__("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(from));
    }
    __device__ __half(int from) {
        __asm__("cvt.rn.f16.s32 %0, %1;" : "=h"(bits) : "r"(from));
    }
    __device__ operator float() const {
        float to;
        __asm__("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(bits));
        return to;
    }
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;

namespace blockyard {
BLOCKYARD_FUNCTION unsigned word(__half2 from) { return __builtin_bit_cast(unsigned, from); }
BLOCKYARD_FUNCTION __half2 pair(unsigned from) { return __builtin_bit_cast(__half2, from); }
} // namespace blockyard

BLOCKYARD_FUNCTION __half __float2half(float x) { return x; }
BLOCKYARD_FUNCTION __half __float2half_rn(float x) { return x; }
BLOCKYARD_FUNCTION float __half2float(__half x) { return x; }
BLOCKYARD_FUNCTION unsigned short __half_as_ushort(__half x) { return x.bits; }
BLOCKYARD_FUNCTION __half __ushort_as_half(unsigned short bits) {
    return __builtin_bit_cast(__half, bits);
}

BLOCKYARD_FUNCTION __half2 __halves2half2(__half x, __half y) { return {x, y}; }
BLOCKYARD_FUNCTION __half2 make_half2(__half x, __half y) { return {x, y}; }
BLOCKYARD_FUNCTION __half2 __half2half2(__half x) { return {x, x}; }
BLOCKYARD_FUNCTION __half2 __float2half2_rn(float x) { return {x, x}; }
BLOCKYARD_FUNCTION __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
BLOCKYARD_FUNCTION __half2 __float22half2_rn(float2 from) { return {from.x, from.y}; }
BLOCKYARD_FUNCTION float2 __half22float2(__half2 from) { return {from.x, from.y}; }
BLOCKYARD_FUNCTION float __low2float(__half2 from) { return from.x; }
BLOCKYARD_FUNCTION float __high2float(__half2 from) { return from.y; }
BLOCKYARD_FUNCTION __half __low2half(__half2 from) { return from.x; }
BLOCKYARD_FUNCTION __half __high2half(__half2 from) { return from.y; }

// NAME of two halves and NAME2 of two pairs, with an operator of both.
#define BLOCKYARD_HALVES(name, instruction, symbol)                                                \
    BLOCKYARD_FUNCTION __half name(__half a, __half b) {                                           \
        unsigned short to;                                                                         \
        __asm__(instruction ".f16 %0, %1, %2;" : "=h"(to) : "h"(a.bits), "h"(b.bits));             \
        return __ushort_as_half(to);                                                               \
    }                                                                                              \
    BLOCKYARD_FUNCTION __half2 name##2(__half2 a, __half2 b) {                                     \
        unsigned to;                                                                               \
        __asm__(instruction ".f16x2 %0, %1, %2;"                                                   \
                : "=r"(to)                                                                         \
                : "r"(blockyard::word(a)), "r"(blockyard::word(b)));                               \
        return blockyard::pair(to);                                                                \
    }                                                                                              \
    BLOCKYARD_FUNCTION __half symbol(__half a, __half b) { return name(a, b); }                    \
    BLOCKYARD_FUNCTION __half2 symbol(__half2 a, __half2 b) { return name##2(a, b); }
BLOCKYARD_HALVES(__hadd, "add", operator+)
BLOCKYARD_HALVES(__hsub, "sub", operator-)
BLOCKYARD_HALVES(__hmul, "mul", operator*)
#undef BLOCKYARD_HALVES

BLOCKYARD_FUNCTION __half __hfma(__half a, __half b, __half c) {
    unsigned short to;
    __asm__("fma.rn.f16 %0, %1, %2, %3;" : "=h"(to) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return __ushort_as_half(to);
}
BLOCKYARD_FUNCTION __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    unsigned to;
    __asm__("fma.rn.f16x2 %0, %1, %2, %3;"
            : "=r"(to)
            : "r"(blockyard::word(a)), "r"(blockyard::word(b)), "r"(blockyard::word(c)));
    return blockyard::pair(to);
}
// Rounded once more, which changes nothing: a float has more than twice the digits.
BLOCKYARD_FUNCTION __half __hdiv(__half a, __half b) { return (float)a / (float)b; }
BLOCKYARD_FUNCTION __half operator/(__half a, __half b) { return __hdiv(a, b); }
BLOCKYARD_FUNCTION __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
BLOCKYARD_FUNCTION __half operator-(__half a) { return __hneg(a); }
BLOCKYARD_FUNCTION __half2 __h2div(__half2 a, __half2 b) { return {a.x / b.x, a.y / b.y}; }

#define BLOCKYARD_COMPARED(name, symbol)                                                           \
    BLOCKYARD_FUNCTION bool name(__half a, __half b) { return (float)a symbol(float) b; }
BLOCKYARD_COMPARED(__heq, ==)
BLOCKYARD_COMPARED(__hne, !=)
BLOCKYARD_COMPARED(__hlt, <)
BLOCKYARD_COMPARED(__hle, <=)
BLOCKYARD_COMPARED(__hgt, >)
BLOCKYARD_COMPARED(__hge, >=)
#undef BLOCKYARD_COMPARED

BLOCKYARD_FUNCTION __half &operator+=(__half &a, __half b) { return a = a + b; }
BLOCKYARD_FUNCTION __half &operator-=(__half &a, __half b) { return a = a - b; }
BLOCKYARD_FUNCTION __half &operator*=(__half &a, __half b) { return a = a * b; }
BLOCKYARD_FUNCTION __half2 &operator+=(__half2 &a, __half2 b) { return a = a + b; }
BLOCKYARD_FUNCTION __half2 &operator*=(__half2 &a, __half2 b) { return a = a * b; }
