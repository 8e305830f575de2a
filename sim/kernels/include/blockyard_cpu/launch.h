// Launches, from the host and from the device.
#pragma once

typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess = 0 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };

namespace blockyard_cpu {

// What device code has launched and has not run yet, in order.
inline thread_local std::vector<std::function<void()>> launched;

inline void run_grid(dim3 grid, dim3 block, const std::function<void()> &kernel) {
    gridDim = grid;
    blockDim = block;
    for (unsigned id : order(grid.x * grid.y * grid.z)) {
        blockIdx = {id % grid.x, id / grid.x % grid.y, id / grid.x / grid.y};
        Block::running().run(kernel);
    }
}

// Also what they launch themselves, until nothing is left.
inline void run_launched() {
    while (!launched.empty()) {
        std::vector<std::function<void()>> now;
        now.swap(launched);
        for (unsigned at : order(now.size())) now[at]();
    }
}

// Arguments become what the kernel's parameters are.
template <class... Parameters>
std::function<void()> bound(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                            typename std::common_type<Parameters>::type... arguments) {
    return [=] { run_grid(grid, block, [=] { kernel(arguments...); }); };
}

template <class Kernel, class... Arguments>
cudaError_t launch_from_device(Kernel *kernel, dim3 grid, dim3 block, Arguments... arguments) {
    launched.push_back(bound(kernel, grid, block, arguments...));
    return cudaSuccess;
}

// From now on blocks, threads and launches run in an order drawn from `seed`; 0: in ascending
// order.
inline void shuffle(unsigned seed) {
    static thread_local std::mt19937 random;
    random.seed(seed);
    shuffled_by = seed == 0 ? nullptr : &random;
}

} // namespace blockyard_cpu

// From the host: runs the grid and all that it launches.
template <class Kernel, class... Arguments>
void blockyard_cpu_launch(Kernel *kernel, dim3 grid, dim3 block, Arguments... arguments) {
    blockyard_cpu::bound(kernel, grid, block, arguments...)();
    blockyard_cpu::run_launched();
}

// Bytes of dynamic shared memory are what its declaration says, see blockyard_cpu_main.h.
#define blockyard_launch_with(kernel, grid, block, shared_bytes, stream, ...)                      \
    ((void)(shared_bytes), (void)(stream),                                                         \
     blockyard_cpu::launch_from_device(&kernel, grid, block, ##__VA_ARGS__))
#define blockyard_launch(kernel, grid, block, ...)                                                 \
    blockyard_launch_with(kernel, grid, block, 0, 0, ##__VA_ARGS__)

// On a thread of its own, where the children's shared memory is not that of the block that waits.
inline cudaError_t cudaDeviceSynchronize() {
    std::vector<std::function<void()>> children;
    children.swap(blockyard_cpu::launched);
    std::mt19937 *shuffled_by = blockyard_cpu::shuffled_by;
    std::thread([&] {
        blockyard_cpu::shuffled_by = shuffled_by;
        blockyard_cpu::launched.swap(children);
        blockyard_cpu::run_launched();
    }).join();
    return cudaSuccess;
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
