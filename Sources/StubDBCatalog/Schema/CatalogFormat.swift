import Foundation
import StubDBSupport

/// The versions of the catalog's schema that this build knows.
package struct CatalogFormat: Sendable {
  /// "STDB", in the header of every catalog. https://www.sqlite.org/pragma.html#pragma_application_id
  package static let applicationID = 0x5354_4442

  /// The format of this build.
  package static let current = CatalogFormat(migrations: Migrations.all)

  /// The steps, by version.
  package let migrations: [Migration]

  /// The newest version.
  package var version: Int { migrations.last?.version ?? 0 }

  package init(migrations: [Migration]) {
    self.migrations = migrations
  }

  /// Whether a database has exactly the schema of a version; false for an unknown version.
  package func isSchema(of connection: Connection, ofVersion version: Int) throws(SQLiteError)
    -> Bool
  {
    guard let migration = migrations.first(where: { $0.version == version }) else { return false }
    return try Self.schemaDigest(of: connection) == migration.schemaDigest
  }

  /// Migrates a writable database from one version to the newest.
  package func migrate(_ connection: Connection, from version: Int) throws(SQLiteError) {
    for migration in migrations where migration.version > version {
      try connection.execute(migration.sql)
    }
    try connection.execute("PRAGMA user_version = \(self.version)")
  }

  /// The text of a database's schema, one object a line.
  package static func schema(of connection: Connection) throws(SQLiteError) -> String {
    let statement = try connection.prepare(SchemaQueries.schema)
    var lines: [String] = []
    while try statement.step() { lines.append(try statement.text(0)) }
    return lines.joined(separator: "\n")
  }

  /// The SHA-256 of a database's ``schema(of:)``, as hexadecimal digits.
  package static func schemaDigest(of connection: Connection) throws(SQLiteError) -> String {
    var digest = SHA256Digest()
    digest.update(try schema(of: connection))
    return digest.finalized().hexadecimal
  }
}

/// A step of the catalog's schema: a file of `migrations/`.
package struct Migration: Sendable {
  /// The version of the schema after this step, from 1.
  package let version: Int
  /// The file's name.
  package let name: String
  /// The SHA-256 of the schema after this step, as hexadecimal digits: known here, so that opening a catalog need not
  /// execute the steps to learn it.
  package let schemaDigest: String
  /// The file's text.
  package let sql: String
}
