package import Foundation
internal import StubDBJSON
package import StubDBModel

extension DocumentNode {
  /// Reads a lock file, or what comes from a store, strictly: it may be hostile, or of another version.
  ///
  /// `what` says what is read, for messages.
  /// - Throws: ``RemoteError`` with `damaged` for a text that is longer than `limit` or that the closure refuses, and
  /// with `unsupported` for one of another version.
  package static func reading<Value>(
    _ data: Data, limit: Int, what: String,
    _ body: (DocumentNode) throws(DocumentError) -> Value
  ) throws(RemoteError) -> Value {
    guard data.count <= limit else {
      throw RemoteError(
        .damaged, "\(what) has \(data.count) bytes; at most \(limit) are allowed")
    }
    do throws(DocumentError) {
      return try DocumentNode.reading(data, file: what, body)
    } catch {
      throw RemoteError(error, of: what, hasLines: data.dropLast().contains(0x0A))
    }
  }

  /// The object, if it is of the version that this program knows.
  ///
  /// The version is looked at first, because another one has other members.
  package func object(
    _ kind: DocumentObjectKind, version: Int
  ) throws(DocumentError) -> DocumentObject {
    guard case .object(let members) = value, case .number(let number)? = members["version"],
      number.integerValue != version
    else {
      let object = try object(kind)
      _ = try object.required("version").integer("the version", in: version...version)
      return object
    }
    throw failure(
      .unsupportedVersion, "it is not of version \(version), the only one that this stubdb reads")
  }

  /// A string of at most so many bytes.
  package func text(limit: Int = 4096) throws(DocumentError) -> String {
    let text = try string()
    guard text.utf8.count <= limit else {
      throw failure(.invalidValue, "it is longer than \(limit) bytes")
    }
    return text
  }

  package func digest() throws(DocumentError) -> ObjectDigest {
    guard let digest = ObjectDigest(parsing: try text()) else {
      throw failure(.invalidValue, "it must be sha256: and 64 hexadecimal digits")
    }
    return digest
  }

  package func byteCount() throws(DocumentError) -> Int {
    try integer("the number of bytes", in: 0...Int.max)
  }
}

extension DocumentError.Code {
  fileprivate static let unsupportedVersion = DocumentError.Code(rawValue: "unsupportedVersion")
}

extension RemoteError {
  /// A mistake in a lock file or in what a store has; its line is named if there are several.
  fileprivate init(_ error: DocumentError, of what: String, hasLines: Bool) {
    var error = error
    if error.code == .syntax {
      let place = error.line.map { " at line \($0), column \(error.column ?? 1)" } ?? ""
      self.init(.damaged, "\(what) is not JSON: \(error.message)\(place)")
      return
    }
    if !hasLines { error.line = nil }
    self.init(
      error.code == .unsupportedVersion ? .unsupported : .damaged, error.description,
      hints: error.code == .unknownKey ? ["A newer version of stubdb may have written it."] : [])
  }
}
