#ifndef STUBDB_SHA256_H
#define STUBDB_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* Takes `count` blocks of 64 bytes into the state. https://doi.org/10.6028/NIST.FIPS.180-4 */
void stubdb_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

/* Takes `count` blocks of 64 bytes into each of two states. */
void stubdb_sha256_compress_pair(
    uint32_t state[8], const uint8_t *blocks, uint32_t other_state[8], const uint8_t *other_blocks,
    size_t count);

#endif
