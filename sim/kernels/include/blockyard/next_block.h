// What Hopper and Blackwell have for kernels that begin before the one before has ended, and for
// blocks that take others of their grid that have not started. Compilers that know neither pass
// both on as they stand.
#pragma once

// As CUDA calls them ("programmatic dependent launch and synchronization"): lets the kernel begin
// that depends on this one, and waits for the one on which this one depends.
BLOCKYARD_FUNCTION void cudaTriggerProgrammaticLaunchCompletion() {
    __asm__ volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
BLOCKYARD_FUNCTION void cudaGridDependencySynchronize() {
    __asm__ volatile("griddepcontrol.wait;" ::: "memory");
}

// In shared memory: asks for a block that has not started, round by round ("work stealing with
// cluster launch control").
struct alignas(16) blockyard_question {
    unsigned long long reply[2];
    unsigned long long barrier;

    // One thread, once, with a barrier of the block behind it.
    __device__ __forceinline__ void prepare() {
        __asm__ volatile("mbarrier.init.b64 [%0], 1;" ::"l"(&barrier) : "memory");
    }

    // One thread, in each round.
    __device__ __forceinline__ void ask() {
        __asm__ volatile("mbarrier.arrive.expect_tx.b64 _, [%1], 16;\n\t"
                         "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 "
                         "[%0], [%1];" ::"l"(reply),
                         "l"(&barrier)
                         : "memory");
    }

    // Waits for the answer of round `round`, counted from 0: whether there is a block, and which.
    // A barrier of the block has to come before the next round.
    __device__ __forceinline__ bool answer(unsigned round, dim3 &block) {
        unsigned done, found;
        do {
            __asm__ volatile("{ .reg .pred done;\n\t"
                             "mbarrier.try_wait.parity.b64 done, [%1], %2;\n\t"
                             "selp.u32 %0, 1, 0, done; }"
                             : "=r"(done)
                             : "l"(&barrier), "r"(round & 1)
                             : "memory");
        } while (!done);
        __asm__ volatile("{ .reg .b128 reply; .reg .pred found;\n\t"
                         "ld.b128 reply, [%4];\n\t"
                         "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 found, reply;\n\t"
                         "selp.u32 %0, 1, 0, found;\n\t"
                         "mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;\n\t"
                         "@found clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
                         "{%1, %2, %3, _}, reply; }"
                         : "=&r"(found), "=&r"(block.x), "=&r"(block.y), "=&r"(block.z)
                         : "l"(reply)
                         : "memory");
        return found;
    }
};
