internal import CStubDBSQLite

extension Connection {
  /// The largest text or body that is read: 1 GiB, which is also the most that SQLite stores.
  private static let largestLength: Int32 = 1 << 30

  /// Makes the connection read-only, and applies ``restrict()``.
  package func harden() throws(SQLiteError) {
    try restrict()
    try execute("PRAGMA query_only=ON")
  }

  /// Switches off features that a file from an untrusted source could abuse.
  ///
  /// https://www.sqlite.org/security.html
  package func restrict() throws(SQLiteError) {
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
    ] {
      try check(stubdb_db_config_flag(handle, Int32(option), Int32(value), nil))
    }
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, Self.largestLength), (SQLITE_LIMIT_SQL_LENGTH, 100_000),
      (SQLITE_LIMIT_COLUMN, 100), (SQLITE_LIMIT_EXPR_DEPTH, 50),
      (SQLITE_LIMIT_COMPOUND_SELECT, 10), (SQLITE_LIMIT_VDBE_OP, 25_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
      sqlite3_limit(handle, Int32(limit), Int32(value))
    }
    try execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0")
  }
}
