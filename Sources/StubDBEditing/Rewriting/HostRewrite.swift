internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBJobs
internal import StubDBModel
internal import StubDBSupport

/// Gives requests, and URLs in requests and answers, another host.
package struct HostRewrite: Sendable {
  private let texts: HostTextRewriter
  private var old: HostOrigin { texts.old }
  private var new: HostOrigin { texts.new }

  /// The change of an argument `OLD=NEW`, each a host, or a host and a port.
  ///
  /// - Throws: ``ArgumentError``.
  package init(argument text: String) throws(ArgumentError) {
    let words = text.split(separator: "=", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ !$0.isEmpty }) else {
      throw ArgumentError("it has the form OLD=NEW, such as api.shop.test=api.shop.example")
    }
    texts = HostTextRewriter(old: try Self.origin(words[0]), new: try Self.origin(words[1]))
    if old == new { throw ArgumentError("both hosts are the same") }
    if old.port == nil, new.port != nil {
      throw ArgumentError("a new port needs the old one: \(old.host):443=\(new.text)")
    }
  }

  private static func origin(_ word: Substring) throws(ArgumentError) -> HostOrigin {
    if let parts = URLParts(String(word)), parts.scheme != nil, let host = parts.host, host != "" {
      let origin = HostOrigin(host: host, port: parts.port)
      throw ArgumentError("\(word) is a URL; give the host alone: \(origin.text)")
    }
    var rest = Substring("//" + word)
    let (user, name, digits) = URLParts.splitAuthority(from: &rest)
    guard user == nil, rest.isEmpty, let host = URLParts.canonicalHost(name), isHost(host) else {
      throw ArgumentError(
        "\"\(word)\" is not a host; a host is a name such as api.shop.test or an address, perhaps with a port: "
          + "localhost:8080")
    }
    guard let digits else { return HostOrigin(host: host) }
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits), port > 0 else {
      throw ArgumentError("the port of \"\(word)\" is not a number from 1 to 65535")
    }
    return HostOrigin(host: host, port: Int(port))
  }

  /// Whether a name has labels of letters, digits, hyphens and underscores; an address in brackets is valid already.
  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") { return true }
    return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && label.utf8.count < 64
        && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    }
  }

  func rewritten(_ stub: Stub) -> RewrittenStub {
    var result = RewrittenStub(stub: stub)
    rewriteRequest(of: &result)
    for index in stub.responses.indices { rewriteResponse(index, of: &result) }
    if !stub.captures.isEmpty,
      texts.isNamed(in: JSONValue.object(Capture.jsonObject(stub.captures)).canonicalText)
    {
      result.left.append((JSONPointer(["capture"]), .capture))
    }
    return result
  }

  // MARK: Requests

  private func rewriteRequest(of result: inout RewrittenStub) {
    let place = JSONPointer(["request"])
    var request = result.stub.request
    rewriteOrigin(of: &request, &result.left)
    rewritePlace(of: &request, &result.left)
    func named(
      _ patterns: [NamedPattern], in part: RequestPart, _ left: inout [RewrittenStub.Left]
    ) -> [NamedPattern] {
      patterns.map { named in
        let inner = place.appending(part.rawValue).appending(named.name)
        return NamedPattern(named.name, rewritten(named.pattern, at: inner, &left))
      }
    }
    request.pathParameters = named(request.pathParameters, in: .pathParameters, &result.left)
    request.query = named(request.query, in: .query, &result.left)
    request.cookies = named(request.cookies, in: .cookies, &result.left)
    request.captured = named(request.captured, in: .captured, &result.left)
    let scheme = request.scheme
    request.headers = request.headers.map { field in
      let inner = place.appending("headers").appending(field.name.rawName)
      let isHost = field.name.canonicalName == "host"
      return HeaderPattern(
        field.name,
        rewritten(field.pattern, at: inner, &result.left) {
          isHost ? texts.rewritten(hostField: $0, scheme: scheme) : texts.rewritten($0)
        })
    }
    let count = request.body.count
    request.body = request.body.enumerated().map { index, pattern in
      let body = place.appending("body")
      return rewritten(pattern, at: count > 1 ? body.appending(index) : body, &result.left)
    }
    if request != result.stub.request { result.stub.request = request }
  }

  /// Rewrites a pattern for the URL as a whole, or for the path.
  private func rewritePlace(of request: inout RequestPattern, _ left: inout [RewrittenStub.Left]) {
    let place = JSONPointer(["request"])
    request.wholeURL = request.wholeURL.map { rewritten($0, at: place.appending("url"), &left) }
    switch request.path {
    case .value(let path):
      request.path = .value(rewritten(path, at: place.appending("path"), &left))
    case .template(let path) where texts.isNamed(in: path):
      let isWhole = request.jsonObject["url"] != nil
      left.append((place.appending(isWhole ? "url" : "path"), .pattern))
    case .template, nil: break
    }
  }

  private func rewriteOrigin(of request: inout RequestPattern, _ left: inout [RewrittenStub.Left]) {
    guard let host = request.host else { return }
    let place = JSONPointer(["request", "host"])
    let standard = request.scheme.flatMap(URLParts.defaultPort)
    guard let port = old.port else {
      var isLeft = false
      request.host = host.mapLeaves { leaf in
        guard leaf.operator == .equalTo else {
          isLeft = isLeft || texts.isNamed(in: leaf.text)
          return leaf
        }
        return isOld(leaf.text) ? leaf.with(text: new.host + Self.dot(of: leaf.text)) : leaf
      }
      if isLeft { left.append((place, .pattern)) }
      return
    }
    let asked = request.port ?? standard
    guard asked == nil || asked == port else { return }
    guard asked != nil, host.operator == .equalTo else {
      if isNamed(in: host) { left.append((place, .pattern)) }
      return
    }
    guard isOld(host.text) else { return }
    request.port = new.port == standard ? nil : new.port
    // As in a text, no port comes after the dot of a whole name.
    let dot = request.port == nil ? Self.dot(of: host.text) : ""
    request.host = host.with(text: new.host + dot)
  }

  /// Whether a name is the old host, with the dot of a whole name or without.
  private func isOld(_ name: String) -> Bool {
    URLParts.canonicalHost(name.dropLast(Self.dot(of: name).count)) == old.host
  }

  private static func dot(of name: String) -> String { name.hasSuffix(".") ? "." : "" }

  private func isNamed(in pattern: ValuePattern) -> Bool {
    pattern.patterns.isEmpty
      ? texts.isNamed(in: pattern.text) : pattern.patterns.contains(where: isNamed)
  }

  private func rewritten(
    _ pattern: ValuePattern, at place: JSONPointer, _ left: inout [RewrittenStub.Left],
    _ change: ((String) -> HostTextRewriter.Result)? = nil
  ) -> ValuePattern {
    var reasons: Set<LeftPlace.Reason> = []
    let new = pattern.mapLeaves { leaf in
      guard leaf.operator == .equalTo else {
        if texts.isNamed(in: leaf.text) { reasons.insert(.pattern) }
        return leaf
      }
      let result = change?(leaf.text) ?? texts.rewritten(leaf.text)
      if result.isLeft { reasons.insert(.host) }
      return leaf.with(text: result.text)
    }
    left += LeftPlace.Reason.allCases.filter(reasons.contains).map { (place, $0) }
    return new
  }

  private func rewritten(
    _ pattern: BodyPattern, at place: JSONPointer, _ left: inout [RewrittenStub.Left]
  ) -> BodyPattern {
    switch pattern.storage {
    case .value(let value): return .value(rewritten(value, at: place, &left))
    case .and(let patterns):
      let inner = place.appending("and")
      return .and(patterns.enumerated().map { rewritten($1, at: inner.appending($0), &left) })
    case .or(let patterns):
      let inner = place.appending("or")
      return .or(patterns.enumerated().map { rewritten($1, at: inner.appending($0), &left) })
    case .not(let inner): return .not(rewritten(inner, at: place.appending("not"), &left))
    case .operation: break
    }
    let text = pattern.documentText
    guard texts.isNamed(in: text) else { return pattern }
    switch pattern.operation {
    case let equal as EqualToJSONOperator:
      return .equalToJSON(
        rewritten(equal.value, at: place.appending(EqualToJSONOperator.name), &left),
        ignoreArrayOrder: equal.ignoreArrayOrder, ignoreExtraElements: equal.ignoreExtraElements)
    case let form as FormOperator:
      let fields = form.fields.map { field in
        let inner = place.appending(FormOperator.name).appending(field.name)
        return NamedPattern(field.name, rewritten(field.pattern, at: inner, &left))
      }
      return .form(fields, isExact: form.isExact)
    default:
      left.append((place, .pattern))
      return pattern
    }
  }

  // MARK: Answers

  private func rewriteResponse(_ index: Int, of result: inout RewrittenStub) {
    let response = result.stub.responses[index]
    let place = JSONPointer(["responses", String(index)])
    for other in response.otherContents where texts.isNamed(in: other.text) {
      result.left.append((place.appending(other.part.rawValue), other.reason))
    }
    if response.headers.contains(where: { texts.mayConcern($0.value) || $0.name == .setCookie }) {
      rewriteHeaders(at: place, of: &result.stub.responses[index], &result.left)
    }
    guard let body = response.body, let bytes = body.bytes else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard texts.mayConcern(text), texts.isNamed(in: text) else { return }
    let inner = place.appending(body.kind.rawValue)
    guard body.kind == .json, !response.isTemplate else {
      let reason: LeftPlace.Reason =
        response.isTemplate ? .template : body.kind == .text ? .text : .base64
      return result.left.append((inner, reason))
    }
    guard let value = try? JSONValue(parsing: bytes), value.canonicalText.hasSameBytes(as: text)
    else { return result.left.append((inner, .malformed)) }
    let new = rewritten(value, at: inner, &result.left)
    if new != value { result.stub.responses[index].body = .json(new) }
  }

  private func rewriteHeaders(
    at place: JSONPointer, of response: inout StubResponse, _ left: inout [RewrittenStub.Left]
  ) {
    let headers = response.headers
    var fields: [HTTPField] = []
    for (var field, pointer) in zip(headers, headers.documentPointers) {
      defer { fields.append(field) }
      let inner = place.appending(pointer)
      var (result, isOutside) = (HostTextRewriter.Result(text: field.value), false)
      if field.name.canonicalName == "set-cookie" {
        (result, isOutside) = texts.rewritten(cookie: field.value)
      } else {
        result = texts.rewritten(field.value)
      }
      let isChanged = !result.text.hasSameBytes(as: field.value)
      if response.isTemplate {
        if isChanged || result.isLeft || isOutside { left.append((inner, .template)) }
        continue
      }
      if result.isLeft { left.append((inner, .host)) }
      if isOutside { left.append((inner, .cookieDomain)) }
      field.value = result.text
    }
    if fields != Array(headers) { response.headers = HTTPFields(fields) }
  }

  private func rewritten(
    _ value: JSONValue, at place: JSONPointer, _ left: inout [RewrittenStub.Left]
  ) -> JSONValue {
    switch value {
    case .string(let text):
      let result = texts.rewritten(text)
      if result.isLeft { left.append((place, .host)) }
      return .string(result.text)
    case .array(let elements):
      return .array(
        elements.enumerated().map { rewritten($1, at: place.appending($0), &left) })
    case .object(var members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        let inner = place.appending(name)
        if texts.isNamed(in: name) { left.append((inner, .host)) }
        members[name] = rewritten(member, at: inner, &left)
      }
      return .object(members)
    case .null, .bool, .number: return value
    }
  }
}
