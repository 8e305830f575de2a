// Functions of floats. Roots, quotients, products and roundings are IEEE's; logarithms, powers,
// sines and cosines are the approximations of the PTX instructions, as nvcc gives under
// -use_fast_math.
#pragma once

BLOCKYARD_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long labs(long x) { return abs(x); }
BLOCKYARD_FUNCTION long long llabs(long long x) { return abs(x); }

// Functions that clang turns into single instructions. float and double, and NAME(float) as well.
#define BLOCKYARD_UNARY(name)                                                                      \
    BLOCKYARD_FUNCTION float name##f(float x) { return __builtin_##name##f(x); }                   \
    BLOCKYARD_FUNCTION double name(double x) { return __builtin_##name(x); }                       \
    BLOCKYARD_FUNCTION float name(float x) { return __builtin_##name##f(x); }
BLOCKYARD_UNARY(sqrt)
BLOCKYARD_UNARY(fabs)
BLOCKYARD_UNARY(floor)
BLOCKYARD_UNARY(ceil)
BLOCKYARD_UNARY(trunc)
BLOCKYARD_UNARY(rint)
#undef BLOCKYARD_UNARY
#define BLOCKYARD_BINARY(name)                                                                     \
    BLOCKYARD_FUNCTION float name##f(float x, float y) { return __builtin_##name##f(x, y); }       \
    BLOCKYARD_FUNCTION double name(double x, double y) { return __builtin_##name(x, y); }          \
    BLOCKYARD_FUNCTION float name(float x, float y) { return __builtin_##name##f(x, y); }
BLOCKYARD_BINARY(fmin)
BLOCKYARD_BINARY(fmax)
BLOCKYARD_BINARY(copysign)
#undef BLOCKYARD_BINARY

BLOCKYARD_FUNCTION float abs(float x) { return fabsf(x); }
BLOCKYARD_FUNCTION double abs(double x) { return fabs(x); }
BLOCKYARD_FUNCTION float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
BLOCKYARD_FUNCTION double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
BLOCKYARD_FUNCTION float roundf(float x) {
    // Halves away from zero, and no sum that rounds 0.49999997 up.
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : copysignf(whole, x);
}
BLOCKYARD_FUNCTION float fmodf(float x, float y) { return fmaf(-truncf(x / y), y, x); }
BLOCKYARD_FUNCTION int isnan(float x) { return x != x; }
BLOCKYARD_FUNCTION int isnan(double x) { return x != x; }
BLOCKYARD_FUNCTION int isinf(float x) { return fabsf(x) == __builtin_inff(); }
BLOCKYARD_FUNCTION int isinf(double x) { return fabs(x) == __builtin_inf(); }

// No product of these is joined to a sum.
BLOCKYARD_FUNCTION float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
BLOCKYARD_FUNCTION float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
BLOCKYARD_FUNCTION float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
BLOCKYARD_FUNCTION float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
BLOCKYARD_FUNCTION float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
BLOCKYARD_FUNCTION float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
BLOCKYARD_FUNCTION float __saturatef(float x) { return __nvvm_saturate_f(x); }
BLOCKYARD_FUNCTION double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
BLOCKYARD_FUNCTION double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }

// Approximations.
BLOCKYARD_FUNCTION float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
BLOCKYARD_FUNCTION float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
BLOCKYARD_FUNCTION double rsqrt(double x) { return 1.0 / sqrt(x); }
BLOCKYARD_FUNCTION float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
BLOCKYARD_FUNCTION float log2f(float x) { return __nvvm_lg2_approx_f(x); }
BLOCKYARD_FUNCTION float expf(float x) { return exp2f(x * 1.44269504f); }
BLOCKYARD_FUNCTION float logf(float x) { return log2f(x) * 0.693147181f; }
BLOCKYARD_FUNCTION float log10f(float x) { return log2f(x) * 0.301029996f; }
BLOCKYARD_FUNCTION float sinf(float x) { return __nvvm_sin_approx_f(x); }
BLOCKYARD_FUNCTION float cosf(float x) { return __nvvm_cos_approx_f(x); }
BLOCKYARD_FUNCTION float tanf(float x) { return __fdividef(sinf(x), cosf(x)); }
BLOCKYARD_FUNCTION float tanhf(float x) { return 1.0f - 2.0f / (expf(2.0f * x) + 1.0f); }
BLOCKYARD_FUNCTION float powf(float x, float y) {
    // lg2 takes no negative number: a whole power of one has the sign of its parity.
    float size = y == 0.0f ? 1.0f : exp2f(y * log2f(fabsf(x)));
    if (x >= 0.0f) return size;
    if (truncf(y) != y) return __builtin_nanf("");
    return fmodf(y, 2.0f) == 0.0f ? size : -size;
}
BLOCKYARD_FUNCTION float __expf(float x) { return expf(x); }
BLOCKYARD_FUNCTION float __logf(float x) { return logf(x); }
BLOCKYARD_FUNCTION float __log2f(float x) { return log2f(x); }
BLOCKYARD_FUNCTION float __sinf(float x) { return sinf(x); }
BLOCKYARD_FUNCTION float __cosf(float x) { return cosf(x); }
BLOCKYARD_FUNCTION float __powf(float x, float y) { return powf(x, y); }

// What C++ calls by one name.
BLOCKYARD_FUNCTION float exp(float x) { return expf(x); }
BLOCKYARD_FUNCTION float log(float x) { return logf(x); }
BLOCKYARD_FUNCTION float sin(float x) { return sinf(x); }
BLOCKYARD_FUNCTION float cos(float x) { return cosf(x); }
BLOCKYARD_FUNCTION float pow(float x, float y) { return powf(x, y); }
