#if Server
import HTTPTypes
import NIOHTTP1
import StubDBPlayback

/// Allows the page of another origin, which has made a request, to read the answer.
///
/// Browsers withhold answers from such pages unless header fields allow it, and ask the server before most requests
/// that are not a plain `GET`: a preflight. Stubs say nothing about either, because the real server's clients are
/// usually no browsers, or pages of an origin that it knows. https://fetch.spec.whatwg.org/#http-cors-protocol
struct CrossOrigin {
  /// What pages can always read, and what they never can.
  private static let settledNames: Set<String> = [
    "cache-control", "content-language", "content-length", "content-type", "expires",
    "last-modified", "pragma", "set-cookie", "set-cookie2", "vary",
  ]

  private let origin: String
  /// What a preflight asks for; nil for the request itself.
  private let askedMethod: String?
  private let askedFields: String?

  /// Nil for a request that no page of another origin has made.
  init?(_ head: HTTPRequestHead) {
    guard let origin = head.headers.first(name: "origin") else { return nil }
    self.origin = origin
    let isQuestion = head.method == .OPTIONS
    askedMethod = isQuestion ? head.headers.first(name: "access-control-request-method") : nil
    askedFields = head.headers.first(name: "access-control-request-headers")
  }

  /// Whether the browser only asks whether it may send a request.
  var isPreflight: Bool { askedMethod != nil }

  /// The answer to a preflight, which allows what it asks for; ``allow(_:)`` adds the rest.
  var permission: ResponseHead {
    var head = ResponseHead(status: 204, headers: [:])
    head.headers[.accessControlAllowMethods] = askedMethod
    head.headers[.accessControlAllowHeaders] = askedFields
    head.headers[.vary] = "Access-Control-Request-Method, Access-Control-Request-Headers"
    return head
  }

  /// Adds what lets the page read the answer, unless the stub itself says which pages may.
  ///
  /// The origin is repeated, because `*` excludes requests with cookies.
  func allow(_ headers: inout HTTPFields) {
    guard !headers.contains(.accessControlAllowOrigin) else { return }
    if !headers.contains(.accessControlExposeHeaders), !isPreflight {
      var names: [String] = []
      for field in headers where !Self.isSettled(field.name) && !names.contains(field.name.rawName)
      {
        names.append(field.name.rawName)
      }
      if !names.isEmpty {
        headers[.accessControlExposeHeaders] = names.joined(separator: ", ")
      }
    }
    headers[.accessControlAllowOrigin] = origin
    if !headers.contains(.accessControlAllowCredentials) {
      headers[.accessControlAllowCredentials] = "true"
    }
    let varied = headers[values: .vary].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingPrefix { $0 == " " }.lowercased() }
    if !varied.contains("*"), !varied.contains("origin") {
      headers.append(HTTPField(name: .vary, value: "Origin"))
    }
  }

  private static func isSettled(_ name: HTTPField.Name) -> Bool {
    settledNames.contains(name.canonicalName)
      || name.canonicalName.hasPrefix("access-control-") || name == .transferEncoding
      || name == .connection
  }
}
#endif
