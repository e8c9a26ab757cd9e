#ifndef STUBDB_BENCHMARKS_ROWS_H
#define STUBDB_BENCHMARKS_ROWS_H

/* Reads the rows of a scenario from a catalog as plainly as C can: opens the file, steps through the stubs and the
 * responses with their bodies, copies each row and hashes it, and compares each body with its SHA-256.
 * Gives the number of stubs, or -1 if anything fails. */
int rows_read(const char *path, const char *scenario);

#endif
