package import Foundation
package import StubDBJSON

/// The members of a JSON object, each of which must be read: an unknown member is an error.
///
/// What comes from a store may have been written by anybody, and by any version.
package struct StrictObject {
  private var members: [String: JSONValue]
  /// What the object is, for messages, such as `the commit sha256:…`.
  package let what: String

  /// - Throws: ``RemoteError`` with `damaged` if the text is longer than `limit` or is no object.
  package init(_ data: Data, limit: Int, what: String) throws(RemoteError) {
    self.what = what
    guard data.count <= limit else {
      throw RemoteError(
        .damaged, "\(what) has \(data.count) bytes; at most \(limit) are allowed")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: data)
    } catch {
      throw RemoteError(
        .damaged,
        "\(what) is not JSON: \(error.message) at line \(error.line), column \(error.column)")
    }
    guard case .object(let members) = value else {
      throw RemoteError(.damaged, "\(what) is \(value.typeName) instead of an object")
    }
    self.members = members
  }

  package init(_ members: [String: JSONValue], what: String) {
    (self.members, self.what) = (members, what)
  }

  package mutating func value(_ key: String) -> JSONValue? {
    members.removeValue(forKey: key)
  }

  package mutating func text(_ key: String, limit: Int = 4096) throws(RemoteError) -> String {
    guard case .string(let text) = value(key) else { throw wrong(key, "must be a string") }
    guard text.utf8.count <= limit else { throw wrong(key, "is longer than \(limit) bytes") }
    return text
  }

  package mutating func optionalText(_ key: String) throws(RemoteError) -> String? {
    if members[key] == nil { return nil }
    return try text(key)
  }

  package mutating func digest(_ key: String) throws(RemoteError) -> ObjectDigest {
    guard let digest = ObjectDigest(parsing: try text(key)) else {
      throw wrong(key, "must be sha256: and 64 hexadecimal digits")
    }
    return digest
  }

  /// Nil for `null`.
  package mutating func digestOrNull(_ key: String) throws(RemoteError) -> ObjectDigest? {
    if case .null = members[key] {
      members[key] = nil
      return nil
    }
    return try digest(key)
  }

  package mutating func byteCount(_ key: String) throws(RemoteError) -> Int {
    guard case .number(let number) = value(key), let count = number.integerValue, count >= 0 else {
      throw wrong(key, "must be a number of bytes")
    }
    return count
  }

  /// - Throws: ``RemoteError`` for a version other than the one that this program knows.
  package mutating func requireVersion(_ version: Int) throws(RemoteError) {
    guard case .number(let number) = value("version"), number.integerValue == version else {
      throw RemoteError(
        .unsupported, "\(what) is not of version \(version), the only one that this stubdb reads")
    }
  }

  /// Call it after all members have been read.
  package func requireNoOther() throws(RemoteError) {
    if let key = members.keys.min() {
      throw wrong(key, "is unknown; a newer version of stubdb may have written it")
    }
  }

  package func wrong(_ key: String, _ problem: String) -> RemoteError {
    RemoteError(.damaged, "\(what): \(JSONValue.string(key).canonicalText) \(problem)")
  }
}
