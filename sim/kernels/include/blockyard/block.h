// A thread's place in its block and grid, barriers, fences, the clock.
#pragma once

// clang's own, which stands without CUDA's headers: threadIdx, blockIdx, blockDim, gridDim,
// warpSize.
#include <__clang_cuda_builtin_vars.h>

#define BLOCKYARD_AS_VECTOR(type)                                                                  \
    __device__ inline type::operator dim3() const { return dim3(x, y, z); }                        \
    __device__ inline type::operator uint3() const { return {x, y, z}; }
BLOCKYARD_AS_VECTOR(__cuda_builtin_threadIdx_t)
BLOCKYARD_AS_VECTOR(__cuda_builtin_blockIdx_t)
BLOCKYARD_AS_VECTOR(__cuda_builtin_blockDim_t)
BLOCKYARD_AS_VECTOR(__cuda_builtin_gridDim_t)
#undef BLOCKYARD_AS_VECTOR

// __syncthreads() is a builtin of clang.
BLOCKYARD_FUNCTION int __syncthreads_count(int holds) { return __nvvm_bar0_popc(holds); }
BLOCKYARD_FUNCTION int __syncthreads_and(int holds) { return __nvvm_bar0_and(holds); }
BLOCKYARD_FUNCTION int __syncthreads_or(int holds) { return __nvvm_bar0_or(holds); }

BLOCKYARD_FUNCTION void __threadfence_block() { __nvvm_membar_cta(); }
BLOCKYARD_FUNCTION void __threadfence() { __nvvm_membar_gl(); }
BLOCKYARD_FUNCTION void __threadfence_system() { __nvvm_membar_sys(); }

typedef long clock_t;
BLOCKYARD_FUNCTION clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
BLOCKYARD_FUNCTION long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
