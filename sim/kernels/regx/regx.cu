// Regular expressions in network packets (Wang, Chen, Tang, Su, GREGEX, IMIS 2011): one automaton for
// all patterns, as a table, and one thread a packet. matches[p] becomes the longest match that begins
// at byte p, if there is one: the number of its pattern, counted from 1, in the upper half of the word,
// its length in the lower one.
//
// Flat, a thread runs the automaton from every byte of its packet on. Under CDP and DTBL it runs it
// from every byte over `prefix` bytes only, the first stage. Where it is alive behind them, a child
// takes the next `window` bytes, with one thread for each that runs the automaton from there on, if
// they are more than `threshold`; otherwise the thread does it for this byte by itself. Whoever looks
// at a byte writes the same, so any order of execution gives the same result.
//
// An entry of the table, 256 for each state, has the next state in its lower half (0: no pattern goes
// on this way) and in the upper one the pattern that ends there, or 0. The first state is 1.
#include "blockyard.h"

// The longest match from `from` on that ends before `end`, in the format of `matches`; also whether
// the automaton goes on at `end`.
static __device__ __forceinline__ uint32_t regx_longest(const uint32_t *table,
                                                        const unsigned char *bytes, uint32_t from,
                                                        uint32_t end, bool *alive) {
    uint32_t state = 1, longest = 0;
#pragma unroll 1
    for (uint32_t at = from; at < end && state != 0; at++) {
        uint32_t entry = __ldg(&table[state * 256 + __ldg(&bytes[at])]);
        state = entry & 0xffff;
        if (entry >> 16) longest = (entry & 0xffff0000) | (at + 1 - from);
    }
    *alive = state != 0;
    return longest;
}

static __device__ __forceinline__ void regx_scan(const uint32_t *table, const unsigned char *bytes,
                                                 uint32_t *matches, uint32_t from, uint32_t end) {
    bool alive;
    uint32_t longest = regx_longest(table, bytes, from, end, &alive);
    if (longest != 0) matches[from] = longest;
}

#if BLOCKYARD_LAUNCH
// A thread for each of the `count` bytes from `first` on.
extern "C" __global__ void regx_suffixes(const uint32_t *table, const unsigned char *bytes,
                                         const uint32_t *bounds, uint32_t *matches, uint32_t packet,
                                         uint32_t first, uint32_t count) {
    uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number < count) regx_scan(table, bytes, matches, first + number, bounds[packet + 1]);
}
#endif

extern "C" __global__ void regx(const uint32_t *table, const unsigned char *bytes,
                                const uint32_t *bounds, uint32_t *matches, uint32_t packets,
                                uint32_t prefix, uint32_t window, uint32_t threshold,
                                uint32_t child_block) {
    uint32_t packet = blockIdx.x * blockDim.x + threadIdx.x;
    if (packet >= packets) return;
    uint32_t at = bounds[packet], end = bounds[packet + 1];
#pragma unroll 1
    while (at < end) {
#if BLOCKYARD_LAUNCH
        // On to the next candidate that is worth a child. The threads of a warp meet behind this
        // loop, so that they launch together.
#pragma unroll 1
        for (; at < end; at++) {
            bool alive;
            if (regx_longest(table, bytes, at, min(at + prefix, end), &alive) == 0 && !alive)
                continue;
            if (min(window, end - at) > threshold) break;
            regx_scan(table, bytes, matches, at, end);
        }
        if (at >= end) return;
        uint32_t count = min(window, end - at);
        blockyard_launch(regx_suffixes, (count + child_block - 1) / child_block, child_block, table,
                         bytes, bounds, matches, packet, at, count);
        at += count;
#else
        regx_scan(table, bytes, matches, at, end);
        at++;
#endif
    }
}
