import HTTPTypes
import StubDBModel

/// Compares a request with one stub, part by part, and never stops at the first part that is off.
struct RequestComparison {
  /// How much each part counts; method, host and path also count where they are free.
  private enum Weight {
    static let method = 3.0
    static let host = 4.0
    static let path = 6.0
    static let body = 3.0
    static let other = 1.0
  }

  private(set) var mismatches: [Mismatch] = []
  private var weight = 0.0
  private var off = 0.0
  private let matching: RequestMatching
  private let request: PreparedRequest

  init(
    _ pattern: borrowing RequestPattern, template: PathTemplate?, matching: RequestMatching,
    request: PreparedRequest
  ) {
    self.matching = matching
    self.request = request
    compareMethod(pattern)
    compareOrigin(pattern)
    comparePath(pattern, template)
    compareQuery(pattern)
    for named in pattern.headers {
      compare(
        "header \(named.name)", request.values(ofHeader: named.name), named.pattern, of: named.name)
    }
    for named in pattern.cookies {
      compare(
        "cookie \(named.name)", request.values(ofCookie: named.name), named.pattern, of: "password")
    }
    for named in pattern.captured {
      compare(
        "captured \(named.name)", request.values(ofCaptured: named.name), named.pattern,
        of: named.name)
    }
    compareCredentials(pattern)
    for body in pattern.body { compare(body) }
  }

  /// How far the request is from the stub, 0 to 1.
  var distance: Double { weight > 0 ? off / weight : 0 }

  /// Adds that the stub has no response left.
  mutating func addUsedUp(total: Int, then: Exhaustion) {
    count(
      Weight.other, 1,
      Mismatch(
        part: "responses",
        expected: "\(total) \(total == 1 ? "request" : "requests"), then \(then.rawValue)",
        actual: "used up (\(total) of \(total) responses given)"))
  }

  /// Adds that the stub matches and hands the request on, and that no other one answers.
  mutating func addHandedOn() {
    count(
      Weight.other, 1,
      Mismatch(
        part: "next", expected: "another stub that matches", actual: "handed on, and there is none")
    )
  }

  /// Adds that the flow of the stub is in a state that the stub does not answer in.
  mutating func addBlocked(_ flow: FlowStep, state: String) {
    let (name, needed) = (TextExcerpt.plain(flow.name), TextExcerpt.plain(flow.requires ?? ""))
    count(
      Weight.other, 1,
      Mismatch(
        part: "flow \(name)", expected: "state \(needed)",
        actual: "blocked: flow \(name) is in state \(TextExcerpt.plain(state)), needs \(needed)"))
  }

  private mutating func count(_ weight: Double, _ distance: Double, _ mismatch: Mismatch?) {
    self.weight += weight
    guard let mismatch else { return }
    off += weight * max(0.05, min(1, distance))
    mismatches.append(mismatch)
  }

  private mutating func compareMethod(_ pattern: borrowing RequestPattern) {
    let actual = request.request.method
    let expected = pattern.methods.joined(separator: " or ")
    let isMatch = matching.matchesMethod(pattern.methods, request)
    count(
      Weight.method, 1,
      isMatch ? nil : Mismatch(part: "method", expected: expected, actual: actual))
  }

  private mutating func compareOrigin(_ pattern: borrowing RequestPattern) {
    if let scheme = pattern.scheme {
      let isMatch = scheme == request.scheme
      count(
        Weight.other, 1,
        isMatch
          ? nil
          : Mismatch(part: "scheme", expected: scheme, actual: request.scheme ?? "unknown"))
    }
    if let host = pattern.host {
      compare("host", FieldValues(request.host.map { [$0] } ?? []), host, weight: Weight.host)
    } else {
      weight += Weight.host
    }
    // Where only the scheme differs, the port that follows from it says nothing new.
    let isImplied = pattern.port == nil && pattern.scheme != request.scheme
    guard !RequestMatching.matchesPort(pattern, request), !isImplied else { return }
    let expected = pattern.port ?? pattern.scheme.flatMap(URLParts.defaultPort)
    count(
      Weight.other, 1,
      Mismatch(
        part: "port", expected: expected.map(String.init) ?? "none",
        actual: request.port.map(String.init) ?? "none"))
  }

