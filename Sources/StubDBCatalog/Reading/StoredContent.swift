internal import StubDBJSON
internal import StubDBModel

/// Parses texts of a catalog that were checked when they were written.
struct StoredContent {
  let path: String

  /// The members of a JSON column.
  func members(_ text: String, _ what: String) throws -> [String: JSONValue] {
    guard case .object(let members)? = try? JSONValue(parsing: text) else { throw damaged(what) }
    return members
  }

  func damaged(_ what: String) -> CatalogError {
    CatalogError(damaged: "a \(what)", path: path)
  }
}
