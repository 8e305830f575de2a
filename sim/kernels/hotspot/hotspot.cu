// The temperature of a chip (W. Huang et al., HotSpot, IEEE Trans. VLSI 2006), by explicit
// differences on a plane: HS of IKRA's Table 3, with the tiles of Rodinia.
//
// A block takes several steps in shared memory, from one buffer into the other and back. A step
// needs the neighbours of what it finds, so that in each the part of the tile that is right gets
// narrower by a point on every side; blocks overlap by that much, and a block writes what is right
// at the end: SIDE less `pyramid` points on every side. Beyond the rim it is as warm as at the rim.
#include "blockyard.h"

#define HOTSPOT_SIDE 16
#define HOTSPOT_AMBIENT 80.0f

extern "C" __global__ void hotspot(const float *__restrict__ power,
                                   const float *__restrict__ now, float *__restrict__ next,
                                   int width, int height, int pyramid, int steps, float across,
                                   float along, float down, float rate) {
    __shared__ float tile[2][HOTSPOT_SIDE][HOTSPOT_SIDE];
    int column = threadIdx.x, row = threadIdx.y, inner = HOTSPOT_SIDE - 2 * pyramid;
    int x = int(blockIdx.x) * inner + column - pyramid;
    int y = int(blockIdx.y) * inner + row - pyramid;
    bool inside = x >= 0 && y >= 0 && x < width && y < height;
    int at = y * width + x;
    float here = 0.0f, heat = 0.0f;
    if (inside) {
        here = now[at];
        heat = power[at];
    }
    tile[0][row][column] = here;
    __syncthreads();
    int west = x > 0 ? column - 1 : column, east = x + 1 < width ? column + 1 : column;
    int north = y > 0 ? row - 1 : row, south = y + 1 < height ? row + 1 : row;
    for (int step = 0; step < steps; step++) {
        int first = step + 1, last = HOTSPOT_SIDE - 2 - step;
        if (inside && column >= first && column <= last && row >= first && row <= last) {
            const float(*before)[HOTSPOT_SIDE] = tile[step & 1];
            float vertical = before[north][column] + before[south][column];
            float horizontal = before[row][west] + before[row][east];
            float sum = fmaf(fmaf(-2.0f, here, vertical), along, heat);
            sum = fmaf(fmaf(-2.0f, here, horizontal), across, sum);
            sum = fmaf(HOTSPOT_AMBIENT - here, down, sum);
            here = fmaf(rate, sum, here);
        }
        tile[(step + 1) & 1][row][column] = here;
        __syncthreads();
    }
    bool owns = column >= pyramid && column < pyramid + inner && row >= pyramid &&
                row < pyramid + inner;
    if (inside && owns) next[at] = here;
}
