// Loads through the read-only cache.
#pragma once

#define BLOCKYARD_LDG(type, builtin, as)                                                           \
    BLOCKYARD_FUNCTION type __ldg(const type *from) {                                              \
        return (type)__nvvm_ldg_##builtin((const as *)from);                                       \
    }
BLOCKYARD_LDG(char, c, char)
BLOCKYARD_LDG(signed char, c, char)
BLOCKYARD_LDG(unsigned char, uc, unsigned char)
BLOCKYARD_LDG(short, s, short)
BLOCKYARD_LDG(unsigned short, us, unsigned short)
BLOCKYARD_LDG(int, i, int)
BLOCKYARD_LDG(unsigned, ui, unsigned)
BLOCKYARD_LDG(long, l, long)
BLOCKYARD_LDG(unsigned long, ul, unsigned long)
BLOCKYARD_LDG(long long, ll, long long)
BLOCKYARD_LDG(unsigned long long, ull, unsigned long long)
BLOCKYARD_LDG(float, f, float)
BLOCKYARD_LDG(double, d, double)
#undef BLOCKYARD_LDG

// The builtins take clang's own vectors, which are aligned as CUDA's.
#define BLOCKYARD_LDG_VECTOR(type, builtin, scalar, lanes)                                         \
    BLOCKYARD_FUNCTION type __ldg(const type *from) {                                              \
        typedef scalar as __attribute__((ext_vector_type(lanes)));                                 \
        return __builtin_bit_cast(type, __nvvm_ldg_##builtin((const as *)from));                   \
    }
BLOCKYARD_LDG_VECTOR(int2, i2, int, 2)
BLOCKYARD_LDG_VECTOR(int4, i4, int, 4)
BLOCKYARD_LDG_VECTOR(uint2, ui2, unsigned, 2)
BLOCKYARD_LDG_VECTOR(uint4, ui4, unsigned, 4)
BLOCKYARD_LDG_VECTOR(float2, f2, float, 2)
BLOCKYARD_LDG_VECTOR(float4, f4, float, 4)
BLOCKYARD_LDG_VECTOR(double2, d2, double, 2)
#undef BLOCKYARD_LDG_VECTOR
