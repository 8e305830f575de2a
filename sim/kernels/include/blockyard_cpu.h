// The same names as blockyard.h for the CPU, with which kernels can be checked without any GPU:
//
//     g++ -std=gnu++17 -x c++ -I include -include blockyard.h ...
//
// Every thread of a block is a context of its own with its own stack, all on one thread of the CPU;
// blocks run one after the other. A context runs until it comes to a barrier, a vote or a shuffle,
// so a kernel that waits for another thread in any other way never ends. The order of blocks and
// threads is ascending, or shuffled (blockyard_cpu::shuffle), so that races show.
//
// Launches from the device run when the grid that made them has ended, or in
// cudaDeviceSynchronize(). Shared memory is not cleared between blocks. What a GPU joins to fused
// multiply-adds, approximates, or adds in another order may differ in the last bits.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __noinline__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define BLOCKYARD_FUNCTION static __forceinline__

// The C library has uint, ushort and ulong.
typedef unsigned char uchar;

// Storage without a stack that is declared in a function, as `extern` too. A block that waits for
// its children in cudaDeviceSynchronize() leaves them a thread of the CPU, and so memory of their
// own.
#define __shared__ thread_local

#include "blockyard/vectors.h"
#include "blockyard/minmax.h"
#include "blockyard_cpu/block.h"
#include "blockyard_cpu/warp.h"
#include "blockyard_cpu/functions.h"
#include "blockyard_cpu/launch.h"
#include "blockyard_cpu/next_block.h"
