#if Server
import HTTPTypes
import NIOHTTP1
import StubDBSupport

/// Refuses requests of foreign web pages and of other machines to the admin API.
///
/// A page can send requests to any address of the machine that shows it. It cannot choose the `Host` field, which
/// gives a name away that was made to point here, and it cannot keep the browser from saying where it comes from.
package struct AdminGuard: Sendable {
  /// Whether the server listens on this machine's loopback only.
  package var isLoopback: Bool
  /// What clients have to know; nil if there is no need.
  package var token: String?
  /// Names besides those of loopback by which clients may call the server.
  package var hosts: Set<String>
  /// Whether catalogs cannot be changed.
  package var isReadOnly: Bool
  /// What the cookie of a page that has logged in holds, in place of the token.
  private let cookieValue = Self.newToken()

  /// What suits a server that listens on an address, and that clients may reach by another one.
  package init(_ options: AdminOptions, host: String, publicURL: PublicURL? = nil) {
    isLoopback =
      (host == "localhost" || host == "::1" || host.hasPrefix("127."))
      && publicURL?.isLoopback ?? true
    hosts = Set(options.hosts.map { $0.lowercased() } + [publicURL?.host].compactMap(\.self))
    isReadOnly = options.isReadOnly ?? !isLoopback
    token = options.token ?? (isLoopback ? nil : Self.newToken())
  }

  private static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
  }

  /// Checks who asks.
  ///
  /// - Throws: An ``AdminProblem`` with 401, 403 or 415.
  func check(_ request: AdminRequest, _ access: AdminRoute.Access) throws(AdminProblem) {
    try checkOrigin(request)
    if access != .open { try checkToken(request) }
    if !request.content.isEmpty { try checkType(request) }
    if access == .changingCatalog, isReadOnly {
      throw AdminProblem(
        403, "read-only", "Read-only",
        "This server does not change its catalog; --no-read-only allows it.")
    }
  }

  private func checkOrigin(_ request: AdminRequest) throws(AdminProblem) {
    guard allows(host: request.host) else {
      throw Self.foreign(
        "The Host \"\(request.host)\" is not this server's; --allow-host allows a name.")
    }
    if request.method == "OPTIONS" {
      throw Self.foreign("No other origin may use the admin API.")
    }
    // Each of several fields of a name must be right.
    guard
      request.headers["sec-fetch-site"].allSatisfy({ $0 == "same-origin" || $0 == "none" })
    else {
      throw Self.foreign("A page of another site must not use the admin API.")
    }
    for origin in request.headers["origin"] {
      let own = request.headers.first(name: "host") ?? ""
      guard origin == "http://\(own)" || origin == "https://\(own)" else {
        throw Self.foreign("A page of another origin must not use the admin API.")
      }
    }
  }

  /// Whether a request may call the server by this name.
  ///
  /// A name in the Domain Name System can be made to point anywhere; an address cannot.
  func allows(host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || hosts.contains(host) { return true }
    if host == "::1" || host.hasPrefix("127.") && Authority.isAddress(host) { return true }
    return !isLoopback && Authority.isAddress(host)
  }

  private func checkToken(_ request: AdminRequest) throws(AdminProblem) {
    guard let token else { return }
    let field = request.headers.first(name: "authorization") ?? ""
    if field.prefix(7).lowercased() == "bearer ", Self.isEqual(String(field.dropFirst(7)), token) {
      return
    }
    if request.cookies(Self.cookieName(request)).contains(where: {
      Self.isEqual($0, cookieValue)
    }) {
      return
    }
    throw Self.tokenIsNeeded("Send the token that the server printed: Authorization: Bearer TOKEN.")
  }

  private static func tokenIsNeeded(_ detail: String) -> AdminProblem {
    var problem = AdminProblem(401, "token", "A token is needed", detail)
    problem.headers[.wwwAuthenticate] = "Bearer"
    return problem
  }

  /// The cookie for a page whose user knows the token; nil if no token is needed.
  ///
  /// Scripts cannot read it, and requests that other sites cause do not carry it. It dies with the browser, and with
  /// the server. https://www.rfc-editor.org/rfc/rfc6265
  /// - Throws: An ``AdminProblem`` with 401 for another token.
  func cookie(
    forToken given: String, _ request: AdminRequest
  ) throws(AdminProblem) -> String? {
    guard let token else { return nil }
    guard Self.isEqual(given, token) else {
      throw Self.tokenIsNeeded("This is not the token that the server printed.")
    }
    let name = Self.cookieName(request)
    return "\(name)=\(cookieValue); Path=/__stubdb; HttpOnly; SameSite=Strict"
  }

  /// Browsers give the cookies of one port to all ports of a host, so that each server needs its own name.
  private static func cookieName(_ request: AdminRequest) -> String {
    let field = request.headers.first(name: "host") ?? ""
    let port = field.firstMatch(of: /:(\d+)$/).map { String($0.1) } ?? "80"
    return "stubdb-\(port)"
  }

  /// Compares in constant time.
  static func isEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var difference = UInt8(one.count == other.count ? 0 : 1)
    for (index, byte) in other.enumerated() {
      difference |= byte ^ (index < one.count ? one[index] : ~byte)
    }
    return difference == 0
  }

  /// A form of a page cannot send JSON.
  private func checkType(_ request: AdminRequest) throws(AdminProblem) {
    let types = request.headers["content-type"].map { $0.prefix { $0 != ";" } }
    guard types.count == 1, types[0].trimmingPrefix(" ").lowercased() == "application/json" else {
      throw AdminProblem(
        415, "not-json-type", "Unsupported media type",
        "Send the content as JSON, with Content-Type: application/json; curl -d says that it sends a "
          + "form, unless -H 'Content-Type: application/json' stands beside it.")
    }
  }

  private static func foreign(_ detail: String) -> AdminProblem {
    AdminProblem(403, "foreign-origin", "Forbidden", detail)
  }
}
#endif
