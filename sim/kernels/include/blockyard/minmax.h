// min, max and abs of whole numbers and floats. For the GPU and the CPU.
#pragma once

#define BLOCKYARD_MIN_MAX(type, left, right)                                                       \
    BLOCKYARD_FUNCTION type min(left a, right b) { return (type)a < (type)b ? a : b; }             \
    BLOCKYARD_FUNCTION type max(left a, right b) { return (type)a > (type)b ? a : b; }
BLOCKYARD_MIN_MAX(int, int, int)
BLOCKYARD_MIN_MAX(unsigned, unsigned, unsigned)
BLOCKYARD_MIN_MAX(unsigned, int, unsigned)
BLOCKYARD_MIN_MAX(unsigned, unsigned, int)
BLOCKYARD_MIN_MAX(long, long, long)
BLOCKYARD_MIN_MAX(unsigned long, unsigned long, unsigned long)
BLOCKYARD_MIN_MAX(long long, long long, long long)
BLOCKYARD_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef BLOCKYARD_MIN_MAX

// Of a number and no number, the number.
BLOCKYARD_FUNCTION float min(float a, float b) { return __builtin_fminf(a, b); }
BLOCKYARD_FUNCTION float max(float a, float b) { return __builtin_fmaxf(a, b); }
BLOCKYARD_FUNCTION double min(double a, double b) { return __builtin_fmin(a, b); }
BLOCKYARD_FUNCTION double max(double a, double b) { return __builtin_fmax(a, b); }

BLOCKYARD_FUNCTION double min(float a, double b) { return min((double)a, b); }
BLOCKYARD_FUNCTION double min(double a, float b) { return min(a, (double)b); }
BLOCKYARD_FUNCTION double max(float a, double b) { return max((double)a, b); }
BLOCKYARD_FUNCTION double max(double a, float b) { return max(a, (double)b); }

BLOCKYARD_FUNCTION unsigned umin(unsigned a, unsigned b) { return min(a, b); }
BLOCKYARD_FUNCTION unsigned umax(unsigned a, unsigned b) { return max(a, b); }
