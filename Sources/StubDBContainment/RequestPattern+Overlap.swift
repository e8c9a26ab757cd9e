internal import HTTPTypes
internal import StubDBJSON
package import StubDBModel

extension RequestPattern {
  /// Whether one request may satisfy both patterns.
  ///
  /// Sound but not complete: false only where it is certain that none does. Operators other than those for a whole text
  /// are taken to accept anything, and so are header fields and query parameters, of which a request may have several of
  /// one name.
  package func mayMeet(_ other: RequestPattern) -> Bool {
    methodsMayMeet(other) && Self.hostsMayMeet(host, other.host)
      && Self.pathsMayMeet(path, other.path) && queryMayMeet(other)
      && body.allSatisfy { own in other.body.allSatisfy(own.mayMeet) }
  }

  /// Whether the pattern names `HEAD`, so that it answers before all that name only `GET`.
  package var namesHead: Bool { methods.contains(.head) }

  private func methodsMayMeet(_ other: RequestPattern) -> Bool {
    guard !methods.isEmpty, !other.methods.isEmpty else { return true }
    return !Set(answeredMethods).isDisjoint(with: other.answeredMethods)
  }

  /// A stub for `GET` answers `HEAD`, too.
  private var answeredMethods: [String] {
    methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
  }

  private static func hostsMayMeet(_ one: ValuePattern?, _ other: ValuePattern?) -> Bool {
    guard let one = one?.literal?.lowercased(), let other = other?.literal?.lowercased(),
      isPlainHost(one), isPlainHost(other)
    else { return true }
    return one == other
  }

  /// Whether a host is written in one way only: letters, digits, `.` and `-`, and not the number of an address.
  private static func isPlainHost(_ host: String) -> Bool {
    guard host.utf8.last != UInt8(ascii: "."),
      let last = host.split(separator: ".").last?.utf8.first, (0x61...0x7A).contains(last)
    else { return false }
    return host.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
    } && !host.contains("xn--")
  }

  private static func pathsMayMeet(_ one: PathPattern?, _ other: PathPattern?) -> Bool {
    guard case .template(let one)? = one, case .template(let other)? = other else { return true }
    let (own, others) = (segments(of: one), segments(of: other))
    guard own.isOpen || others.isOpen || own.fixed.count == others.fixed.count else {
      return false
    }
    return zip(own.fixed, others.fixed).allSatisfy { one, other in
      if URLParts.isPlaceholder(one) { return !other.isEmpty }
      if URLParts.isPlaceholder(other) { return !one.isEmpty }
      return one == other
    }
  }

  /// The segments of a path before the first `**`, which may be any number of them.
  package static func segments(
    of template: String
  ) -> (fixed: [Substring], isOpen: Bool) {
    let all = template.split(separator: "/", omittingEmptySubsequences: false)
    let fixed = Array(all.prefix { $0 != "**" })
    return (fixed, fixed.count < all.count)
  }

  /// Whether one of the patterns forbids what the other one needs.
  private func queryMayMeet(_ other: RequestPattern) -> Bool {
    allows(queryOf: other) && other.allows(queryOf: self)
  }

  private func allows(queryOf other: RequestPattern) -> Bool {
    guard queryIsExact else { return true }
    return other.query.allSatisfy { named in
      guard let needed = named.pattern.literal else { return true }
      let own = query.filter { $0.name == named.name }
      return !own.isEmpty && own.allSatisfy { $0.pattern.literal.map { $0 == needed } ?? true }
    }
  }
}

extension BodyPattern {
  /// Whether one content may satisfy both patterns.
  fileprivate func mayMeet(_ other: BodyPattern) -> Bool {
    if case .value(let own) = storage, case .value(let other) = other.storage {
      return own.textMayMeet(other)
    }
    switch (operation, other.operation) {
    case (let own as GraphQLPattern, let other as GraphQLPattern):
      return own.operationName.flatMap { own in
        other.operationName.map(own.textMayMeet)
      } ?? true
    case (let own as EqualToJSONOperator, let other as EqualToJSONOperator):
      return own.value.mayEqual(other.value)
    default: return true
    }
  }
}

extension ValuePattern {
  fileprivate func textMayMeet(_ other: ValuePattern) -> Bool {
    guard let own = literal, let other = other.literal else { return true }
    return own == other
  }
}

extension JSONValue {
  /// Whether a value may equal both, as far as members of objects say; arrays and placeholders may be anything.
  fileprivate func mayEqual(_ other: JSONValue) -> Bool {
    if holdsPlaceholder || other.holdsPlaceholder {
      guard case .object = self, case .object = other else { return true }
    }
    switch (self, other) {
    case (.object(let own), .object(let others)):
      return own.allSatisfy { name, value in others[name].map(value.mayEqual) ?? true }
    case (.array, .array): return true
    case (.string(let own), .string(let other)): return own == other
    case (.number(let own), .number(let other)): return own == other
    case (.bool(let own), .bool(let other)): return own == other
    case (.null, .null): return true
    default: return false
    }
  }
}
