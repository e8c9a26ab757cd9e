import StubDBModel

/// What looks at the parts of a request as they are compared.
protocol RequestVisitor {
  /// Whether the visitor needs the differences.
  static var explains: Bool { get }

  /// Takes note of a part that has a weight; gives whether to go on.
  ///
  /// The differences are computed only if the verdict is not true.
  mutating func visit(
    _ verdict: Bool?, weight: Double, _ difference: () -> PartDifference
  ) -> Bool
}

/// A difference in a part of a request.
struct PartDifference {
  /// From 0 to 1.
  var distance = 1.0
  var mismatches: [Mismatch]
}

/// Asks only whether every part matches, and ends the walk at the first one that does not.
struct RequestMatcher: RequestVisitor {
  private(set) var isMatch = true

  static var explains: Bool { false }

  mutating func visit(
    _ verdict: Bool?, weight: Double, _ difference: () -> PartDifference
  ) -> Bool {
    isMatch = verdict == true
    return isMatch
  }
}

/// How much each part counts; method, host and path also count if they are free.
private enum Weight {
  static let method = 3.0
  static let host = 4.0
  static let path = 6.0
  static let body = 3.0
  static let other = 1.0
}

extension CompiledRequest {
  /// Goes through the parts of the pattern in the order of a request, until the visitor stops.
  func walk<Visitor: RequestVisitor>(
    _ request: PreparedRequest, _ scope: MatchScope, _ parts: Parts, _ visitor: inout Visitor
  ) {
    let pathMatches: Bool
    if parts == .captured {
      pathMatches = true
      guard walkPlace(request, scope, parts, &visitor) != nil else { return }
    } else {
      guard
        visitor.visit(
          matchesMethod(request), weight: Weight.method,
          { PartDifference(mismatches: [methodMismatch(request)]) }),
        let matches = walkPlace(request, scope, parts, &visitor)
      else { return }
      pathMatches = matches
    }
    guard visitURL(request, scope, parts, &visitor) else { return }
    for condition in conditions {
      if parts != .all, condition.asksForCaptured != (parts == .captured) { continue }
      guard visit(condition, request, scope, pathMatches: pathMatches, &visitor) else { return }
    }
  }

  /// Goes through scheme, host, port and path; gives whether the path matches, or nil to end the walk.
  private func walkPlace<Visitor: RequestVisitor>(
    _ request: PreparedRequest, _ scope: MatchScope, _ parts: Parts, _ visitor: inout Visitor
  ) -> Bool? {
    if parts != .captured, let scheme {
      guard
        visitor.visit(
          scheme == request.scheme, weight: Weight.other,
          {
            let mismatch = Mismatch(
              part: "scheme", expected: scheme, actual: request.scheme ?? "unknown")
            return PartDifference(mismatches: [mismatch])
          })
      else { return nil }
    }
    guard visitHost(request, scope, parts, &visitor) else { return nil }
    // If only the scheme differs, the port that follows from it says nothing new.
    let isImplied = port == nil && scheme != request.scheme
    if parts != .captured, !matchesPort(request), !isImplied {
      guard
        visitor.visit(
          false, weight: Weight.other,
          {
            let mismatch = Mismatch(
              part: "port", expected: expectedPort.map(String.init) ?? "none",
              actual: request.port.map(String.init) ?? "none")
            return PartDifference(mismatches: [mismatch])
          })
      else { return nil }
    }
    if parts != .all, path.asksForCaptured != (parts == .captured) { return true }
    let verdict = path.matches(request, scope)
    guard
      visitor.visit(
        verdict, weight: isAnyPlace ? 0 : Weight.path, { pathDifference(request) })
    else { return nil }
    return verdict == true
  }

  /// Whether the URL is given as a whole, and not by its parts.
  private var isAnyPlace: Bool {
    if url != nil, host == nil, case .any = path { true } else { false }
  }

  /// Compares the whole URL; gives whether to go on.
  private func visitURL<Visitor: RequestVisitor>(
    _ request: PreparedRequest, _ scope: MatchScope, _ parts: Parts, _ visitor: inout Visitor
  ) -> Bool {
    guard let url, parts == .all || url.value.asksForCaptured == (parts == .captured) else {
      return true
    }
    let verdict = url.value.matches(request.url, scope)
    return visitor.visit(
      verdict, weight: Weight.host + Weight.path,
      { url.difference("url", FieldValues([request.url]), verdict, scope) })
  }

  private func visitHost<Visitor: RequestVisitor>(
    _ request: PreparedRequest, _ scope: MatchScope, _ parts: Parts, _ visitor: inout Visitor
  ) -> Bool {
    guard let host else {
      return visitor.visit(
        true, weight: isAnyPlace ? 0 : Weight.host, { PartDifference(mismatches: []) })
    }
    if parts != .all, host.value.asksForCaptured != (parts == .captured) { return true }
    let verdict = host.value.matches(request.host, scope)
    return visitor.visit(
      verdict, weight: Weight.host,
      { host.difference("host", FieldValues(request.host.map { [$0] } ?? []), verdict, scope) })
  }

