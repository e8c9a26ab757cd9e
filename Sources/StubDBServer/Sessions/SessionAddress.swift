#if Server
import NIOHTTP1

import struct Foundation.Data

/// Where a request goes: to a session by its path, host or header field, or to the one of all others.
///
/// The path always works: `/~ID/v1/items` is `/v1/items` of the session. `http://ID.localhost:8080/v1/items` leaves
/// the path as it is, where the system looks up such names. A header field `StubDB-Session` suits clients that can add
/// one. The clients of a proxy give the id as their name: `http://ID:@127.0.0.1:8080`.
struct SessionAddress {
  /// The number of characters of an id.
  static let length = 10

  let id: String
  /// The session; nil if the request names one that does not exist.
  let session: Session?
  /// The request target without the part that names the session.
  let target: String
  /// What was taken off the target, which local redirects get back; empty for none.
  let prefix: String

  /// Nil for a request that names no session.
  init?(_ head: HTTPRequestHead, host: String?, in sessions: SessionTable) {
    if let field = head.headers.first(name: "proxy-authorization"),
      let id = Self.id(inCredentials: field)
    {
      (self.id, session, target, prefix) = (id, sessions[id], head.uri, "")
    } else if let id = Self.id(inPath: head.uri) {
      prefix = "/~\(id)"
      let rest = head.uri.dropFirst(prefix.count)
      target = rest.first == "/" ? String(rest) : "/" + rest
      self.id = String(id)
      session = sessions[self.id]
    } else if let session = host.flatMap(Self.id(inHost:)).flatMap({ sessions[$0] }) {
      (id, self.session, target, prefix) = (session.id, session, head.uri, "")
    } else if let id = head.headers.first(name: "stubdb-session") {
      (self.id, session, target, prefix) = (id, sessions[id], head.uri, "")
    } else {
      return nil
    }
  }

  /// The id in `/~ID/…`, `/~ID?…` or `/~ID`; other paths may begin with a tilde too.
  private static func id(inPath target: String) -> Substring? {
    let bytes = target.utf8
    guard bytes.count >= length + 2, target.hasPrefix("/~") else { return nil }
    let end = bytes.index(bytes.startIndex, offsetBy: length + 2)
    if end < bytes.endIndex, !"/?".utf8.contains(bytes[end]) { return nil }
    let id = target[bytes.index(bytes.startIndex, offsetBy: 2)..<end]
    return id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
      ? id : nil
  }

  /// The name in `Basic …`, if it can be an id.
  ///
  /// https://www.rfc-editor.org/rfc/rfc7617#section-2
  private static func id(inCredentials field: String) -> String? {
    let parts = field.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let credentials = Data(base64Encoded: String(parts[1]))
    else { return nil }
    let name = String(decoding: credentials.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return name.utf8.count == length ? name : nil
  }

  /// What stands before `.localhost`, whatever the port.
  private static func id(inHost field: String) -> String? {
    let host = field[..<(field.utf8.firstIndex(of: UInt8(ascii: ":")) ?? field.endIndex)]
    guard host.utf8.count == length + 10, host.lowercased().hasSuffix(".localhost") else {
      return nil
    }
    return host.prefix(length).lowercased()
  }
}
#endif
