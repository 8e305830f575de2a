// Atomics, which are plain on one thread, and the intrinsics. Those of <cmath> are the library's.
#pragma once

namespace blockyard_cpu {
// Takes no part in finding out T.
template <class T> struct Same { typedef T type; };
} // namespace blockyard_cpu

#define BLOCKYARD_ATOMIC(name, result)                                                             \
    template <class T>                                                                             \
    BLOCKYARD_FUNCTION T name(T *at, typename blockyard_cpu::Same<T>::type value) {                \
        T old = *at;                                                                               \
        *at = result;                                                                              \
        return old;                                                                                \
    }
BLOCKYARD_ATOMIC(atomicAdd, old + value)
BLOCKYARD_ATOMIC(atomicSub, old - value)
BLOCKYARD_ATOMIC(atomicExch, value)
BLOCKYARD_ATOMIC(atomicMin, value < old ? value : old)
BLOCKYARD_ATOMIC(atomicMax, value > old ? value : old)
BLOCKYARD_ATOMIC(atomicAnd, old &value)
BLOCKYARD_ATOMIC(atomicOr, old | value)
BLOCKYARD_ATOMIC(atomicXor, old ^ value)
BLOCKYARD_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
BLOCKYARD_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef BLOCKYARD_ATOMIC
template <class T>
BLOCKYARD_FUNCTION T atomicCAS(T *at, typename blockyard_cpu::Same<T>::type expected,
                               typename blockyard_cpu::Same<T>::type value) {
    T old = *at;
    if (old == expected) *at = value;
    return old;
}

template <class T> BLOCKYARD_FUNCTION T __ldg(const T *from) { return *from; }
BLOCKYARD_FUNCTION void __threadfence_block() {}
BLOCKYARD_FUNCTION void __threadfence() {}
BLOCKYARD_FUNCTION void __threadfence_system() {}
BLOCKYARD_FUNCTION void __trap() { blockyard_cpu::fail("trap"); }
BLOCKYARD_FUNCTION void __brkpt() {}
// A count of calls: it grows, as on a GPU. clock() is the library's.
inline long long clock64() {
    static thread_local long long calls = 0;
    return ++calls;
}

BLOCKYARD_FUNCTION int __popc(unsigned x) { return __builtin_popcount(x); }
BLOCKYARD_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
BLOCKYARD_FUNCTION int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
BLOCKYARD_FUNCTION int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
BLOCKYARD_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
BLOCKYARD_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
BLOCKYARD_FUNCTION unsigned __brev(unsigned x) {
    unsigned turned = 0;
    for (int bit = 0; bit < 32; bit++) turned |= (x >> bit & 1) << (31 - bit);
    return turned;
}
BLOCKYARD_FUNCTION unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
// PTX's mul24.lo: the low 32 bits of the product of the low 24 bits.
BLOCKYARD_FUNCTION unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
BLOCKYARD_FUNCTION int __mul24(int a, int b) {
    return int(unsigned(int(unsigned(a) << 8) >> 8) * unsigned(int(unsigned(b) << 8) >> 8));
}
BLOCKYARD_FUNCTION int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
BLOCKYARD_FUNCTION unsigned __umulhi(unsigned a, unsigned b) {
    return unsigned((unsigned long long)a * b >> 32);
}
BLOCKYARD_FUNCTION long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
BLOCKYARD_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
BLOCKYARD_FUNCTION unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned result = 0;
    for (int at = 0; at < 4; at++) {
        unsigned choice = selector >> 4 * at & 15;
        unsigned byte = unsigned(bytes >> 8 * (choice & 7)) & 0xff;
        if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * at;
    }
    return result;
}

#define BLOCKYARD_BITS(name, to, from)                                                             \
    BLOCKYARD_FUNCTION to name(from x) {                                                           \
        to bits;                                                                                   \
        memcpy(&bits, &x, sizeof bits);                                                            \
        return bits;                                                                               \
    }
