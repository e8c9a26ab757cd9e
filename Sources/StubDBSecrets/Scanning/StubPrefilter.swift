internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Tells the stubs that may hold a secret from those that certainly do not.
///
/// Looks at the values as they are in memory: making a document of every stub costs ten times as much
/// as finding that it holds nothing.
struct StubPrefilter {
  private var names = KnownNames()

  /// Whether a closer look is worth it; errs by saying yes.
  mutating func isSuspicious(_ stub: Stub) -> Bool {
    if isSuspicious(stub.key) || stub.summary.map({ isSuspicious($0) }) ?? false { return true }
    // Rare, and nested deeper than this looks.
    if stub.flow != nil || !stub.captures.isEmpty || isSuspicious(stub.request) { return true }
    return stub.responses.contains { isSuspicious($0) }
  }

  private mutating func isSuspicious(_ request: RequestPattern) -> Bool {
    if request.basicAuth != nil || !request.body.isEmpty || !request.pathParameters.isEmpty
      || !request.captured.isEmpty
    {
      return true
    }
    for pattern in [request.query, request.headers, request.cookies].joined() {
      if names.isHint(pattern.name) || isSuspicious(pattern.name) || isSuspicious(pattern.pattern) {
        return true
      }
    }
    if let host = request.host, isSuspicious(host) { return true }
    switch request.path {
    case nil: return false
    case .template(let text): return isSuspicious(text)
    case .value(let pattern): return isSuspicious(pattern)
    }
  }

  private mutating func isSuspicious(_ pattern: ValuePattern) -> Bool {
    switch pattern {
    case .equalTo(let text, _), .contains(let text), .doesNotContain(let text),
      .matches(let text), .doesNotMatch(let text):
      isSuspicious(text)
    case .absent, .anything, .number, .date: false
    default: true
    }
  }

  private mutating func isSuspicious(_ response: StubResponse) -> Bool {
    if response.error != nil || response.chunks != nil || response.statusTemplate != nil {
      return true
    }
    for field in response.headers {
      if names.isHint(field.name.rawName) || isSuspicious(field.value) { return true }
    }
    guard let body = response.body else { return false }
    guard case .bytes(let bytes) = body.content else { return true }
    return bytes.withUnsafeBytes { bytes in
      SecretDetector.isSuspicious(bytes.bindMemory(to: UInt8.self), &names)
        || body.kind != .base64 && bytes.contains(UInt8(ascii: "%"))
    }
  }

  private mutating func isSuspicious(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      SecretDetector.isSuspicious(bytes, &names) || bytes.contains(UInt8(ascii: "%"))
    }
  }
}
