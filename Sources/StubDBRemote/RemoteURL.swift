internal import Foundation

/// Where a remote catalog is: a store, the folder of its objects, and its name.
package struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of stores.
  package enum Scheme: String, Sendable, CaseIterable {
    case file
    case s3
  }

  package let scheme: Scheme
  /// The bucket; empty for a folder.
  package let bucket: String
  /// The keys below which the objects and the pointer are, with a slash at the end, or an empty text.
  ///
  /// For a folder, its path.
  package let prefix: String
  /// The catalog's name; empty in the URL of all catalogs of a prefix.
  package let name: String
  /// What follows the question mark: settings that the tools of the store take from the environment otherwise.
  package let options: [String: String]

  package var description: String {
    let query = options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return "\(scheme.rawValue)://\(bucket)\(scheme == .file ? "" : "/")\(prefix)\(name)"
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Parses a URL such as `s3://stubs/shop/payments` or `file:///srv/stubs/payments`.
  ///
  /// - Throws: ``RemoteError`` with `invalid`; a URL with a password is refused, because it would be written to the lock
  ///   file.
  package init(parsing text: String) throws(RemoteError) {
    func wrong(_ reason: String, _ hints: String...) -> RemoteError {
      RemoteError(
        .invalid, "the URL \(text.hidingUserInfo) cannot be used: \(reason)", hints: hints)
    }
    guard let end = text.range(of: "://") ?? text.range(of: ":/"),
      let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
    else {
      let known = Scheme.allCases.map { $0.rawValue + "://" }.joined(separator: " or ")
      throw wrong("it must begin with \(known)")
    }
    var rest = String(text[end.upperBound...])
    if text[end] == ":/" { rest = "/" + rest }
    var options: [String: String] = [:]
    if scheme != .file, let mark = rest.firstIndex(of: "?") {
      for pair in rest[rest.index(after: mark)...].split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["endpoint", "region", "style"].contains(parts[0]) else {
          throw wrong("\(pair) is none of endpoint=URL, region=NAME and style=path or virtual")
        }
        options[parts[0]] = parts[1]
      }
      rest = String(rest[..<mark])
    }
    let host = rest.prefix { $0 != "/" }
    if host.contains("@") { throw wrong("credentials do not belong into a URL") }
    if scheme == .file {
      guard rest.hasPrefix("/") else {
        throw wrong("its path must be absolute, as in file:///srv/stubs/shop")
      }
    } else if host.isEmpty {
      throw wrong("it has no bucket, as in s3://BUCKET/shop")
    }
    let path = scheme == .file ? rest : String(rest.dropFirst(host.count + 1))
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(".."), !parts.contains(".") else { throw wrong("its path has . or ..") }
    let last = parts.last.map(String.init) ?? ""
    if !last.isEmpty, let reason = LockFile.reasonAgainst(name: last) { throw wrong(reason) }
    self.scheme = scheme
    bucket = scheme == .file ? "" : String(host)
    prefix = String(path.dropLast(last.count))
    name = last
    self.options = options
  }

  /// - Throws: ``RemoteError`` for the URL of a folder of catalogs.
  package func requireName() throws(RemoteError) {
    guard name.isEmpty else { return }
    throw RemoteError(
      .invalid, "the URL \(self) ends with a slash, and names no catalog",
      hints: ["Put its name at the end: \(self)shop"])
  }
}

extension String {
  /// The text without what is before an @ in its authority.
  fileprivate var hidingUserInfo: String {
    guard let start = range(of: "://")?.upperBound else { return self }
    let end = self[start...].firstIndex(of: "/") ?? endIndex
    guard let at = self[start..<end].lastIndex(of: "@") else { return self }
    return self[..<start] + "…" + self[at...]
  }
}
