// Merge sort. A block sorts a part of the keys: a part of at most `leaf` keys by counting for each key
// those that come before it, any other by sorting its halves and merging them, where the place of a key
// is its place in its own half and the number of keys of the other half that come before it.
//
// Under CDP and DTBL a block launches a grid of two blocks for its halves and waits for it
// (cudaDeviceSynchronize), as in the recursive sorts of A. Adinetz, CUDA Dynamic Parallelism API and
// Principles (NVIDIA 2014); the halves do the same in their turn. Flat, the block itself sorts parts of
// `leaf` keys and merges them, level by level.
//
// The host launches ceil(end / part) blocks with first 0, where `part` is `leaf` times a power of two.
// `other` has as many words as `keys`, and is left with anything.
#include "blockyard.h"

// How many of the `count` sorted keys at `keys` come before `key`; with `or_equal` those that are equal,
// too.
static __device__ __forceinline__ uint32_t before(const uint32_t *keys, uint32_t count,
                                                  uint32_t key, bool or_equal) {
    uint32_t least = 0, most = count;
#pragma unroll 1
    while (least < most) {
        uint32_t middle = (least + most) / 2;
        if (keys[middle] < key || (or_equal && keys[middle] == key))
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

// The block's threads bring back what they have put in order.
static __device__ __forceinline__ void settle(uint32_t *keys, const uint32_t *other,
                                              uint32_t count) {
    __syncthreads();
#pragma unroll 1
    for (uint32_t at = threadIdx.x; at < count; at += blockDim.x) keys[at] = other[at];
    __syncthreads();
}

static __device__ __forceinline__ void sort_leaf(uint32_t *keys, uint32_t *other, uint32_t count) {
#pragma unroll 1
    for (uint32_t at = threadIdx.x; at < count; at += blockDim.x) {
        uint32_t key = keys[at], place = 0;
#pragma unroll 1
        for (uint32_t with = 0; with < count; with++)
            place += keys[with] < key || (keys[with] == key && with < at);
        other[place] = key;
    }
    settle(keys, other, count);
}

// Merges the first `half` keys, which are sorted, with the others, which are, too.
static __device__ __forceinline__ void merge(uint32_t *keys, uint32_t *other, uint32_t half,
                                             uint32_t count) {
#pragma unroll 1
    for (uint32_t at = threadIdx.x; at < count; at += blockDim.x) {
        bool left = at < half;
        uint32_t key = keys[at];
        uint32_t found = left ? before(keys + half, count - half, key, false)
                              : before(keys, half, key, true);
        other[(left ? at : at - half) + found] = key;
    }
    settle(keys, other, count);
}

extern "C" __global__ void sort(uint32_t *keys, uint32_t *other, uint32_t first, uint32_t part,
                                uint32_t end, uint32_t leaf) {
    first += blockIdx.x * part;
    if (first >= end) return;
    uint32_t count = min(part, end - first);
    keys += first;
    other += first;
#if BLOCKYARD_LAUNCH
    if (count <= leaf) {
        sort_leaf(keys, other, count);
        return;
    }
    if (threadIdx.x == 0) {
        blockyard_launch(sort, dim3(2), dim3(blockDim.x), keys, other, 0u, part / 2, count, leaf);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    if (count > part / 2) merge(keys, other, part / 2, count);
#else
#pragma unroll 1
    for (uint32_t from = 0; from < count; from += leaf)
        sort_leaf(keys + from, other + from, min(leaf, count - from));
#pragma unroll 1
    for (uint32_t half = leaf; half < count; half *= 2)
#pragma unroll 1
        for (uint32_t from = 0; from + half < count; from += 2 * half)
            merge(keys + from, other + from, half, min(2 * half, count - from));
#endif
}
