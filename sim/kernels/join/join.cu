// Relational join of two tables that are sorted by key (Diamos, Wu, Wang, Lele, Yalamanchili,
// Relational Algorithms for Multi-Bulk-Synchronous Processors, PPoPP 2013): a binary search finds
// the range of the right table that matches, a prefix sum over the sizes of these ranges says where
// in the result each has its place, and then the pairs are written.
//
// `join_match` has a thread for each row of the left table. The host adds the counts up to offsets,
// one more than there are rows. `join` has a thread for a partition of `part` rows. Under CDP and
// DTBL a partition with more than `threshold` pairs has them written by a child with one thread a
// pair and `child_block` threads a block. Every pair has a place of its own, so any order of
// execution gives the same result.
#include "blockyard.h"

// How many of the `count` sorted words at `words` are less than `word`; with `or_equal` those that
// are equal, too.
static __device__ __forceinline__ uint32_t join_before(const uint32_t *words, uint32_t count,
                                                       uint32_t word, bool or_equal) {
    uint32_t least = 0, most = count;
#pragma unroll 1
    while (least < most) {
        uint32_t middle = (least + most) / 2, found = words[middle];
        if (found < word || (or_equal && found == word))
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

extern "C" __global__ void join_match(const uint32_t *left_keys, const uint32_t *right_keys,
                                      uint32_t *begins, uint32_t *counts, uint32_t left,
                                      uint32_t right) {
    uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= left) return;
    uint32_t key = left_keys[row], begin = join_before(right_keys, right, key, false);
    begins[row] = begin;
    counts[row] = join_before(right_keys + begin, right - begin, key, true);
}

#if BLOCKYARD_LAUNCH
// The pairs of rows `first` to `end`.
extern "C" __global__ void join_pairs(const uint32_t *offsets, const uint32_t *begins,
                                      const uint32_t *left_values, const uint32_t *right_values,
                                      uint2 *pairs, uint32_t first, uint32_t end) {
    uint32_t place = offsets[first] + blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= offsets[end]) return;
    // The last row whose pairs begin at this place or before: rows without pairs are passed over.
    uint32_t row = first + join_before(offsets + first, end - first, place, true) - 1;
    uint32_t match = begins[row] + (place - offsets[row]);
    pairs[place] = {left_values[row], right_values[match]};
}
#endif

extern "C" __global__ void join(const uint32_t *offsets, const uint32_t *begins,
                                const uint32_t *left_values, const uint32_t *right_values,
                                uint2 *pairs, uint32_t left, uint32_t part, uint32_t threshold,
                                uint32_t child_block) {
    uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) * part;
    if (first >= left) return;
    uint32_t end = min(first + part, left), place = offsets[first];
#if BLOCKYARD_LAUNCH
    uint32_t count = offsets[end] - place;
    if (count > threshold) {
        blockyard_launch(join_pairs, (count + child_block - 1) / child_block, child_block, offsets,
                         begins, left_values, right_values, pairs, first, end);
        return;
    }
#endif
#pragma unroll 1
    for (uint32_t row = first; row < end; row++) {
        uint32_t value = left_values[row], match = begins[row], behind = offsets[row + 1];
#pragma unroll 1
        for (; place < behind; place++) pairs[place] = {value, right_values[match++]};
    }
}
