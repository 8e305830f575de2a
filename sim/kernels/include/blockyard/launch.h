// Launches from the device: one source for CDP and DTBL.
//
//     #if BLOCKYARD_LAUNCH
//         blockyard_launch(child, blocks, threads, argument, ...);
//     #endif
//
// `child` is a kernel that is declared extern "C" above. The call gives 0 once the launch is on its
// way.
#pragma once

typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess = 0 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };

extern "C" {
__device__ cudaError_t cudaDeviceSynchronize();
__device__ cudaError_t cudaGetLastError();
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);

// The device runtime of the CUDA programming guide (PTX section of its chapter on dynamic
// parallelism).
__device__ void *cudaGetParameterBufferV2(void *kernel, dim3 grid, dim3 block,
                                          unsigned shared_bytes);
__device__ cudaError_t cudaLaunchDeviceV2(void *buffer, cudaStream_t stream);

// Blockyard's: launches what `buffer` describes as an aggregated group of DTBL.
__device__ cudaError_t blockyard_launch_group(void *buffer);
}

namespace blockyard {

// Stores arguments behind `offset` bytes, each at the next multiple of its alignment.
template <unsigned offset> BLOCKYARD_FUNCTION void store_arguments(char *) {}
template <unsigned offset, class First, class... Rest>
BLOCKYARD_FUNCTION void store_arguments(char *buffer, First first, Rest... rest) {
    constexpr unsigned at = (offset + alignof(First) - 1) / alignof(First) * alignof(First);
    *(First *)(buffer + at) = first;
    store_arguments<at + sizeof(First)>(buffer, rest...);
}

// Arguments become what the kernel's parameters are.
template <class Kernel> struct Launch;
template <class... Parameters> struct Launch<void(Parameters...)> {
    static __device__ __forceinline__ cudaError_t run(void *kernel, dim3 grid, dim3 block,
                                                      unsigned shared_bytes, cudaStream_t stream,
                                                      Parameters... arguments) {
        void *buffer = cudaGetParameterBufferV2(kernel, grid, block, shared_bytes);
        store_arguments<0>((char *)buffer, arguments...);
#if BLOCKYARD_LAUNCH == BLOCKYARD_DTBL
        (void)stream;
        return blockyard_launch_group(buffer);
#else
        return cudaLaunchDeviceV2(buffer, stream);
#endif
    }
};

} // namespace blockyard

#if BLOCKYARD_LAUNCH

// clang has no expression for the address of a kernel in device code.
#define BLOCKYARD_KERNEL(kernel)                                                                   \
    ({                                                                                             \
        void *address;                                                                             \
        __asm__("mov.u64 %0, " #kernel ";" : "=l"(address));                                       \
        address;                                                                                   \
    })

// With bytes of dynamic shared memory, and a stream, of which DTBL's groups have none.
#define blockyard_launch_with(kernel, grid, block, shared_bytes, stream, ...)                      \
    blockyard::Launch<decltype(kernel)>::run(BLOCKYARD_KERNEL(kernel), grid, block, shared_bytes,  \
                                             stream, ##__VA_ARGS__)

#else

#define blockyard_launch_with(kernel, ...)                                                         \
    ({                                                                                             \
        static_assert(false, "launches need -DBLOCKYARD_LAUNCH=1 (CDP) or 2 (DTBL)");              \
        cudaSuccess;                                                                               \
    })

#endif

#define blockyard_launch(kernel, grid, block, ...)                                                 \
    blockyard_launch_with(kernel, grid, block, 0, 0, ##__VA_ARGS__)
