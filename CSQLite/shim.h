#ifndef STUBDB_SQLITE_SHIM_H
#define STUBDB_SQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/* Swift does not import variadic C functions. https://www.sqlite.org/c3ref/db_config.html */
static inline int stubdb_db_config_flag(sqlite3 *db, int op, int on, int *result) {
    return sqlite3_db_config(db, op, on, result);
}

/* SQLITE_TRANSIENT is a cast to a function pointer, which Swift does not import.
   https://www.sqlite.org/c3ref/bind_blob.html */
static inline int stubdb_bind_text(sqlite3_stmt *s, int i, const char *p, sqlite3_uint64 n) {
    return sqlite3_bind_text64(s, i, p, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int stubdb_bind_blob(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
    return sqlite3_bind_blob64(s, i, p, n, SQLITE_TRANSIENT);
}

/* Reads the first bytes of the main database's file through the connection: opening and closing the file beside it would
   drop the locks that POSIX keeps per process. https://www.sqlite.org/c3ref/io_methods.html */
static inline int stubdb_read_header(sqlite3 *db, unsigned char *bytes, int count) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) return result;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    result = file->pMethods->xRead(file, bytes, count, 0);
    /* What is missing of a short file is read as zeros. */
    return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

#if defined(__linux__)
#include <stdlib.h>
#include <sys/xattr.h>

/* Gives an open file the extended attributes and the access list of the file at a path, as far as the system lets it.
   Swift's module of the C library does not have these functions. https://man7.org/linux/man-pages/man7/xattr.7.html */
static inline void stubdb_copy_attributes(const char *path, int target) {
    enum { largest = 65536 }; /* of a list of names, and of a value */
    char *names = malloc(2 * largest);
    if (!names) return;
    ssize_t count = listxattr(path, names, largest);
    for (char *name = names; count > 0 && name < names + count; name += strlen(name) + 1) {
        if (strncmp(name, "user.", 5) != 0 && strcmp(name, "system.posix_acl_access") != 0) continue;
        ssize_t size = getxattr(path, name, names + largest, largest);
        if (size >= 0) fsetxattr(target, name, names + largest, (size_t)size, 0);
    }
    free(names);
}
#endif

/* Writes `count` columns of a row, from `first`, so that rows which differ have bytes which differ:
   for each value its type, its length or, for an integer, its value in 8 bytes, and its bytes.
   Where `places` is not null it gets the place of each value. Returns the number of bytes; what is
   written is of use only if `capacity` is not less.
   In C because calls for every value cost more than the values, above all in users' debug builds. */
static inline sqlite3_int64 stubdb_row_bytes(
    sqlite3_stmt *s, int first, int count, unsigned char *bytes, sqlite3_int64 capacity,
    sqlite3_int64 *places) {
    sqlite3_int64 size = 0;
    for (int column = first; column < first + count; column++) {
        /* Not protected, which is enough where one thread has the connection. */
        sqlite3_value *cell = sqlite3_column_value(s, column);
        int type = sqlite3_value_type(cell);
        const void *value = 0;
        sqlite3_int64 length = 0;
        if (type == SQLITE_TEXT) {
            value = sqlite3_value_text(cell);
            length = sqlite3_value_bytes(cell);
        } else if (type != SQLITE_INTEGER && type != SQLITE_NULL) {
            value = sqlite3_value_blob(cell);
            length = sqlite3_value_bytes(cell);
        }
        if (places) *places++ = size;
        if (size + 9 + length <= capacity) {
            sqlite3_uint64 number = (sqlite3_uint64)(
                type == SQLITE_INTEGER ? sqlite3_value_int64(cell) : length);
            unsigned char *place = bytes + size;
            *place++ = (unsigned char)type;
            for (int byte = 0; byte < 8; byte++) *place++ = (unsigned char)(number >> (8 * byte));
            if (length > 0) memcpy(place, value, (size_t)length);
        }
        size += 9 + length;
    }
    return size;
}

#endif
