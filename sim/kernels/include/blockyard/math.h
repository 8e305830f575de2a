// Functions of floats and doubles. Roots, quotients, products and roundings are IEEE's; what has no
// instruction is called by its name of libdevice, which Blockyard has. The approximations of the PTX
// instructions are those with two underscores: __expf, __sinf.
#pragma once

BLOCKYARD_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
BLOCKYARD_FUNCTION long labs(long x) { return abs(x); }
BLOCKYARD_FUNCTION long long llabs(long long x) { return abs(x); }

namespace blockyard {

// What C++ computes for whole numbers, and for two numbers of different types: doubles.
template <bool> struct Doubles {};
template <> struct Doubles<true> { typedef double type; };
template <class T> struct WholeOf : Doubles<__is_integral(T)> {};
template <class T, class U>
struct MixedOf : Doubles<__is_arithmetic(T) && __is_arithmetic(U)> {};
template <class T> struct MixedOf<T, T> : WholeOf<T> {};
template <class T> using Whole = typename WholeOf<T>::type;
template <class T, class U> using Mixed = typename MixedOf<T, U>::type;

} // namespace blockyard

// NAMEf of float, NAME of double, float, and what becomes a double.
#define BLOCKYARD_UNARY(name, prefix)                                                              \
    BLOCKYARD_FUNCTION float name##f(float x) { return prefix##name##f(x); }                       \
    BLOCKYARD_FUNCTION double name(double x) { return prefix##name(x); }                           \
    BLOCKYARD_FUNCTION float name(float x) { return name##f(x); }                                  \
    template <class T> BLOCKYARD_FUNCTION blockyard::Whole<T> name(T x) { return name(double(x)); }
#define BLOCKYARD_BINARY(name, prefix)                                                             \
    BLOCKYARD_FUNCTION float name##f(float x, float y) { return prefix##name##f(x, y); }           \
    BLOCKYARD_FUNCTION double name(double x, double y) { return prefix##name(x, y); }              \
    BLOCKYARD_FUNCTION float name(float x, float y) { return name##f(x, y); }                      \
    template <class T, class U> BLOCKYARD_FUNCTION blockyard::Mixed<T, U> name(T x, U y) {         \
        return name(double(x), double(y));                                                         \
    }

// Single instructions.
BLOCKYARD_UNARY(sqrt, __builtin_)
BLOCKYARD_UNARY(fabs, __builtin_)
BLOCKYARD_UNARY(floor, __builtin_)
BLOCKYARD_UNARY(ceil, __builtin_)
BLOCKYARD_UNARY(trunc, __builtin_)
BLOCKYARD_UNARY(rint, __builtin_)
BLOCKYARD_UNARY(nearbyint, __builtin_)
BLOCKYARD_BINARY(fmin, __builtin_)
BLOCKYARD_BINARY(fmax, __builtin_)
BLOCKYARD_BINARY(copysign, __builtin_)

// Calls.
#define BLOCKYARD_LIBRARY(parameters, name)                                                        \
    extern "C" __device__ __attribute__((const)) float __nv_##name##f parameters(float);           \
    extern "C" __device__ __attribute__((const)) double __nv_##name parameters(double);
#define BLOCKYARD_ONE(type) (type)
#define BLOCKYARD_TWO(type) (type, type)
#define BLOCKYARD_CALL_ONE(name)                                                                   \
    BLOCKYARD_LIBRARY(BLOCKYARD_ONE, name)                                                         \
    BLOCKYARD_UNARY(name, __nv_)
#define BLOCKYARD_CALL_TWO(name)                                                                   \
    BLOCKYARD_LIBRARY(BLOCKYARD_TWO, name)                                                         \
    BLOCKYARD_BINARY(name, __nv_)
BLOCKYARD_CALL_ONE(exp)
BLOCKYARD_CALL_ONE(exp2)
BLOCKYARD_CALL_ONE(exp10)
BLOCKYARD_CALL_ONE(expm1)
BLOCKYARD_CALL_ONE(log)
BLOCKYARD_CALL_ONE(log2)
BLOCKYARD_CALL_ONE(log10)
BLOCKYARD_CALL_ONE(log1p)
BLOCKYARD_CALL_ONE(sin)
BLOCKYARD_CALL_ONE(cos)
BLOCKYARD_CALL_ONE(tan)
BLOCKYARD_CALL_ONE(asin)
BLOCKYARD_CALL_ONE(acos)
BLOCKYARD_CALL_ONE(atan)
BLOCKYARD_CALL_ONE(sinh)
BLOCKYARD_CALL_ONE(cosh)
BLOCKYARD_CALL_ONE(tanh)
BLOCKYARD_CALL_ONE(asinh)
BLOCKYARD_CALL_ONE(acosh)
BLOCKYARD_CALL_ONE(atanh)
BLOCKYARD_CALL_ONE(cbrt)
BLOCKYARD_CALL_ONE(erf)
BLOCKYARD_CALL_ONE(erfc)
BLOCKYARD_CALL_ONE(lgamma)
BLOCKYARD_CALL_ONE(tgamma)
BLOCKYARD_CALL_ONE(round)
BLOCKYARD_CALL_TWO(atan2)
BLOCKYARD_CALL_TWO(fdim)
BLOCKYARD_CALL_TWO(fmod)
BLOCKYARD_CALL_TWO(hypot)
BLOCKYARD_CALL_TWO(pow)
BLOCKYARD_CALL_TWO(remainder)
#undef BLOCKYARD_CALL_TWO
#undef BLOCKYARD_CALL_ONE
#undef BLOCKYARD_TWO
#undef BLOCKYARD_ONE
#undef BLOCKYARD_LIBRARY
#undef BLOCKYARD_BINARY
#undef BLOCKYARD_UNARY

BLOCKYARD_FUNCTION void sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
BLOCKYARD_FUNCTION void sincos(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}
BLOCKYARD_FUNCTION float rcbrtf(float x) { return 1.0f / cbrtf(x); }
BLOCKYARD_FUNCTION double rcbrt(double x) { return 1.0 / cbrt(x); }

BLOCKYARD_FUNCTION float abs(float x) { return fabsf(x); }
BLOCKYARD_FUNCTION double abs(double x) { return fabs(x); }
BLOCKYARD_FUNCTION float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
BLOCKYARD_FUNCTION double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
BLOCKYARD_FUNCTION int isnan(float x) { return x != x; }
BLOCKYARD_FUNCTION int isnan(double x) { return x != x; }
BLOCKYARD_FUNCTION int isinf(float x) { return fabsf(x) == __builtin_inff(); }
BLOCKYARD_FUNCTION int isinf(double x) { return fabs(x) == __builtin_inf(); }

// No product of these is joined to a sum. They are assembly, since the compiler takes its own
// builtins for plain operators, and joins those.
#define BLOCKYARD_APART(name, type, instruction, constraint)                                       \
    BLOCKYARD_FUNCTION type name(type a, type b) {                                                 \
        type result;                                                                               \
        __asm__(instruction " %0, %1, %2;"                                                         \
                : "=" constraint(result)                                                           \
                : constraint(a), constraint(b));                                                   \
        return result;                                                                             \
    }
BLOCKYARD_APART(__fadd_rn, float, "add.rn.f32", "f")
BLOCKYARD_APART(__fmul_rn, float, "mul.rn.f32", "f")
BLOCKYARD_APART(__dadd_rn, double, "add.rn.f64", "d")
BLOCKYARD_APART(__dmul_rn, double, "mul.rn.f64", "d")
#undef BLOCKYARD_APART
BLOCKYARD_FUNCTION float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
BLOCKYARD_FUNCTION float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
BLOCKYARD_FUNCTION float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
BLOCKYARD_FUNCTION float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
BLOCKYARD_FUNCTION float __saturatef(float x) { return __nvvm_saturate_f(x); }
BLOCKYARD_FUNCTION float __fsub_rn(float a, float b) { return __fadd_rn(a, -b); }
BLOCKYARD_FUNCTION double __dsub_rn(double a, double b) { return __dadd_rn(a, -b); }
BLOCKYARD_FUNCTION double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
BLOCKYARD_FUNCTION double __drcp_rn(double x) { return __nvvm_rcp_rn_d(x); }
BLOCKYARD_FUNCTION double __dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
BLOCKYARD_FUNCTION double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }

// To the nearest whole number, the even one of two.
BLOCKYARD_FUNCTION long lrintf(float x) { return (long)rintf(x); }
BLOCKYARD_FUNCTION long lrint(double x) { return (long)rint(x); }
BLOCKYARD_FUNCTION long long llrintf(float x) { return (long long)rintf(x); }
BLOCKYARD_FUNCTION long long llrint(double x) { return (long long)rint(x); }
// Away from zero where two are as near.
BLOCKYARD_FUNCTION long lroundf(float x) { return (long)roundf(x); }
BLOCKYARD_FUNCTION long lround(double x) { return (long)round(x); }

// Approximations.
BLOCKYARD_FUNCTION float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
BLOCKYARD_FUNCTION float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
BLOCKYARD_FUNCTION double rsqrt(double x) { return 1.0 / sqrt(x); }
BLOCKYARD_FUNCTION float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
BLOCKYARD_FUNCTION float __expf(float x) { return __exp2f(x * 1.44269504f); }
BLOCKYARD_FUNCTION float __exp10f(float x) { return __exp2f(x * 3.32192809f); }
BLOCKYARD_FUNCTION float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
BLOCKYARD_FUNCTION float __logf(float x) { return __log2f(x) * 0.693147181f; }
BLOCKYARD_FUNCTION float __log10f(float x) { return __log2f(x) * 0.301029996f; }
BLOCKYARD_FUNCTION float __sinf(float x) { return __nvvm_sin_approx_f(x); }
BLOCKYARD_FUNCTION float __cosf(float x) { return __nvvm_cos_approx_f(x); }
BLOCKYARD_FUNCTION float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
BLOCKYARD_FUNCTION float __powf(float x, float y) { return __exp2f(y * __log2f(x)); }
BLOCKYARD_FUNCTION void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
