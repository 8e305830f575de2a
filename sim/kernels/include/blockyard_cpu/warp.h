// Votes and shuffles. Those with a mask wait for its lanes. Those without are between the lanes
// that come to the same line of the source, which the compiler tells; a kernel in which lanes part
// has to have no two on one line.
#pragma once

namespace blockyard_cpu {

__forceinline__ unsigned ballot(unsigned mask, int holds, int line = 0) {
    const Meeting &meeting = Block::running().meet(line, mask, holds != 0);
    unsigned holding = 0;
    for (unsigned lane = 0; lane < 32; lane++) holding |= unsigned(meeting.said[lane]) << lane;
    return holding;
}

__forceinline__ int all(unsigned mask, int holds, int line = 0) {
    const Meeting &meeting = Block::running().meet(line, mask, holds != 0);
    for (unsigned lane = 0; lane < 32; lane++)
        if ((meeting.lanes >> lane & 1) && !meeting.said[lane]) return 0;
    return 1;
}

// The value of lane `from`; one's own if that is in no segment of one's own or not there.
template <class T>
__forceinline__ T shuffle(unsigned mask, T value, int from, bool inside, int line) {
    static_assert(sizeof(T) <= 8, "a shuffle takes at most 8 bytes");
    uint64_t word = 0;
    memcpy(&word, &value, sizeof(T));
    const Meeting &meeting = Block::running().meet(line, mask, word);
    if (inside && (meeting.lanes >> from & 1)) memcpy(&value, &meeting.said[from], sizeof(T));
    return value;
}

inline int lane() { return int(Block::running().lane()); }

} // namespace blockyard_cpu

BLOCKYARD_FUNCTION unsigned __ballot(int holds, int line = __builtin_LINE()) {
    return blockyard_cpu::ballot(0, holds, line);
}
BLOCKYARD_FUNCTION int __any(int holds, int line = __builtin_LINE()) {
    return blockyard_cpu::ballot(0, holds, line) != 0;
}
BLOCKYARD_FUNCTION int __all(int holds, int line = __builtin_LINE()) {
    return blockyard_cpu::all(0, holds, line);
}
BLOCKYARD_FUNCTION unsigned __activemask(int line = __builtin_LINE()) {
    return blockyard_cpu::ballot(0, 1, line);
}
BLOCKYARD_FUNCTION unsigned __ballot_sync(unsigned mask, int holds) {
    return blockyard_cpu::ballot(mask, holds);
}
BLOCKYARD_FUNCTION int __any_sync(unsigned mask, int holds) {
    return blockyard_cpu::ballot(mask, holds) != 0;
}
BLOCKYARD_FUNCTION int __all_sync(unsigned mask, int holds) {
    return blockyard_cpu::all(mask, holds);
}
BLOCKYARD_FUNCTION void __syncwarp(unsigned mask = 0xffffffff) { blockyard_cpu::ballot(mask, 1); }

// `from` and `inside` see the lane `me`, the first lane `first` of its segment and the operand
// `by`.
#define BLOCKYARD_SHUFFLE(name, type, from, inside)                                                \
    template <class T>                                                                             \
    BLOCKYARD_FUNCTION T name##_sync(unsigned mask, T value, type by, int width = 32,              \
                                     int line = 0) {                                               \
        int me = blockyard_cpu::lane(), first = me & ~(width - 1);                                 \
        (void)first;                                                                               \
        return blockyard_cpu::shuffle(mask, value, (from) & 31, inside, line);                     \
    }                                                                                              \
    template <class T>                                                                             \
    BLOCKYARD_FUNCTION T name(T value, type by, int width = 32, int line = __builtin_LINE()) {     \
        return name##_sync(0, value, by, width, line);                                             \
    }
BLOCKYARD_SHUFFLE(__shfl, int, first + (by & (width - 1)), true)
BLOCKYARD_SHUFFLE(__shfl_up, unsigned, me - int(by), me - int(by) >= first)
BLOCKYARD_SHUFFLE(__shfl_down, unsigned, me + int(by), me + int(by) < first + width)
BLOCKYARD_SHUFFLE(__shfl_xor, int, me ^ by, (me ^ by) < first + width)
#undef BLOCKYARD_SHUFFLE
