// SHA-1 (FIPS 180-4) of many messages of one length, a thread each: SHA1 of SRTF's Table 2, the
// direct hashing of StoreGPU (S. Al-Kiswany et al., HPDC 2008).
//
// A message is of CHUNK_WORDS words, the first byte of each the highest, again and again; behind it
// comes the padding, with the length in bits. Messages lie one after the other, so that neighbouring
// threads read words that are far apart.
#include "blockyard.h"

#define SHA1_CHUNK_WORDS 16

BLOCKYARD_FUNCTION unsigned sha1_turned(unsigned word, unsigned by) {
    return word << by | word >> (32 - by);
}

extern "C" __global__ void sha1(const unsigned *__restrict__ messages,
                                unsigned *__restrict__ digests, unsigned count,
                                unsigned chunks) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const unsigned *message = messages + at * chunks * SHA1_CHUNK_WORDS;
    unsigned digest[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (unsigned chunk = 0; chunk <= chunks; chunk++) {
        unsigned words[SHA1_CHUNK_WORDS];
        for (unsigned word = 0; word < SHA1_CHUNK_WORDS; word++)
            words[word] = chunk < chunks ? message[word] : 0;
        if (chunk == chunks) {
            words[0] = 0x80000000;
            words[SHA1_CHUNK_WORDS - 1] = chunks * SHA1_CHUNK_WORDS * 32;
        }
        message += SHA1_CHUNK_WORDS;
        unsigned a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4];
#pragma unroll
        for (unsigned round = 0; round < 80; round++) {
            if (round >= SHA1_CHUNK_WORDS)
                words[round & 15] = sha1_turned(words[(round + 13) & 15] ^ words[(round + 8) & 15] ^
                                                    words[(round + 2) & 15] ^ words[round & 15],
                                                1);
            unsigned mixed, constant;
            if (round < 20) {
                mixed = (b & c) | (~b & d);
                constant = 0x5a827999;
            } else if (round < 40) {
                mixed = b ^ c ^ d;
                constant = 0x6ed9eba1;
            } else if (round < 60) {
                mixed = (b & c) | (b & d) | (c & d);
                constant = 0x8f1bbcdc;
            } else {
                mixed = b ^ c ^ d;
                constant = 0xca62c1d6;
            }
            unsigned next = sha1_turned(a, 5) + mixed + e + constant + words[round & 15];
            e = d;
            d = c;
            c = sha1_turned(b, 30);
            b = a;
            a = next;
        }
        digest[0] += a;
        digest[1] += b;
        digest[2] += c;
        digest[3] += d;
        digest[4] += e;
    }
    for (unsigned word = 0; word < 5; word++) digests[5 * at + word] = digest[word];
}
