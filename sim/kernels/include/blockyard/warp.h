// Votes and shuffles of a warp. Those with a mask are the same instructions without it: before
// sm_70 the lanes of the mask have to come to the call together, and those that do take part.
#pragma once

// clang's builtins of votes ask for a newer PTX than it writes for sm_35.
#define BLOCKYARD_VOTE(instruction, holds)                                                         \
    ({                                                                                             \
        unsigned lanes_;                                                                           \
        __asm__ volatile("{ .reg .pred %%holds; setp.ne.u32 %%holds, %1, 0; " instruction "; }"    \
                         : "=r"(lanes_)                                                            \
                         : "r"(holds));                                                            \
        lanes_;                                                                                    \
    })
BLOCKYARD_FUNCTION unsigned __ballot(int holds) {
    return BLOCKYARD_VOTE("vote.ballot.b32 %0, %%holds", holds);
}
BLOCKYARD_FUNCTION int __all(int holds) {
    return BLOCKYARD_VOTE("vote.all.pred %%holds, %%holds; selp.u32 %0, 1, 0, %%holds", holds);
}
BLOCKYARD_FUNCTION int __any(int holds) {
    return BLOCKYARD_VOTE("vote.any.pred %%holds, %%holds; selp.u32 %0, 1, 0, %%holds", holds);
}
BLOCKYARD_FUNCTION unsigned __activemask() { return __ballot(1); }
BLOCKYARD_FUNCTION int __all_sync(unsigned, int holds) { return __all(holds); }
BLOCKYARD_FUNCTION int __any_sync(unsigned, int holds) { return __any(holds); }
BLOCKYARD_FUNCTION unsigned __ballot_sync(unsigned mask, int holds) {
    return __ballot(holds) & mask;
}
BLOCKYARD_FUNCTION void __syncwarp(unsigned = 0xffffffff) { __asm__ volatile("" ::: "memory"); }

// `last` is the lane of a segment at which the instruction stops: PTX's operand c without the mask.
#define BLOCKYARD_SHUFFLE(name, kind, by, last)                                                    \
    BLOCKYARD_FUNCTION int name(int value, by lane, int width = 32) {                              \
        return __nvvm_shfl_##kind##_i32(value, lane, (32 - width) << 8 | last);                    \
    }                                                                                              \
    BLOCKYARD_FUNCTION float name(float value, by lane, int width = 32) {                          \
        return __nvvm_shfl_##kind##_f32(value, lane, (32 - width) << 8 | last);                    \
    }                                                                                              \
    BLOCKYARD_FUNCTION unsigned name(unsigned value, by lane, int width = 32) {                    \
        return name((int)value, lane, width);                                                      \
    }                                                                                              \
    BLOCKYARD_FUNCTION unsigned long long name(unsigned long long value, by lane,                  \
                                               int width = 32) {                                   \
        unsigned low = name((unsigned)value, lane, width);                                         \
        unsigned high = name((unsigned)(value >> 32), lane, width);                                \
        return (unsigned long long)high << 32 | low;                                               \
    }                                                                                              \
    BLOCKYARD_FUNCTION long long name(long long value, by lane, int width = 32) {                  \
        return name((unsigned long long)value, lane, width);                                       \
    }                                                                                              \
    BLOCKYARD_FUNCTION double name(double value, by lane, int width = 32) {                        \
        return __longlong_as_double(name(__double_as_longlong(value), lane, width));               \
    }                                                                                              \
    template <class T>                                                                             \
    BLOCKYARD_FUNCTION T name##_sync(unsigned, T value, by lane, int width = 32) {                 \
        return name(value, lane, width);                                                           \
    }
BLOCKYARD_SHUFFLE(__shfl, idx, int, 0x1f)
BLOCKYARD_SHUFFLE(__shfl_up, up, unsigned, 0)
BLOCKYARD_SHUFFLE(__shfl_down, down, unsigned, 0x1f)
BLOCKYARD_SHUFFLE(__shfl_xor, bfly, int, 0x1f)
#undef BLOCKYARD_SHUFFLE

// Newer than sm_35, and executed all the same: the lanes of the mask that have the same value.
#define BLOCKYARD_MATCH(type, bits, constraint, as)                                                \
    BLOCKYARD_FUNCTION unsigned __match_any_sync(unsigned mask, type value) {                      \
        unsigned lanes;                                                                            \
        __asm__ volatile("match.any.sync." bits " %0, %1, %2;"                                     \
                         : "=r"(lanes)                                                             \
                         : constraint(__builtin_bit_cast(as, value)), "r"(mask));                  \
        return lanes;                                                                              \
    }                                                                                              \
    BLOCKYARD_FUNCTION unsigned __match_all_sync(unsigned mask, type value, int *holds) {          \
        unsigned here = __ballot_sync(mask, 1);                                                    \
        *holds = __match_any_sync(mask, value) == here;                                            \
        return *holds ? here : 0;                                                                  \
    }
BLOCKYARD_MATCH(int, "b32", "r", unsigned)
BLOCKYARD_MATCH(unsigned, "b32", "r", unsigned)
BLOCKYARD_MATCH(float, "b32", "r", unsigned)
BLOCKYARD_MATCH(long, "b64", "l", unsigned long)
BLOCKYARD_MATCH(unsigned long, "b64", "l", unsigned long)
BLOCKYARD_MATCH(long long, "b64", "l", unsigned long)
BLOCKYARD_MATCH(unsigned long long, "b64", "l", unsigned long)
BLOCKYARD_MATCH(double, "b64", "l", unsigned long)
#undef BLOCKYARD_MATCH

#define BLOCKYARD_REDUCE(name, type, operation)                                                    \
    BLOCKYARD_FUNCTION type name(unsigned mask, type value) {                                      \
        type found;                                                                                \
        __asm__ volatile("redux.sync." operation " %0, %1, %2;"                                    \
                         : "=r"(found)                                                             \
                         : "r"(value), "r"(mask));                                                 \
        return found;                                                                              \
    }
BLOCKYARD_REDUCE(__reduce_add_sync, unsigned, "add.u32")
BLOCKYARD_REDUCE(__reduce_add_sync, int, "add.s32")
BLOCKYARD_REDUCE(__reduce_min_sync, unsigned, "min.u32")
BLOCKYARD_REDUCE(__reduce_min_sync, int, "min.s32")
BLOCKYARD_REDUCE(__reduce_max_sync, unsigned, "max.u32")
BLOCKYARD_REDUCE(__reduce_max_sync, int, "max.s32")
BLOCKYARD_REDUCE(__reduce_and_sync, unsigned, "and.b32")
BLOCKYARD_REDUCE(__reduce_or_sync, unsigned, "or.b32")
BLOCKYARD_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef BLOCKYARD_REDUCE
