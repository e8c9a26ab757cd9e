internal import Foundation

/// Where a remote catalog is: a store, the folder of its objects, and its name.
package struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of stores.
  package enum Scheme: String, Sendable, CaseIterable {
    case file
    case s3
    case gs
    case az
    case https
    case http

    /// What a URL of it looks like.
    var example: String {
      switch self {
      case .file: "file:///srv/stubs/shop"
      case .s3, .gs: "\(rawValue)://BUCKET/shop"
      case .az: "az://ACCOUNT/CONTAINER/shop"
      case .https, .http: "\(rawValue)://stubs.example.com/team/shop"
      }
    }
  }

  package let scheme: Scheme
  /// The bucket, the account, or the host with its port; empty for a folder.
  package let bucket: String
  /// The keys below which the objects and the pointer are, with a slash at the end, or an empty text.
  ///
  /// For a folder, its path. In an account its first part is the container.
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

  /// The URL of a catalog in the folder of this one.
  package func appending(_ name: String) -> String {
    guard let mark = description.firstIndex(of: "?") else { return description + name }
    return description[..<mark] + name + description[mark...]
  }

  /// Parses a URL such as `s3://stubs/shop/payments` or `file:///srv/stubs/payments`.
  ///
  /// - Throws: ``RemoteError`` with `invalid`; a URL with a password is refused, because it would be written to the lock
  ///   file.
  package init(parsing text: String) throws(RemoteError) {
    func wrong(_ reason: String, _ hints: String...) -> RemoteError {
      RemoteError(
        .invalid, "the URL \(text.hidingCredentials) cannot be used: \(reason)", hints: hints)
    }
    guard let end = text.range(of: "://") ?? text.range(of: ":/"),
      let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
    else {
      let known = Scheme.allCases.map { $0.rawValue + "://" }.joined(separator: " or ")
      throw wrong("it must begin with \(known)")
    }
    var rest = String(text[end.upperBound...])
    if text[end] == ":/" { rest = "/" + rest }
    let options: [String: String]
    do throws(RemoteError) {
      options = try Self.options(in: &rest, scheme)
    } catch {
      throw wrong(error.message)
    }
    let host = rest.prefix { $0 != "/" }
    if let reason = scheme.reasonAgainst(host: host, of: rest) { throw wrong(reason) }
    let path = scheme == .file ? rest : String(rest.dropFirst(host.count + 1))
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if let reason = scheme.reasonAgainst(path: parts) { throw wrong(reason) }
    let last = parts.last.map(String.init) ?? ""
    if !last.isEmpty, let reason = LockFile.reasonAgainst(name: last) { throw wrong(reason) }
    self.scheme = scheme
    bucket = scheme == .file ? "" : String(host)
    prefix = String(path.dropLast(last.count))
    name = last
    self.options = options
  }

  /// Takes what follows the question mark away.
  ///
  /// Only S3 has options: what is sent elsewhere is not bound to a host by a signature, so that a URL in a lock file
  /// must not say where it goes.
  private static func options(
    in rest: inout String, _ scheme: Scheme
  ) throws(RemoteError) -> [String: String] {
    guard scheme != .file, let mark = rest.firstIndex(of: "?") else { return [:] }
    let query = rest[rest.index(after: mark)...]
    rest = String(rest[..<mark])
    guard scheme == .s3 else {
      throw RemoteError(.invalid, "it has a query, which is for s3:// only")
    }
    var options: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["endpoint", "region", "style"].contains(parts[0]) else {
        throw RemoteError(
          .invalid, "\(pair) is not endpoint=URL, region=NAME or style=path or virtual")
      }
      options[parts[0]] = parts[1]
    }
    return options
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
  /// The text without what is before an @ in its authority, and without a query, except the options of S3.
  fileprivate var hidingCredentials: String {
    var text = self
    if let mark = firstIndex(of: "?"), !lowercased().hasPrefix("s3:") {
      text = self[...mark] + "…"
    }
    guard let start = text.range(of: "://")?.upperBound else { return text }
    let end = text[start...].firstIndex(of: "/") ?? text.endIndex
    guard let at = text[start..<end].lastIndex(of: "@") else { return text }
    return text[..<start] + "…" + text[at...]
  }
}

extension RemoteURL.Scheme {
  /// Why a host, with which the rest of a URL begins, cannot be used; nil if it can.
  fileprivate func reasonAgainst(host: Substring, of rest: String) -> String? {
    if host.contains("@") { return "credentials do not belong into a URL" }
    if self == .file {
      return rest.hasPrefix("/") ? nil : "its path must be absolute, as in \(example)"
    }
    if allows(host: host) { return nil }
    return "\(host.isEmpty ? "nothing" : host) cannot be where \(example) begins"
  }

  /// Why a URL cannot have a path of these parts; nil if it can.
  fileprivate func reasonAgainst(path parts: [Substring]) -> String? {
    if parts.contains("..") || parts.contains(".") { return "its path has . or .." }
    guard self == .az, parts.count < 2 || parts[0].isEmpty else { return nil }
    return "it has no container, as in \(example)"
  }

  /// Whether a text can be the bucket, account or host of a URL; it becomes a part of requests.
  private func allows(host: Substring) -> Bool {
    let isOfServer = self == .http || self == .https
    return !host.isEmpty
      && host.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
          || [0x2D, 0x2E, 0x5F].contains($0) || isOfServer && [0x3A, 0x5B, 0x5D].contains($0)
      }
  }
}
