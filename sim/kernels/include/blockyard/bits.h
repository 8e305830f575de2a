// Integer intrinsics, and the bits of floats.
#pragma once

BLOCKYARD_FUNCTION int __popc(unsigned x) { return __builtin_popcount(x); }
BLOCKYARD_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
BLOCKYARD_FUNCTION int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
BLOCKYARD_FUNCTION int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
BLOCKYARD_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
BLOCKYARD_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
BLOCKYARD_FUNCTION unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
BLOCKYARD_FUNCTION unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}

BLOCKYARD_FUNCTION int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
BLOCKYARD_FUNCTION unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
BLOCKYARD_FUNCTION int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
BLOCKYARD_FUNCTION unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
BLOCKYARD_FUNCTION long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
BLOCKYARD_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return __nvvm_mulhi_ull(a, b);
}
BLOCKYARD_FUNCTION unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    return __nvvm_prmt(a, b, selector);
}

BLOCKYARD_FUNCTION int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
BLOCKYARD_FUNCTION unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
BLOCKYARD_FUNCTION float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
BLOCKYARD_FUNCTION float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
BLOCKYARD_FUNCTION long long __double_as_longlong(double x) {
    return __builtin_bit_cast(long long, x);
}
BLOCKYARD_FUNCTION double __longlong_as_double(long long x) {
    return __builtin_bit_cast(double, x);
}

BLOCKYARD_FUNCTION int __float2int_rn(float x) { return __nvvm_f2i_rn(x); }
BLOCKYARD_FUNCTION int __float2int_rz(float x) { return __nvvm_f2i_rz(x); }
BLOCKYARD_FUNCTION int __float2int_rd(float x) { return __nvvm_f2i_rm(x); }
BLOCKYARD_FUNCTION int __float2int_ru(float x) { return __nvvm_f2i_rp(x); }
BLOCKYARD_FUNCTION unsigned __float2uint_rn(float x) { return __nvvm_f2ui_rn(x); }
BLOCKYARD_FUNCTION unsigned __float2uint_rz(float x) { return __nvvm_f2ui_rz(x); }
BLOCKYARD_FUNCTION float __int2float_rn(int x) { return __nvvm_i2f_rn(x); }
BLOCKYARD_FUNCTION float __uint2float_rn(unsigned x) { return __nvvm_ui2f_rn(x); }
BLOCKYARD_FUNCTION int __double2int_rn(double x) { return __nvvm_d2i_rn(x); }
BLOCKYARD_FUNCTION int __double2int_rz(double x) { return __nvvm_d2i_rz(x); }
BLOCKYARD_FUNCTION int __double2int_rd(double x) { return __nvvm_d2i_rm(x); }
BLOCKYARD_FUNCTION int __double2int_ru(double x) { return __nvvm_d2i_rp(x); }
BLOCKYARD_FUNCTION float __double2float_rn(double x) { return __nvvm_d2f_rn(x); }
BLOCKYARD_FUNCTION int __double2hiint(double x) { return __double_as_longlong(x) >> 32; }
BLOCKYARD_FUNCTION int __double2loint(double x) { return __double_as_longlong(x); }
BLOCKYARD_FUNCTION double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