  private func visit<Visitor: RequestVisitor>(
    _ condition: Condition, _ request: PreparedRequest, _ scope: MatchScope, pathMatches: Bool,
    _ visitor: inout Visitor
  ) -> Bool {
    switch condition {
    case .pathParameter(let named):
      // Of a path that does not match there are no parameters.
      guard pathMatches else { return true }
      let values = path.template?.values(of: named.name, in: request.segments) ?? []
      return visit(named, "path parameter", FieldValues(values), scope, &visitor)
    case .query(let named):
      return visit(named, "query", request.values(ofQuery: named.name), scope, &visitor)
    case .exactQuery(let names):
      return visitOthers(than: names, request, &visitor)
    case .header(let named):
      return visit(named, "header", request.values(ofHeader: named.name), scope, &visitor)
    case .cookie(let named):
      let values = request.values(ofCookie: named.name)
      return visit(named, "cookie", values, of: "password", scope, &visitor)
    case .captured(let number, let named):
      let text = number < scope.captured.count ? scope.captured[number] : nil
      return visit(named, "captured", FieldValues(text.map { [$0] } ?? []), scope, &visitor)
    case .credentials(let username, let expected):
      return visitor.visit(
        Self.holds(expected, request), weight: Weight.other,
        { credentialsDifference(username, request) })
    case .body(let body):
      let report = Visitor.explains ? BodyReport() : nil
      let verdict = body.verdict(request.body, scope, report)
      return visitor.visit(
        verdict, weight: Weight.body,
        {
          if verdict == nil, case .bytes = request.body.content, case .value = request.body.text {
            report?.noteTimeout()
          }
          return PartDifference(
            distance: report?.distance ?? 1, mismatches: report?.mismatches ?? [])
        })
    }
  }

  private func visit<Visitor: RequestVisitor>(
    _ named: CompiledNamed, _ part: String, _ values: FieldValues, of name: String? = nil,
    _ scope: MatchScope, _ visitor: inout Visitor
  ) -> Bool {
    let verdict = named.value.matches(values, scope)
    return visitor.visit(
      verdict, weight: Weight.other,
      {
        named.difference(
          "\(part) \(named.name)", values, of: name ?? named.name, verdict, scope)
      })
  }

  /// Goes through the query parameters that an exact query does not name.
  private func visitOthers<Visitor: RequestVisitor>(
    than names: [String], _ request: PreparedRequest, _ visitor: inout Visitor
  ) -> Bool {
    var seen: Set<String> = []
    for item in request.query where !names.contains(where: { ByteText.isEqual($0, item.name) }) {
      guard seen.insert(item.name).inserted else { continue }
      let goesOn = visitor.visit(
        false, weight: Weight.other,
        {
          let values = request.values(ofQuery: item.name).values
          let mismatch = Mismatch(
            part: "query \(item.name)", expected: "absent (the query is exact)",
            actual: Phrase.actual(values, of: item.name))
          return PartDifference(mismatches: [mismatch])
        })
      guard goesOn else { return false }
    }
    return true
  }
}

extension CompiledRequest {
  private func methodMismatch(_ request: PreparedRequest) -> Mismatch {
    Mismatch(
      part: "method", expected: methods.joined(separator: " or "), actual: request.request.method)
  }

  private func pathDifference(_ request: PreparedRequest) -> PartDifference {
    let text = path.text
    let expected = text.map(TextExcerpt.plain) ?? path.phrase
    return PartDifference(
      distance: text.map { TextDistance.between($0, request.path) } ?? 1,
      mismatches: [
        Mismatch(part: "path", expected: expected, actual: TextExcerpt.plain(request.path))
      ])
  }

  private func credentialsDifference(
    _ username: String, _ request: PreparedRequest
  ) -> PartDifference {
    let values = request.values(ofHeader: "authorization").values
    let mismatch = Mismatch(
      part: "basicAuth", expected: "user \(TextExcerpt.quoted(username)) and its password",
      actual: Phrase.actual(values, of: "authorization"))
    return PartDifference(mismatches: [mismatch])
  }
}

extension CompiledNamed {
  /// The differences in the values of a name; the name may mark them as secret.
  fileprivate func difference(
    _ part: String, _ values: FieldValues, of name: String = "", _ verdict: Bool?,
    _ scope: MatchScope
  ) -> PartDifference {
    let shown = pattern.hidingSecrets(of: name)
    var (expected, actual) = (shown.phrase, Phrase.actual(values.values, of: name))
    if let text = value.literal, let first = values.values.first, values.values.count == 1 {
      if shown == pattern { (expected, actual) = TextExcerpt.quoted(text, first) }
      let isSame =
        shown != pattern
        && ByteText.isEqual(
          String(SecretDisplay.withoutScheme(text)), String(SecretDisplay.withoutScheme(first)))
      actual =
        isSame ? actual + ", equal but for the scheme" : Phrase.notEqual(actual, expected)
    }
    if verdict == nil { actual += " (too long or too slow for the regular expression)" }
    return PartDifference(
      distance: value.distance(values.values, scope),
      mismatches: [Mismatch(part: part, expected: expected, actual: actual)])
  }
}
