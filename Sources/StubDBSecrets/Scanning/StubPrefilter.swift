internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Distinguishes stubs that may contain a secret from those that certainly do not.
///
/// Examines the values in memory, because making a document of every stub would cost ten times as much. Each part that
/// is examined here, or cannot contain text, is set to its default; a stub that still differs from an empty one is
/// suspicious. So a part that is added to the model is scanned without a change here.
struct StubPrefilter {
  private var names = SensitiveNames()

  /// Whether a closer look is needed; errs on the side of true.
  mutating func isSuspicious(_ stub: Stub) -> Bool {
    var rest = stub
    (rest.key, rest.summary, rest.priority, rest.isRequired, rest.recorded) = (
      .unset, nil, Stub.defaultPriority, false, nil
    )
    (rest.request, rest.responses, rest.then) = (
      Self.emptyRequest, Self.emptyStub.responses, .repeatLast
    )
    guard rest == Self.emptyStub else { return true }
    return isSuspicious(stub.key.rawValue) || stub.summary.map { isSuspicious($0) } ?? false
      || stub.recorded?.from.map { isSuspicious($0) } ?? false
      || isSuspicious(stub.request) || stub.responses.contains { isSuspicious($0) }
  }

  private static let emptyStub = Stub(key: .unset)
  private static let emptyRequest = RequestPattern()
  private static let emptyResponse = StubResponse()

  private mutating func isSuspicious(_ request: RequestPattern) -> Bool {
    var rest = request
    (rest.methods, rest.scheme, rest.host, rest.port) = ([], nil, nil, nil)
    rest.wholeURL = nil
    (rest.path, rest.query, rest.headers, rest.cookies) = (nil, [], [], [])
    rest.queryIsExact = false
    guard rest == Self.emptyRequest else { return true }
    for method in request.methods where isSuspicious(method.rawValue) { return true }
    if let scheme = request.scheme, isSuspicious(scheme) { return true }
    for patterns in [request.query, request.headers.map(\.named), request.cookies] {
      for pattern in patterns {
        if names.meaning(of: pattern.name).mayBeSecret || isSuspicious(pattern.name)
          || isSuspicious(pattern.pattern)
        {
          return true
        }
      }
    }
    if let host = request.host, isSuspicious(host) { return true }
    if let url = request.wholeURL, isSuspicious(url) { return true }
    switch request.path {
    case nil: return false
    case .template(let text): return isSuspicious(text)
    case .value(let pattern): return isSuspicious(pattern)
    }
  }

  private mutating func isSuspicious(_ pattern: ValuePattern) -> Bool {
    switch pattern.operator.kind {
    case .text, .part: isSuspicious(pattern.text)
    // Groups may take a secret apart.
    case .expression: pattern.text.contains("(") || isSuspicious(pattern.text)
    case .isTrue, .number: false
    case .name, .date, .pattern, .patterns: true
    }
  }

  private mutating func isSuspicious(_ response: StubResponse) -> Bool {
    var rest = response.withoutFault
    (rest.status, rest.repeatCount, rest.isTemplate) = (200, 1, false)
    (rest.headers, rest.body, rest.delay, rest.throttle) = ([:], nil, nil, nil)
    guard rest == Self.emptyResponse, response.statusTemplate == nil else { return true }
    for field in response.headers {
      if names.meaning(of: field.name.rawName).mayBeSecret || isSuspicious(field.name.rawName)
        || isSuspicious(field.value)
      {
        return true
      }
    }
    guard let body = response.body else { return false }
    guard case .bytes(let bytes) = body.content else { return true }
    return bytes.withUnsafeBytes { bytes in
      TextSecrets.mayHold(
        content: bytes.bindMemory(to: UInt8.self), &names, isJSON: body.kind == .json)
    }
  }

  private mutating func isSuspicious(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { TextSecrets.mayHold($0, &names) }
  }
}
