internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBJobs
internal import StubDBModel
internal import StubDBSupport

/// Gives requests, and URLs in answers, another host.
package struct HostRewrite: Sendable {
  private struct Origin: Hashable {
    var host: String
    var port: Int?

    var text: String { port.map { "\(host):\($0)" } ?? host }
  }

  private let old: Origin
  private let new: Origin

  /// The change of an argument `OLD=NEW`, each a host, or a host and a port.
  ///
  /// - Throws: ``ArgumentError``.
  package init(argument text: String) throws(ArgumentError) {
    let words = text.split(separator: "=", omittingEmptySubsequences: false)
    let origins = words.compactMap { word -> Origin? in
      guard !word.contains("@"), let parts = URLParts("x://" + word), let host = parts.host,
        parts.path == "/", word.utf8.last != UInt8(ascii: "/"), parts.query.isEmpty,
        parts.fragment == nil
      else { return nil }
      return Origin(host: host, port: parts.port)
    }
    guard words.count == 2, origins.count == 2 else {
      throw ArgumentError("it has the form OLD=NEW, such as api.shop.test=api.shop.example")
    }
    (old, new) = (origins[0], origins[1])
    if old == new { throw ArgumentError("both hosts are the same") }
    if old.port == nil, new.port != nil {
      throw ArgumentError("a new port needs the old one: \(old.host):443=\(new.text)")
    }
  }

  func rewritten(_ stub: Stub) -> RewrittenStub {
    var result = RewrittenStub(stub: stub)
    rewriteRequest(of: &result)
    for index in stub.responses.indices { rewriteResponse(index, of: &result) }
    return result
  }

  private func rewriteRequest(of result: inout RewrittenStub) {
    var request = result.stub.request
    let port = request.port ?? request.scheme.flatMap(URLParts.defaultPort)
    if request.host?.literal?.hasSameBytes(as: old.host) == true,
      old.port == nil || old.port == port
    {
      request.host = .equalTo(new.host)
      if old.port != nil {
        let isDefault = request.scheme.flatMap(URLParts.defaultPort) == new.port
        request.port = isDefault ? nil : new.port
      }
      result.stub.request = request
    } else if ByteText.contains(JSONValue.object(request.jsonObject).canonicalText, old.host) {
      result.left.append((JSONPointer(["request"]), .pattern))
    }
  }

  private func rewriteResponse(_ index: Int, of result: inout RewrittenStub) {
    let response = result.stub.responses[index]
    let place = JSONPointer(["responses", String(index)])
    for other in response.otherContents where ByteText.contains(other.text, old.host) {
      result.left.append((place.appending(other.part.rawValue), other.reason))
    }
    let isConcerned = response.headers.contains { ByteText.contains($0.value, old.host) }
    if isConcerned, response.isTemplate {
      result.left.append((place.appending("headers"), .template))
    } else if isConcerned {
      let fields = response.headers.map { HTTPField(name: $0.name, value: rewritten($0.value)) }
      result.stub.responses[index].headers = HTTPFields(fields)
    }
    guard let body = response.body, let bytes = body.bytes else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard ByteText.contains(text, old.host) else { return }
    let inner = place.appending(body.kind.rawValue)
    guard body.kind == .json, !response.isTemplate else {
      let reason: LeftPlace.Reason =
        response.isTemplate ? .template : body.kind == .text ? .text : .base64
      return result.left.append((inner, reason))
    }
    guard let value = try? JSONValue(parsing: bytes), value.canonicalText.hasSameBytes(as: text)
    else { return result.left.append((inner, .malformed)) }
    let new = rewritten(value)
    if new != value { result.stub.responses[index].body = .json(new) }
  }

  private func rewritten(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(rewritten(text))
    case .array(let elements): .array(elements.map(rewritten))
    case .object(let members): .object(members.mapValues(rewritten))
    case .null, .bool, .number: value
    }
  }

  /// The text with the new host in each URL that has the old one.
  func rewritten(_ text: String) -> String {
    let needle = "//" + old.text
    guard ByteText.contains(text, needle) else { return text }
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: needle) {
      let end = rest[range.upperBound...].unicodeScalars.first
      // Another host may begin with the old one, and a port that was not given stays.
      let isWhole = end.map { !Self.isPartOfHost($0) && (old.port == nil || $0 != ":") } ?? true
      result += rest[..<range.lowerBound] + "//" + (isWhole ? new.text : old.text)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func isPartOfHost(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "-.@_%".unicodeScalars.contains(scalar)
  }
}
