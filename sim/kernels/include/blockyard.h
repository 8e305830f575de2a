// What CUDA C++ kernels need to become PTX for Blockyard's reference GPU, with clang alone and no
// file of NVIDIA's:
//
//     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S
//           -I include -include blockyard.h -o kernel.ptx kernel.cu
//
// It declares the device side of CUDA only: a file of kernels, without the host's code. A compiler
// for the CPU that includes it gets the same names from blockyard_cpu.h.
//
// Textures are there by handle, and not on the CPU; cooperative groups and floats of 16 bits where
// a file includes cooperative_groups.h or cuda_fp16.h, which are in cuda/. There is none of:
// surfaces, malloc and new.
#ifndef BLOCKYARD_H
#define BLOCKYARD_H

// How device code launches kernels: not at all, as CUDA does, or as groups of DTBL.
#define BLOCKYARD_FLAT 0
#define BLOCKYARD_CDP 1
#define BLOCKYARD_DTBL 2
#ifndef BLOCKYARD_LAUNCH
#define BLOCKYARD_LAUNCH BLOCKYARD_FLAT
#endif

#ifndef __CUDA__

#include "blockyard_cpu.h"

#else

#include "blockyard/qualifiers.h"
#include "blockyard/limits.h"
#include "blockyard/vectors.h"
#include "blockyard/block.h"
#include "blockyard/bits.h"
#include "blockyard/minmax.h"
#include "blockyard/math.h"
#include "blockyard/atomics.h"
#include "blockyard/warp.h"
#include "blockyard/loads.h"
#include "blockyard/textures.h"
#include "blockyard/output.h"
#include "blockyard/launch.h"
#include "blockyard/next_block.h"

#endif

#endif
