// printf, assert and the trap.
#pragma once

// clang turns a printf into a vprintf of the arguments in local memory.
extern "C" __device__ int printf(const char *, ...);

BLOCKYARD_FUNCTION void __trap() { __asm__ volatile("trap;"); }
BLOCKYARD_FUNCTION void __brkpt() { __asm__ volatile("brkpt;"); }

extern "C" __device__ void __assertfail(const char *message, const char *file, unsigned line,
                                        const char *function, size_t bytes_of_a_character);

// What glibc's assert calls.
static __device__ inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
    __assertfail(message, file, line, function, 1);
}

#if !defined(assert) && !defined(NDEBUG)
#define assert(holds)                                                                              \
    ((holds) ? (void)0 : __assertfail(#holds, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#elif !defined(assert)
#define assert(holds) ((void)0)
#endif
