// Cooperative groups: a block, tiles of a warp, the lanes that come to a place together. For the GPU
// and the CPU.
//
// There is none of: groups of whole grids that synchronize, clusters, labelled and binary
// partitions, copies in the background.
#pragma once

#include "../blockyard.h"

namespace cooperative_groups {

namespace details {

BLOCKYARD_FUNCTION unsigned rank_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
BLOCKYARD_FUNCTION unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

// The lanes of a warp in `mask`, whose ranks are in order of lane.
class Lanes {
  public:
    __device__ Lanes(unsigned mask) : mask(mask) {}

    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned size() const { return __popc(mask); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return __popc(mask & ((1u << own()) - 1)); }

    __device__ unsigned ballot(int holds) const {
        unsigned holding = __ballot_sync(mask, holds) & mask, found = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            if (mask >> lane & 1) found |= (holding >> lane & 1) << rank++;
        return found;
    }
    __device__ int any(int holds) const { return (__ballot_sync(mask, holds) & mask) != 0; }
    __device__ int all(int holds) const { return (__ballot_sync(mask, holds) & mask) == mask; }

    // From the thread of that rank; one that is not there gives one's own.
    template <class T> __device__ T shfl(T value, unsigned rank) const {
        return __shfl_sync(mask, value, lane_of(rank < size() ? rank : thread_rank()));
    }
    template <class T> __device__ T shfl_up(T value, unsigned by) const {
        return shfl(value, thread_rank() >= by ? thread_rank() - by : thread_rank());
    }
    template <class T> __device__ T shfl_down(T value, unsigned by) const {
        return shfl(value, thread_rank() + by);
    }
    template <class T> __device__ T shfl_xor(T value, unsigned by) const {
        return shfl(value, thread_rank() ^ by);
    }

  protected:
    __device__ static unsigned own() { return rank_in_block() % 32; }

  private:
    unsigned mask;

    __device__ int lane_of(unsigned rank) const {
        unsigned rest = mask;
        for (unsigned below = 0; below < rank; below++) rest &= rest - 1;
        return __ffs(rest) - 1;
    }
};

// The lanes of the tile of `size` threads in which this one is.
BLOCKYARD_FUNCTION unsigned tile(unsigned size) {
    unsigned first = rank_in_block() % 32 / size * size, threads = threads_of_block();
    unsigned warp = rank_in_block() / 32 * 32, there = threads - warp < 32 ? threads - warp : 32;
    unsigned all = size == 32 ? 0xffffffff : ((1u << size) - 1) << first;
    return there == 32 ? all : all & ((1u << there) - 1);
}

} // namespace details

class thread_block {
  public:
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned size() { return details::threads_of_block(); }
    __device__ static unsigned num_threads() { return size(); }
    __device__ static unsigned thread_rank() { return details::rank_in_block(); }
    __device__ static dim3 group_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static dim3 group_dim() { return blockDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
};
BLOCKYARD_FUNCTION thread_block this_thread_block() { return {}; }

// All threads of the grid, which do not wait for each other.
class grid_group {
  public:
    __device__ static bool is_valid() { return false; }
    __device__ static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    __device__ static unsigned long long num_threads() {
        return num_blocks() * details::threads_of_block();
    }
    __device__ static unsigned long long size() { return num_threads(); }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * details::threads_of_block() + details::rank_in_block();
    }
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static dim3 dim_blocks() { return gridDim; }
};
BLOCKYARD_FUNCTION grid_group this_grid() { return {}; }

// A block, or a part of a warp whose size the compiler does not know.
class thread_group : public details::Lanes {
  public:
    __device__ thread_group(const thread_block &) : Lanes(0), block(true) {}
    __device__ thread_group(const details::Lanes &lanes) : Lanes(lanes), block(false) {}

    __device__ void sync() const { block ? __syncthreads() : Lanes::sync(); }
    __device__ unsigned size() const { return block ? thread_block::size() : Lanes::size(); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const {
        return block ? thread_block::thread_rank() : Lanes::thread_rank();
    }

  private:
    bool block;
};

// 1, 2, 4, 8, 16 or 32 threads that lie together.
template <unsigned count, class Parent = void> class thread_block_tile : public details::Lanes {
    static_assert(count <= 32 && (count & (count - 1)) == 0, "a power of two, 32 at most");

  public:
    __device__ thread_block_tile() : Lanes(details::tile(count)) {}

    __device__ static constexpr unsigned size() { return count; }
    __device__ static constexpr unsigned num_threads() { return count; }
    __device__ static unsigned thread_rank() { return details::rank_in_block() % count; }
    __device__ static unsigned meta_group_rank() { return details::rank_in_block() / count; }
    __device__ static unsigned meta_group_size() {
        return (details::threads_of_block() + count - 1) / count;
    }
};

// Of a tile: a part of it.
template <unsigned count, class Parent>
BLOCKYARD_FUNCTION thread_block_tile<count, Parent> tiled_partition(const Parent &) {
    return {};
}
template <class Parent>
BLOCKYARD_FUNCTION thread_group tiled_partition(const Parent &, unsigned count) {
    return details::Lanes(details::tile(count));
}

// The lanes that come to this place together.
class coalesced_group : public details::Lanes {
  public:
    __device__ coalesced_group(unsigned lanes) : Lanes(lanes) {}
};
#ifdef __CUDA__
BLOCKYARD_FUNCTION coalesced_group coalesced_threads() { return __activemask(); }
#else
BLOCKYARD_FUNCTION coalesced_group coalesced_threads(int line = __builtin_LINE()) {
    return __activemask(line);
}
#endif

template <class Group> BLOCKYARD_FUNCTION void sync(const Group &group) { group.sync(); }

// What `reduce` does with two values.
#define BLOCKYARD_OPERATION(name, of)                                                              \
    template <class T> struct name {                                                               \
        __device__ T operator()(T a, T b) const { return of; }                                     \
    };
BLOCKYARD_OPERATION(plus, a + b)
BLOCKYARD_OPERATION(less, b < a ? b : a)
BLOCKYARD_OPERATION(greater, a < b ? b : a)
BLOCKYARD_OPERATION(bit_and, a & b)
BLOCKYARD_OPERATION(bit_or, a | b)
BLOCKYARD_OPERATION(bit_xor, a ^ b)
#undef BLOCKYARD_OPERATION

// Of all threads of a tile, as a tree: all of them get the result.
template <unsigned count, class Parent, class T, class Operation>
BLOCKYARD_FUNCTION T reduce(const thread_block_tile<count, Parent> &group, T value,
                            Operation operation) {
    for (unsigned by = count / 2; by > 0; by /= 2)
        value = operation(value, group.shfl_xor(value, by));
    return value;
}

} // namespace cooperative_groups