BLOCKYARD_BITS(__float_as_int, int, float)
BLOCKYARD_BITS(__float_as_uint, unsigned, float)
BLOCKYARD_BITS(__int_as_float, float, int)
BLOCKYARD_BITS(__uint_as_float, float, unsigned)
BLOCKYARD_BITS(__double_as_longlong, long long, double)
BLOCKYARD_BITS(__longlong_as_double, double, long long)
#undef BLOCKYARD_BITS

// As PTX's cvt: what does not fit becomes the nearest that does, and no number becomes 0.
template <class T> inline T blockyard_whole(float x) {
    const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (x != x) return 0;
    return double(x) <= double(low) ? low : double(x) >= double(high) ? high : T(x);
}
BLOCKYARD_FUNCTION int __float2int_rn(float x) { return blockyard_whole<int>(rintf(x)); }
BLOCKYARD_FUNCTION int __float2int_rz(float x) { return blockyard_whole<int>(truncf(x)); }
BLOCKYARD_FUNCTION int __float2int_rd(float x) { return blockyard_whole<int>(floorf(x)); }
BLOCKYARD_FUNCTION int __float2int_ru(float x) { return blockyard_whole<int>(ceilf(x)); }
BLOCKYARD_FUNCTION unsigned __float2uint_rn(float x) { return blockyard_whole<unsigned>(rintf(x)); }
BLOCKYARD_FUNCTION unsigned __float2uint_rz(float x) {
    return blockyard_whole<unsigned>(truncf(x));
}
BLOCKYARD_FUNCTION float __int2float_rn(int x) { return float(x); }
BLOCKYARD_FUNCTION float __uint2float_rn(unsigned x) { return float(x); }

BLOCKYARD_FUNCTION float __fadd_rn(float a, float b) { return a + b; }
BLOCKYARD_FUNCTION float __fmul_rn(float a, float b) { return a * b; }
BLOCKYARD_FUNCTION float __fdiv_rn(float a, float b) { return a / b; }
BLOCKYARD_FUNCTION float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
BLOCKYARD_FUNCTION float __fsqrt_rn(float x) { return sqrtf(x); }
BLOCKYARD_FUNCTION float __frcp_rn(float x) { return 1.0f / x; }
BLOCKYARD_FUNCTION float __saturatef(float x) { return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f; }
BLOCKYARD_FUNCTION double __dadd_rn(double a, double b) { return a + b; }
BLOCKYARD_FUNCTION double __dmul_rn(double a, double b) { return a * b; }
BLOCKYARD_FUNCTION float __fdividef(float a, float b) { return a / b; }
// As the instruction of the simulated GPU: rounded once.
BLOCKYARD_FUNCTION float rsqrtf(float x) { return float(1.0 / sqrt(double(x))); }
BLOCKYARD_FUNCTION double rsqrt(double x) { return 1.0 / sqrt(x); }
BLOCKYARD_FUNCTION float rcbrtf(float x) { return 1.0f / cbrtf(x); }
BLOCKYARD_FUNCTION double rcbrt(double x) { return 1.0 / cbrt(x); }

// As the instructions of the simulated GPU: rounded once. The library declares functions of these
// names, and has none.
#define __exp2f(x) float(exp2(double(x)))
#define __log2f(x) float(log2(double(x)))
#define __sinf(x) float(sin(double(x)))
#define __cosf(x) float(cos(double(x)))
#define __expf(x) __exp2f(1.44269504f * (x))
#define __exp10f(x) __exp2f(3.32192809f * (x))
#define __logf(x) (__log2f(x) * 0.693147181f)
#define __log10f(x) (__log2f(x) * 0.301029996f)
#define __tanf(x) (__sinf(x) / __cosf(x))
#define __powf(x, y) __exp2f((y) * __log2f(x))
#define __sincosf(x, sine, cosine) (*(sine) = __sinf(x), *(cosine) = __cosf(x))
