import HTTPTypes
import StubDBModel

extension RequestPattern {
  /// Whether another pattern certainly says the same of all but the path, byte by byte.
  ///
  /// Unlike `==`, for which the case of names does not count, nor how characters are composed. Compared in place,
  /// because loading does it for each stub: a copy retains each part.
  func isSame(besidesPath other: UnsafePointer<RequestPattern>) -> Bool {
    RequestPart.all.allSatisfy { isSame($0, other) }
  }

  /// Whether both say the same of a part, which is false wherever telling would take long.
  private func isSame(_ part: RequestPart, _ other: UnsafePointer<RequestPattern>) -> Bool {
    switch part {
    case .path: true
    case .method:
      Self.isSame(methods, other.pointee.methods) { ByteText.isEqual($0.rawValue, $1.rawValue) }
    case .url: Self.isSame(wholeURL, other.pointee.wholeURL)
    case .scheme: Self.isSame(scheme, other.pointee.scheme)
    case .host: Self.isSame(host, other.pointee.host)
    case .port: port == other.pointee.port
    case .pathParameters: pathParameters.isEmpty && other.pointee.pathParameters.isEmpty
    case .query: Self.isSame(query, other.pointee.query, Self.isSame)
    case .queryIsExact: queryIsExact == other.pointee.queryIsExact
    case .headers:
      Self.isSame(headers, other.pointee.headers) {
        ByteText.isEqual($0.name.rawName, $1.name.rawName) && Self.isSame($0.pattern, $1.pattern)
      }
    case .cookies: Self.isSame(cookies, other.pointee.cookies, Self.isSame)
    case .basicAuth: basicAuth == nil && other.pointee.basicAuth == nil
    case .captured: captured.isEmpty && other.pointee.captured.isEmpty
    case .body: Self.isSame(body, other.pointee.body) { _, _ in false }
    }
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return ByteText.isEqual(one, other)
  }

  private static func isSame(_ one: NamedPattern, _ other: NamedPattern) -> Bool {
    ByteText.isEqual(one.name, other.name) && isSame(one.pattern, other.pattern)
  }

  private static func isSame(_ one: ValuePattern?, _ other: ValuePattern?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard one.operator == other.operator else { return false }
    switch (one.operand, other.operand) {
    case (.none, .none): return true
    case (.text(let text, let ignoresCase), .text(let otherText, let otherIgnoresCase)):
      return ignoresCase == otherIgnoresCase && ByteText.isEqual(text, otherText)
    default: return false
    }
  }

  /// Whether both are the same list, or have elements that are the same.
  private static func isSame<Element>(
    _ one: [Element], _ other: [Element], _ isSame: (Element, Element) -> Bool
  ) -> Bool {
    guard one.count == other.count else { return false }
    return one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        one.baseAddress == other.baseAddress
          || one.indices.allSatisfy { isSame(one[$0], other[$0]) }
      }
    }
  }
}