  private mutating func comparePath(
    _ pattern: borrowing RequestPattern, _ template: PathTemplate?
  ) {
    guard !matching.matchesPath(pattern.path, template: template, request) else {
      weight += Weight.path
      for named in pattern.pathParameters {
        let values = template?.values(of: named.name, in: request.segments) ?? []
        compare(
          "path parameter \(named.name)", FieldValues(values), named.pattern, of: named.name)
      }
      return
    }
    switch pattern.path {
    case .template(let text), .value(.equalTo(let text, caseInsensitive: false)):
      count(
        Weight.path, TextDistance.between(text, request.path),
        Mismatch(
          part: "path", expected: TextExcerpt.plain(text), actual: TextExcerpt.plain(request.path)))
    case .value(let value):
      count(
        Weight.path, 1,
        Mismatch(
          part: "path", expected: value.phrase, actual: TextExcerpt.plain(request.path)))
    case nil:
      weight += Weight.path
    }
  }

  private mutating func compareQuery(_ pattern: borrowing RequestPattern) {
    for named in pattern.query {
      compare(
        "query \(named.name)", request.values(ofQuery: named.name), named.pattern, of: named.name)
    }
    guard pattern.queryIsExact else { return }
    let query = pattern.query
    var seen: Set<String> = []
    for item in request.query where !query.contains(where: { ByteText.isEqual($0.name, item.name) })
    {
      guard seen.insert(item.name).inserted else { continue }
      let values = request.values(ofQuery: item.name).values
      count(
        Weight.other, 1,
        Mismatch(
          part: "query \(item.name)", expected: "absent (the query is exact)",
          actual: Phrase.actual(values, of: item.name)))
    }
  }

  private mutating func compareCredentials(_ pattern: borrowing RequestPattern) {
    guard let credentials = pattern.basicAuth else { return }
    let isMatch = RequestMatching.matchesCredentials(credentials, request)
    count(
      Weight.other, 1,
      isMatch
        ? nil
        : Mismatch(
          part: "basicAuth",
          expected: "user \(TextExcerpt.quoted(credentials.username)) and its password",
          actual: Phrase.actual(
            request.values(ofHeader: "authorization").values, of: "authorization")))
  }

  /// Compares the values that stand under a name; the name may say that they are secret.
  private mutating func compare(
    _ part: String, _ values: FieldValues, _ pattern: ValuePattern, of name: String = "",
    weight: Double = Weight.other
  ) {
    let verdict = matching.values.matches(values, pattern, in: request.context)
    guard verdict != true else {
      self.weight += weight
      return
    }
    let distance = ValueDistance(matching.values, request.context)
      .between(values.values, pattern)
    let shown = pattern.hidingSecrets(of: name)
    var (expected, actual) = (shown.phrase, Phrase.actual(values.values, of: name))
    if case .equalTo(let text, caseInsensitive: false) = pattern, let first = values.values.first,
      values.values.count == 1
    {
      if shown == pattern { (expected, actual) = TextExcerpt.quoted(text, first) }
      let isSame =
        shown != pattern
        && ByteText.isEqual(
          String(SecretDisplay.withoutScheme(text)), String(SecretDisplay.withoutScheme(first)))
      actual =
        isSame
        ? actual + ", equal but for the scheme" : Phrase.notEqual(actual, expected)
    }
    if verdict == nil { actual += " (too long or too slow for the regular expression)" }
    count(weight, distance, Mismatch(part: part, expected: expected, actual: actual))
  }

  private mutating func compare(_ pattern: BodyPattern) {
    if case .and(let patterns) = pattern {
      for pattern in patterns { compare(pattern) }
      return
    }
    let verdict = matching.body.matches(request.body, pattern)
    guard verdict != true else {
      weight += Weight.body
      return
    }
    var difference = BodyDifference(pattern, request.body, matching.body)
    if verdict == nil, !difference.saysWhy, case .bytes = request.body.content,
      case .value = request.body.text
    {
      difference.mismatches[0].actual += " (too long or too slow to compare)"
    }
    weight += Weight.body
    off += Weight.body * max(0.05, min(1, difference.distance))
    mismatches += difference.mismatches
  }
}
