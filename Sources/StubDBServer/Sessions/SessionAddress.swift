#if Server
import NIOHTTP1

import struct Foundation.Data

/// Where a request goes: to a session by its path, host or header field, or to the one of all others.
///
/// The path always works: `/~ID/v1/items` is `/v1/items` of the session. `http://ID.localhost:8080/v1/items` leaves
/// the path as it is, where the system looks up such names. A header field `StubDB-Session` suits clients that can add
/// one. The clients of a proxy give the id as their name: `http://ID:@127.0.0.1:8080`.
///
/// A server behind another one is also called by the hosts below its public name.
struct SessionAddress {
  let id: String
  /// The session; nil if the request names one that does not exist.
  let session: Session?
  /// The request target without the part that names the session.
  let target: String
  /// What was taken off the target, which local redirects get back; empty for none.
  let prefix: String

  /// Nil for a request that names no session.
  init?(_ head: HTTPRequestHead, host: String?, in sessions: SessionTable) {
    let ids = sessions.ids
    if let field = head.headers.first(name: "proxy-authorization"),
      let id = Self.id(inCredentials: field),
      id.utf8.count == SessionIDs.length || ids.canBe(id)
    {
      (self.id, session, target, prefix) = (id, sessions[id], head.uri, "")
    } else if let id = Self.id(inPath: head.uri), ids.canBe(id) {
      prefix = "/~\(id)"
      let rest = head.uri.dropFirst(prefix.count)
      target = rest.first == "/" ? String(rest) : "/" + rest
      self.id = String(id)
      session = sessions[self.id]
    } else if let host,
      let id = Self.id(inHost: host, below: sessions.maker.options.publicURL?.host),
      sessions[id] != nil || SessionIDs.replica(of: id) != nil && ids.canBe(id)
    {
      (self.id, session, target, prefix) = (id, sessions[id], head.uri, "")
    } else if let id = head.headers.first(name: "stubdb-session") {
      (self.id, session, target, prefix) = (id, sessions[id], head.uri, "")
    } else {
      return nil
    }
  }

  /// What may be an id in `/~ID/…`, `/~ID?…` or `/~ID`; other paths may begin with a tilde too.
  private static func id(inPath target: String) -> Substring? {
    guard target.hasPrefix("/~") else { return nil }
    return target.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
  }

  /// The name in `Basic …`.
  ///
  /// https://www.rfc-editor.org/rfc/rfc7617#section-2
  private static func id(inCredentials field: String) -> String? {
    let parts = field.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let credentials = Data(base64Encoded: String(parts[1]))
    else { return nil }
    return String(decoding: credentials.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
  }

  /// What stands before `.localhost`, or before the public name, whatever the port.
  private static func id(inHost field: String, below name: String?) -> String? {
    // Most hosts are shorter, and are not looked at.
    guard field.utf8.count >= SessionIDs.length + ".localhost".utf8.count || name != nil else {
      return nil
    }
    let host = field.prefix { $0 != ":" }.lowercased()
    for ending in [".localhost", name.map { ".\($0)" } ?? ""]
    where !ending.isEmpty && host.hasSuffix(ending) {
      let id = host.dropLast(ending.count)
      if !id.contains(".") { return String(id) }
    }
    return nil
  }
}
#endif
