// One block: its threads as contexts, its barriers, and the meetings of its warps' lanes.
#pragma once

inline thread_local uint3 threadIdx, blockIdx;
inline thread_local dim3 blockDim, gridDim;
static const int warpSize = 32;

namespace blockyard_cpu {

const size_t stack_bytes = 128 * 1024;

enum class State { Ready, AtBarrier, AtMeeting, Ended };

// What lanes of one warp that come to the same vote or shuffle tell each other.
struct Meeting {
    int line;        // of the source
    unsigned mask;   // the lanes that are waited for; 0: those that come to the same line
    unsigned lanes;  // those that have come
    std::array<uint64_t, 32> said;
};

struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    State state;
    uint3 index;
    unsigned lane;
    bool holds;  // its word at the barrier
    Meeting meeting;
};

[[noreturn]] inline void fail(const char *why) {
    fprintf(stderr, "blockyard_cpu: block (%u, %u, %u): %s\n", blockIdx.x, blockIdx.y, blockIdx.z,
            why);
    abort();
}

inline thread_local std::mt19937 *shuffled_by = nullptr;

// The numbers below `count` in the order in which things run.
inline std::vector<unsigned> order(unsigned count) {
    std::vector<unsigned> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    if (shuffled_by) std::shuffle(numbers.begin(), numbers.end(), *shuffled_by);
    return numbers;
}

class Block {
  public:
    static Block &running() {
        static thread_local Block block;
        return block;
    }

    // Runs all threads of the block blockIdx to their end.
    void run(const std::function<void()> &kernel) {
        count = blockDim.x * blockDim.y * blockDim.z;
        while (threads.size() < count) threads.emplace_back(new Thread);
        body = &kernel;
        for (unsigned id = 0; id < count; id++) begin(id);
        while (step()) {}
    }

    int barrier(bool holds, int (*all_say)(unsigned threads, unsigned holding)) {
        current->holds = holds;
        wait(State::AtBarrier);
        return all_say(at_barrier, holding);
    }

    const Meeting &meet(int line, unsigned mask, uint64_t word) {
        current->meeting = {line, mask, 0, {}};
        current->meeting.said[current->lane] = word;
        wait(State::AtMeeting);
        return current->meeting;
    }

    unsigned lane() const { return current->lane; }

  private:
    std::vector<std::unique_ptr<Thread>> threads;
    unsigned count = 0;
    const std::function<void()> *body = nullptr;
    Thread *current = nullptr;
    ucontext_t scheduler;
    unsigned at_barrier = 0, holding = 0;

    static void enter() {
        Block &block = running();
        (*block.body)();
        block.wait(State::Ended);
    }

    void begin(unsigned id) {
        Thread &thread = *threads[id];
        unsigned row = id / blockDim.x;
        thread.index = {id % blockDim.x, row % blockDim.y, row / blockDim.y};
        thread.lane = id % 32;
        thread.state = State::Ready;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = stack_bytes;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, enter, 0);
    }

    void wait(State as) {
        current->state = as;
        swapcontext(&current->context, &scheduler);
    }

    // Whether there is any thread left.
    bool step() {
        bool ran = false;
        for (unsigned id : order(count)) {
            Thread &thread = *threads[id];
            if (thread.state != State::Ready) continue;
            ran = true;
            current = &thread;
            threadIdx = thread.index;
            swapcontext(&scheduler, &thread.context);
        }
        if (ran) return true;
        bool met = false;
        for (unsigned first = 0; first < count; first += 32) met |= end_meeting(first);
        return met || end_barrier();
    }

    // The lanes of the warp from `first` on of which `test` holds.
    template <class Test> unsigned lanes(unsigned first, Test test) const {
        unsigned found = 0;
        for (unsigned lane = 0; lane < 32 && first + lane < count; lane++)
            if (test(*threads[first + lane])) found |= 1u << lane;
        return found;
    }

    // No lane can go on: those at one meeting do, first where all of a mask have come, then at the
    // lowest line. Lanes that are ahead wait there for those behind, as for those still in a loop.
    bool end_meeting(unsigned first) {
        auto waits = [](const Thread &at) { return at.state == State::AtMeeting; };
        unsigned waiting = lanes(first, waits);
        unsigned living = lanes(first, [](const Thread &at) { return at.state != State::Ended; });
        const Meeting *next = nullptr;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(waiting >> lane & 1)) continue;
            const Meeting &one = threads[first + lane]->meeting;
            if (one.mask != 0) {
                auto same = [&](const Thread &at) {
                    return waits(at) && at.meeting.mask == one.mask;
                };
                if ((one.mask & living & ~lanes(first, same)) != 0) continue;
                next = &one;
                break;
            }
            if (!next || one.line < next->line) next = &one;
        }
        if (!next) return false;
        unsigned mask = next->mask;
        int line = next->line;
        unsigned come = lanes(first, [&](const Thread &at) {
            return waits(at) && at.meeting.mask == mask && (mask != 0 || at.meeting.line == line);
        });
        std::array<uint64_t, 32> said{};
        for (unsigned lane = 0; lane < 32; lane++)
            if (come >> lane & 1) said[lane] = threads[first + lane]->meeting.said[lane];
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(come >> lane & 1)) continue;
            Thread &thread = *threads[first + lane];
            thread.meeting.lanes = come;
            thread.meeting.said = said;
            thread.state = State::Ready;
        }
        return true;
    }

    // Threads that have ended are not waited for.
    bool end_barrier() {
        at_barrier = holding = 0;
        for (unsigned id = 0; id < count; id++) {
            if (threads[id]->state == State::AtMeeting)
                fail("lanes wait in a vote or shuffle for lanes of their mask that do not come");
            if (threads[id]->state != State::AtBarrier) continue;
            threads[id]->state = State::Ready;
            at_barrier++;
            holding += threads[id]->holds;
        }
        return at_barrier != 0;
    }
};

} // namespace blockyard_cpu

BLOCKYARD_FUNCTION void __syncthreads() {
    blockyard_cpu::Block::running().barrier(true, [](unsigned, unsigned) { return 0; });
}
BLOCKYARD_FUNCTION int __syncthreads_count(int holds) {
    return blockyard_cpu::Block::running().barrier(
        holds != 0, [](unsigned, unsigned holding) { return int(holding); });
}
BLOCKYARD_FUNCTION int __syncthreads_and(int holds) {
    return blockyard_cpu::Block::running().barrier(
        holds != 0, [](unsigned threads, unsigned holding) { return int(threads == holding); });
}
BLOCKYARD_FUNCTION int __syncthreads_or(int holds) {
    return blockyard_cpu::Block::running().barrier(
        holds != 0, [](unsigned, unsigned holding) { return int(holding != 0); });
}
