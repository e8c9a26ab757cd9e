internal import Foundation
internal import StubDBEngine
internal import StubDBModel
internal import StubDBSupport

/// Reads the bodies that a loaded scenario left in its catalog, from the very file that was loaded.
final class CatalogBodyReader: StoredBodyReader {
  private let connection: Locked<Connection>
  private let path: String

  init(connection: sending Connection, path: String) {
    self.connection = Locked(connection)
    self.path = path
  }

  func data(for body: StoredBody) throws -> Data {
    try connection.withLock { connection in
      do {
        let statement = try connection.prepare(ReadQueries.body)
        try statement.bind(1, RowID.body(body.digest))
        if try statement.step() {
          let bytes = statement.data(0)
          if SHA256Digest.digest(of: bytes) == body.digest { return bytes }
        }
      } catch let error as SQLiteError {
        throw CatalogError(error, path: path, doing: "reading a body of")
      }
      throw CatalogError(damaged: "a body", path: path)
    }
  }
}
