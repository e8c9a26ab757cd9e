#ifndef STUBDB_SQLITE_SHIM_H
#define STUBDB_SQLITE_SHIM_H

#include <sqlite3.h>

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

#endif
