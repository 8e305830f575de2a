// Atomic functions on global and shared memory; each gives the value from before.
#pragma once

#define BLOCKYARD_ATOMIC(name, type, builtin, as)                                                  \
    BLOCKYARD_FUNCTION type name(type *at, type value) {                                           \
        return (type)__nvvm_atom_##builtin((as *)at, (as)value);                                   \
    }
typedef unsigned long long blockyard_ull;
typedef long long blockyard_ll;

BLOCKYARD_ATOMIC(atomicAdd, int, add_gen_i, int)
BLOCKYARD_ATOMIC(atomicAdd, unsigned, add_gen_i, int)
BLOCKYARD_ATOMIC(atomicAdd, blockyard_ull, add_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicAdd, float, add_gen_f, float)
BLOCKYARD_ATOMIC(atomicExch, int, xchg_gen_i, int)
BLOCKYARD_ATOMIC(atomicExch, unsigned, xchg_gen_i, int)
BLOCKYARD_ATOMIC(atomicExch, blockyard_ull, xchg_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicMin, int, min_gen_i, int)
BLOCKYARD_ATOMIC(atomicMin, unsigned, min_gen_ui, unsigned)
BLOCKYARD_ATOMIC(atomicMin, blockyard_ll, min_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicMin, blockyard_ull, min_gen_ull, blockyard_ull)
BLOCKYARD_ATOMIC(atomicMax, int, max_gen_i, int)
BLOCKYARD_ATOMIC(atomicMax, unsigned, max_gen_ui, unsigned)
BLOCKYARD_ATOMIC(atomicMax, blockyard_ll, max_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicMax, blockyard_ull, max_gen_ull, blockyard_ull)
BLOCKYARD_ATOMIC(atomicInc, unsigned, inc_gen_ui, unsigned)
BLOCKYARD_ATOMIC(atomicDec, unsigned, dec_gen_ui, unsigned)
BLOCKYARD_ATOMIC(atomicAnd, int, and_gen_i, int)
BLOCKYARD_ATOMIC(atomicAnd, unsigned, and_gen_i, int)
BLOCKYARD_ATOMIC(atomicAnd, blockyard_ull, and_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicOr, int, or_gen_i, int)
BLOCKYARD_ATOMIC(atomicOr, unsigned, or_gen_i, int)
BLOCKYARD_ATOMIC(atomicOr, blockyard_ull, or_gen_ll, blockyard_ll)
BLOCKYARD_ATOMIC(atomicXor, int, xor_gen_i, int)
BLOCKYARD_ATOMIC(atomicXor, unsigned, xor_gen_i, int)
BLOCKYARD_ATOMIC(atomicXor, blockyard_ull, xor_gen_ll, blockyard_ll)
#undef BLOCKYARD_ATOMIC

BLOCKYARD_FUNCTION int atomicSub(int *at, int value) { return atomicAdd(at, -value); }
BLOCKYARD_FUNCTION unsigned atomicSub(unsigned *at, unsigned value) {
    return atomicAdd(at, 0u - value);
}
BLOCKYARD_FUNCTION float atomicExch(float *at, float value) {
    return __int_as_float(atomicExch((int *)at, __float_as_int(value)));
}

BLOCKYARD_FUNCTION int atomicCAS(int *at, int expected, int value) {
    return __nvvm_atom_cas_gen_i(at, expected, value);
}
BLOCKYARD_FUNCTION unsigned atomicCAS(unsigned *at, unsigned expected, unsigned value) {
    return __nvvm_atom_cas_gen_i((int *)at, expected, value);
}
BLOCKYARD_FUNCTION blockyard_ull atomicCAS(blockyard_ull *at, blockyard_ull expected,
                                           blockyard_ull value) {
    return __nvvm_atom_cas_gen_ll((blockyard_ll *)at, expected, value);
}

// Before sm_60 there is no such instruction: the loop of the CUDA programming guide.
BLOCKYARD_FUNCTION double atomicAdd(double *at, double value) {
    blockyard_ll *bits = (blockyard_ll *)at, seen = *bits, expected;
    do {
        expected = seen;
        double sum = __longlong_as_double(expected) + value;
        seen = __nvvm_atom_cas_gen_ll(bits, expected, __double_as_longlong(sum));
    } while (seen != expected);
    return __longlong_as_double(seen);
}

// Of one scope as of the other: what a thread stores all others see.
#define BLOCKYARD_SCOPES(name)                                                                     \
    template <class T, class... Values>                                                            \
    BLOCKYARD_FUNCTION T name##_system(T *at, Values... values) {                                  \
        return name(at, values...);                                                                \
    }                                                                                              \
    template <class T, class... Values>                                                            \
    BLOCKYARD_FUNCTION T name##_block(T *at, Values... values) {                                   \
        return name(at, values...);                                                                \
    }
BLOCKYARD_SCOPES(atomicAdd)
BLOCKYARD_SCOPES(atomicSub)
BLOCKYARD_SCOPES(atomicExch)
BLOCKYARD_SCOPES(atomicMin)
BLOCKYARD_SCOPES(atomicMax)
BLOCKYARD_SCOPES(atomicInc)
BLOCKYARD_SCOPES(atomicDec)
BLOCKYARD_SCOPES(atomicAnd)
BLOCKYARD_SCOPES(atomicOr)
BLOCKYARD_SCOPES(atomicXor)
BLOCKYARD_SCOPES(atomicCAS)
#undef BLOCKYARD_SCOPES
