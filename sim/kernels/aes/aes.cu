// AES with keys of 128 bits (FIPS 197), as Manavski has it (CUDA Compatible GPU as an Efficient
// Hardware Accelerator for AES Cryptography, ICSPC 2007): AES of CLASO's Table 2, AES-e and AES-d
// of SRTF's Table 2.
//
// A state of 16 bytes has four threads, one a column; a block has THREADS columns. A round reads
// the four bytes of a column from as many columns of the state, which is in shared memory, and
// looks each up in a table of its row, which joins the substitution of bytes to the product of
// columns. Tables and keys are in constant memory: which words a warp reads, data decide. The last
// round multiplies no columns: a fifth table has the substitution alone. To decrypt, the host gives
// tables and keys of the equivalent inverse cipher, and rows turn the other way.
#include "blockyard.h"

#define AES_THREADS 256
#define AES_ROUNDS 10

__constant__ unsigned aes_keys[4 * (AES_ROUNDS + 1)];
// Of rows 0 to 3, and the substitution.
__constant__ unsigned aes_tables[5][256];

// Row r of a column comes from the column r * TURN further on.
template <unsigned TURN>
BLOCKYARD_FUNCTION void aes_cipher(const unsigned *__restrict__ input,
                                   unsigned *__restrict__ output, unsigned columns) {
    __shared__ unsigned states[2][AES_THREADS];
    unsigned column = threadIdx.x & 3, at = blockIdx.x * AES_THREADS + threadIdx.x;
    unsigned value = aes_keys[column];
    if (at < columns) value ^= input[at];
    for (unsigned round = 1;; round++) {
        // The other half has been read when all have come here.
        states[round & 1][threadIdx.x] = value;
        __syncthreads();
        const unsigned *state = &states[round & 1][threadIdx.x & ~3u];
        unsigned first = state[column] & 255;
        unsigned second = state[(column + TURN) & 3] >> 8 & 255;
        unsigned third = state[(column + 2 * TURN) & 3] >> 16 & 255;
        unsigned fourth = state[(column + 3 * TURN) & 3] >> 24;
        value = aes_keys[4 * round + column];
        if (round == AES_ROUNDS) {
            const unsigned *substitute = aes_tables[4];
            value ^= substitute[first] | substitute[second] << 8 | substitute[third] << 16 |
                     substitute[fourth] << 24;
            break;
        }
        value ^= aes_tables[0][first] ^ aes_tables[1][second] ^ aes_tables[2][third] ^
                 aes_tables[3][fourth];
    }
    if (at < columns) output[at] = value;
}

extern "C" __global__ void aes_encrypt(const unsigned *__restrict__ input,
                                       unsigned *__restrict__ output, unsigned columns) {
    aes_cipher<1>(input, output, columns);
}

extern "C" __global__ void aes_decrypt(const unsigned *__restrict__ input,
                                       unsigned *__restrict__ output, unsigned columns) {
    aes_cipher<3>(input, output, columns);
}
