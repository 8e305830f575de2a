// Product recommendation by item-based collaborative filtering (B. Sarwar et al., WWW 2001; on GPUs
// C. Nadungodage et al., IEEE Big Data 2013): which item is most like another one, by the cosine of
// the angle between the ratings that users have given to the two.
//
// `pre` sums up, for the item of each row of `dots`, the products of its rating and that of any item
// by one user. A thread has a part of the users who have rated the item. Under CDP and DTBL it launches
// a child over all pairs of one of these users and one of his ratings, one thread a pair and
// `child_block` threads a block, if there are more than `threshold`. Flat, the thread loops over them.
// `pre_best` finds for each row the item that is most alike, a block a row.
//
// Ratings are compressed by item and by user. They are whole numbers, so that sums are exact, and any
// order of execution gives the same ones.
#include "blockyard.h"

// Adds the product of two ratings, x an item, y what a user thinks of it.
static __device__ __forceinline__ void pre_add(uint32_t *dots, uint2 rating, uint32_t other) {
    atomicAdd(&dots[rating.x], rating.y * other);
}

#if BLOCKYARD_LAUNCH
// before[r]: how many pairs the ratings of `by_item` before r have together.
extern "C" __global__ void pre_pairs(const uint32_t *__restrict__ parts,
                                     const uint2 *__restrict__ by_item,
                                     const uint32_t *__restrict__ before,
                                     const uint32_t *__restrict__ offsets,
                                     const uint2 *__restrict__ by_user, uint32_t *dots,
                                     uint32_t items, uint32_t part) {
    uint32_t begin = __ldg(&parts[3 * part + 1]), end = __ldg(&parts[3 * part + 2]);
    uint32_t pair = __ldg(&before[begin]) + blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= __ldg(&before[end])) return;
    // The last rating before which there are no more pairs.
#pragma unroll 1
    while (end - begin > 1) {
        uint32_t middle = (begin + end) / 2;
        if (__ldg(&before[middle]) <= pair)
            begin = middle;
        else
            end = middle;
    }
    uint2 user = __ldg(&by_item[begin]);
    uint32_t at = __ldg(&offsets[user.x]) + pair - __ldg(&before[begin]);
    uint32_t row = __ldg(&parts[3 * part]);
    pre_add(&dots[row * items], __ldg(&by_user[at]), user.y);
}
#endif

// parts[3 * p]: the row, and where among `by_item` the part begins and ends. by_item: x a user,
// y what he thinks of the item. by_user[offsets[u]] up to by_user[offsets[u + 1]]: what user u has rated,
// x the item, y the rating.
extern "C" __global__ void pre(const uint32_t *__restrict__ parts,
                               const uint2 *__restrict__ by_item,
                               const uint32_t *__restrict__ before,
                               const uint32_t *__restrict__ offsets,
                               const uint2 *__restrict__ by_user, uint32_t *dots, uint32_t items,
                               uint32_t count, uint32_t threshold, uint32_t child_block) {
    uint32_t part = blockIdx.x * blockDim.x + threadIdx.x;
    if (part >= count) return;
    uint32_t row = __ldg(&parts[3 * part]);
    uint32_t begin = __ldg(&parts[3 * part + 1]), end = __ldg(&parts[3 * part + 2]);
#if BLOCKYARD_LAUNCH
    uint32_t pairs = __ldg(&before[end]) - __ldg(&before[begin]);
    if (pairs > threshold) {
        blockyard_launch(pre_pairs, (pairs + child_block - 1) / child_block, child_block, parts,
                         by_item, before, offsets, by_user, dots, items, part);
        return;
    }
#endif
#pragma unroll 1
    for (uint32_t at = begin; at < end; at++) {
        uint2 user = __ldg(&by_item[at]);
        uint32_t last = __ldg(&offsets[user.x + 1]);
#pragma unroll 1
        for (uint32_t with = __ldg(&offsets[user.x]); with < last; with++)
            pre_add(&dots[row * items], __ldg(&by_user[with]), user.y);
    }
}

// The item of row r is r * every. norms[i]: the sum of the squares of item i's ratings. best[r]: the
// first of the items that are most alike, all ones if there is none with a common user.
extern "C" __global__ void pre_best(const uint32_t *__restrict__ dots,
                                    const uint32_t *__restrict__ norms,
                                    uint32_t *__restrict__ best, uint32_t items, uint32_t every) {
    __shared__ unsigned long long most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    uint32_t row = blockIdx.x, item = row * every;
    float norm = norms[item];
    unsigned long long mine = 0;
#pragma unroll 1
    for (uint32_t other = threadIdx.x; other < items; other += blockDim.x) {
        uint32_t dot = dots[row * items + other];
        if (dot == 0 || other == item) continue;
        float cosine = dot / sqrtf(norm * norms[other]);
        // Floats that are not negative are in the order of their bits.
        unsigned long long found = (unsigned long long)__float_as_uint(cosine) << 32 | ~other;
        mine = found > mine ? found : mine;
    }
    atomicMax(&most, mine);
    __syncthreads();
    if (threadIdx.x == 0) best[row] = ~uint32_t(most);
}
