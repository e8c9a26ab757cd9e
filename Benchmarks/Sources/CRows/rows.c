#include "rows.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>

typedef CC_SHA256_CTX hash;

static void hash_begin(hash *h) { CC_SHA256_Init(h); }
static void hash_add(hash *h, const uint8_t *bytes, size_t count) {
    CC_SHA256_Update(h, bytes, (CC_LONG)count);
}
static void hash_end(hash *h, uint8_t digest[32]) { CC_SHA256_Final(digest, h); }
#else
/* The catalog's own, so that only the rest differs. */
extern void stubdb_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

typedef struct {
    uint32_t state[8];
    uint8_t pending[64];
    size_t used;
    uint64_t count;
} hash;

static void hash_begin(hash *h) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(h->state, initial, sizeof initial);
    h->used = 0;
    h->count = 0;
}

static void hash_add(hash *h, const uint8_t *bytes, size_t count) {
    h->count += count;
    if (h->used > 0) {
        size_t taken = count < 64 - h->used ? count : 64 - h->used;
        memcpy(h->pending + h->used, bytes, taken);
        h->used += taken;
        bytes += taken;
        count -= taken;
        if (h->used < 64) return;
        stubdb_sha256_compress(h->state, h->pending, 1);
        h->used = 0;
    }
    stubdb_sha256_compress(h->state, bytes, count / 64);
    memcpy(h->pending, bytes + count / 64 * 64, count % 64);
    h->used = count % 64;
}

static void hash_end(hash *h, uint8_t digest[32]) {
    uint64_t bits = h->count * 8;
    uint8_t tail[128] = {0};
    memcpy(tail, h->pending, h->used);
    tail[h->used] = 0x80;
    size_t size = h->used < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++) tail[size - 1 - i] = (uint8_t)(bits >> (8 * i));
    stubdb_sha256_compress(h->state, tail, size / 64);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

#endif

/* What was read stays in memory until the end, as that of a loaded scenario does. */
typedef struct {
    uint8_t **blocks;
    size_t count, room;
} kept;

static uint8_t *keep(kept *all, const void *bytes, size_t size) {
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        uint8_t **grown = realloc(all->blocks, all->room * sizeof *grown);
        if (!grown) return NULL;
        all->blocks = grown;
    }
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, bytes, size);
    return all->blocks[all->count++] = copy;
}

/* Copies the columns of a row and adds them to the digest. */
static int take_row(sqlite3_stmt *row, int columns, hash *digest, kept *all) {
    for (int i = 0; i < columns; i++) {
        int type = sqlite3_column_type(row, i);
        uint8_t head[9] = {(uint8_t)type};
        if (type == SQLITE_NULL) {
            hash_add(digest, head, sizeof head);
        } else if (type == SQLITE_INTEGER) {
            sqlite3_int64 number = sqlite3_column_int64(row, i);
            memcpy(head + 1, &number, 8);
            hash_add(digest, head, sizeof head);
        } else {
            const void *bytes = sqlite3_column_blob(row, i);
            int64_t size = sqlite3_column_bytes(row, i);
            memcpy(head + 1, &size, 8);
            uint8_t *copy = keep(all, bytes, (size_t)size);
            if (!copy) return 0;
            hash_add(digest, head, sizeof head);
            hash_add(digest, copy, (size_t)size);
        }
    }
    return 1;
}

static int take_body(sqlite3_stmt *row, int column, int digest_column, kept *all) {
    const void *bytes = sqlite3_column_blob(row, column);
    size_t size = (size_t)sqlite3_column_bytes(row, column);
    uint8_t *copy = keep(all, bytes, size);
    if (!copy) return 0;
    hash body;
    uint8_t digest[32];
    hash_begin(&body);
    hash_add(&body, copy, size);
    hash_end(&body, digest);
    const void *expected = sqlite3_column_blob(row, digest_column);
    return expected && sqlite3_column_bytes(row, digest_column) == 32 &&
           memcmp(expected, digest, 32) == 0;
}

static sqlite3_stmt *prepare(sqlite3 *file, const char *sql, const char *scenario) {
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(file, sql, -1, &row, NULL) != SQLITE_OK) return NULL;
    sqlite3_bind_text(row, 1, scenario, -1, SQLITE_STATIC);
    return row;
}

int rows_read(const char *path, const char *scenario) {
    sqlite3 *file = NULL;
    kept all = {0};
    hash stubs_hash, responses_hash;
    int count = 0, good = 0;
    hash_begin(&stubs_hash);
    hash_begin(&responses_hash);
    sqlite3_stmt *stubs = NULL, *responses = NULL;
    if (sqlite3_open_v2(path, &file, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) goto end;
    stubs = prepare(
        file,
        "SELECT position, key, summary, priority, required, method, scheme, host, port, path,"
        " pattern, exhaustion, flow, capture, recorded FROM stub"
        " WHERE scenario_id = (SELECT id FROM scenario WHERE name = ?1) ORDER BY position",
        scenario);
    responses = prepare(
        file,
        "SELECT stub_position, status, headers, body_kind, rest, length(bytes), sha256, bytes"
        " FROM response LEFT JOIN body ON body.id = body_id"
        " WHERE scenario_id = (SELECT id FROM scenario WHERE name = ?1)"
        " ORDER BY stub_position, position",
        scenario);
    if (!stubs || !responses) goto end;
    while (sqlite3_step(stubs) == SQLITE_ROW) {
        if (!take_row(stubs, 15, &stubs_hash, &all)) goto end;
        if (sqlite3_step(responses) != SQLITE_ROW) goto end;
        if (!take_row(responses, 7, &responses_hash, &all)) goto end;
        if (!take_body(responses, 7, 6, &all)) goto end;
        count++;
    }
    uint8_t digest[32];
    hash_end(&stubs_hash, digest);
    hash_end(&responses_hash, digest);
    good = count > 0;
end:
    sqlite3_finalize(stubs);
    sqlite3_finalize(responses);
    sqlite3_close(file);
    for (size_t i = 0; i < all.count; i++) free(all.blocks[i]);
    free(all.blocks);
    return good ? count : -1;
}
