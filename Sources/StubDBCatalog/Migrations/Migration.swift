/// A step of the catalog's schema: a file of `migrations/`.
struct Migration: Sendable {
  /// The version of the schema after this step, from 1.
  let version: Int
  /// The file's name.
  let name: String
  /// The file's text.
  let sql: String
}
