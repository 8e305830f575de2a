// Adaptive mesh refinement over arrays of cells (AMR of DTBL, section 4.1, figure 2a): a cell of the
// initial grid whose energy is near the one at which a mixture burns is hot, and becomes a block of
// `refine` by `refine` finer cells. These are hot in their turn when they are nearer still, down to
// `levels` levels of blocks. The energy of a finer cell is half-way from that of its parent to the one
// interpolated between the centres of the initial grid.
//
// The host launches ceil(width / refine) by ceil(height / refine) blocks of `refine` by `refine`
// threads for the initial grid, with `block` 0. Under CDP and DTBL a thread launches this kernel for
// each hot cell, with one block of the same size: under DTBL it is coalesced to the host's launch. Flat,
// a thread walks through all that its cell is refined into, cell after cell.
//
// Blocks are numbered from 1 on in the order in which they are asked for; so their numbers depend on
// the order of execution, and nothing else does. The cells of the grid come first in `energies` and
// `children`, row by row, and then those of block 1, of block 2 and so on. children[cell] is the block
// into which a hot cell is refined; others keep their 0. `bands` has for each level how far from
// `threshold` the energy of a hot cell may be, `scale` is half of the side of the smallest cells, where
// that of a cell of the grid is 1.
#include "blockyard.h"

struct AmrMesh {
    const float *initial, *bands;
    float *energies;
    uint32_t *children;
    uint4 *blocks;
    uint32_t *count;
    uint32_t width, height, refine, levels;
    float threshold, scale;
};

// Where the cells of a block lie: in which cell of the grid, where in it, with which side, the last two
// in units of the smallest cells.
struct AmrPlace {
    uint32_t root_x, root_y, left, top, side, level;
};

static __device__ __forceinline__ uint4 amr_pack(uint32_t parent, AmrPlace at) {
    return {parent, at.root_x | at.root_y << 16, at.left | at.top << 16, at.level | at.side << 8};
}

static __device__ __forceinline__ AmrPlace amr_unpack(uint4 block) {
    return {block.y & 0xffff, block.y >> 16, block.z & 0xffff,
            block.z >> 16,    block.w >> 8,  block.w & 0xff};
}

// The two cells of a row or column of `cells` cells between whose centres a point lies, and how far
// from the first one. `middle` is where it is in cell `root`, in units of `scale`; `whole` is the side
// of that cell.
static __device__ __forceinline__ float amr_between(uint32_t root, uint32_t cells, uint32_t middle,
                                                    uint32_t whole, float scale, uint32_t *first,
                                                    uint32_t *second) {
    bool before = middle < whole;
    *first = before && root > 0 ? root - 1 : root;
    *second = before || root + 1 == cells ? root : root + 1;
    return fmaf((float)middle, scale, before ? 0.5f : -0.5f);
}

static __device__ __forceinline__ float amr_interpolated(const AmrMesh &mesh, AmrPlace at,
                                                         uint32_t whole) {
    uint32_t left, right, above, below;
    float x = amr_between(at.root_x, mesh.width, 2 * at.left + at.side, whole, mesh.scale, &left,
                          &right);
    float y = amr_between(at.root_y, mesh.height, 2 * at.top + at.side, whole, mesh.scale, &above,
                          &below);
    const float *first = mesh.initial + above * mesh.width;
    const float *second = mesh.initial + below * mesh.width;
    float upper = fmaf(x, __ldg(&first[right]) - __ldg(&first[left]), __ldg(&first[left]));
    float lower = fmaf(x, __ldg(&second[right]) - __ldg(&second[left]), __ldg(&second[left]));
    return fmaf(y, lower - upper, upper);
}

// Stores the energy of a cell. If it is hot it gets a block, whose number the call gives, else 0.
static __device__ __forceinline__ uint32_t amr_settle(const AmrMesh &mesh, uint32_t cell,
                                                      AmrPlace at, float energy) {
    mesh.energies[cell] = energy;
    if (at.level == mesh.levels) return 0;
    if (!(fabsf(energy - mesh.threshold) <= __ldg(&mesh.bands[at.level]))) return 0;
    uint32_t block = atomicAdd(mesh.count, 1u) + 1;
    at.side /= mesh.refine;
    at.level++;
    mesh.blocks[block - 1] = amr_pack(cell, at);
    mesh.children[cell] = block;
    return block;
}

// As amr_settle, for cell (x, y) of the block, where those of its parent are known.
static __device__ __forceinline__ uint32_t amr_finer(const AmrMesh &mesh, uint32_t block,
                                                     AmrPlace at, float parent, uint32_t whole,
                                                     uint32_t x, uint32_t y) {
    uint32_t cells = mesh.refine * mesh.refine;
    uint32_t cell = mesh.width * mesh.height + (block - 1) * cells + y * mesh.refine + x;
    at.left += x * at.side;
    at.top += y * at.side;
    float energy = amr_interpolated(mesh, at, whole);
    return amr_settle(mesh, cell, at, fmaf(0.5f, parent - energy, energy));
}

extern "C" __global__ void amr(const float *initial, const float *bands, float *energies,
                               uint32_t *children, uint4 *blocks, uint32_t *count, uint32_t width,
                               uint32_t height, uint32_t refine, uint32_t levels, uint32_t whole,
                               float threshold, float scale, uint32_t block) {
    AmrMesh mesh = {initial, bands,  energies, children, blocks,    count,
                    width,   height, refine,   levels,   threshold, scale};
    uint32_t child;
    if (block == 0) {
        uint32_t x = blockIdx.x * refine + threadIdx.x, y = blockIdx.y * refine + threadIdx.y;
        if (x >= width || y >= height) return;
        uint32_t cell = y * width + x;
        child = amr_settle(mesh, cell, {x, y, 0, 0, whole, 0}, __ldg(&initial[cell]));
    }
#if BLOCKYARD_LAUNCH
    else {
        uint4 packed = blocks[block - 1];
        child = amr_finer(mesh, block, amr_unpack(packed), energies[packed.x], whole, threadIdx.x,
                          threadIdx.y);
    }
    if (child != 0)
        blockyard_launch(amr, dim3(1), dim3(refine, refine), initial, bands, energies, children,
                         blocks, count, width, height, refine, levels, whole, threshold, scale,
                         child);
#else
    else {
        return;
    }
    // Depth first: into a hot cell at once, and behind the last cell of a block on with the one
    // after its parent.
    uint32_t first = child, x = 0, y = 0;
#pragma unroll 1
    while (child != 0) {
        uint32_t number = child;
        uint4 packed = blocks[number - 1];
        AmrPlace at = amr_unpack(packed);
        float parent = energies[packed.x];
        child = 0;
#pragma unroll 1
        while (child == 0 && y < refine) {
            child = amr_finer(mesh, number, at, parent, whole, x, y);
            if (++x == refine) {
                x = 0;
                y++;
            }
        }
        if (child != 0) {
            x = y = 0;
        } else if (number != first) {
            uint32_t cell = packed.x - width * height, place = cell % (refine * refine);
            child = cell / (refine * refine) + 1;
            x = (place + 1) % refine;
            y = (place + 1) / refine;
        }
    }
#endif
}
