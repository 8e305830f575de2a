// Kernels run one after the other, and blocks too: nobody waits, and nothing is left to take.
#pragma once

BLOCKYARD_FUNCTION void cudaTriggerProgrammaticLaunchCompletion() {}
BLOCKYARD_FUNCTION void cudaGridDependencySynchronize() {}

struct blockyard_question {
    void prepare() {}
    void ask() {}
    bool answer(unsigned, dim3 &) { return false; }
};
