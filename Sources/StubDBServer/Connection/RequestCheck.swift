#if Server
import NIOHTTP1
import StubDBPlayback

/// Why a request is refused before the scenario is asked.
struct Refusal: Error {
  let status: Int
  let title: String
  let detail: String

  init(_ status: Int, _ title: String, _ detail: String) {
    (self.status, self.title, self.detail) = (status, title, detail)
  }

  static let tooManyFields = Refusal(
    431, "Request header fields too large",
    "The request has more than \(HTTP1Limits.fieldCount) header fields, or one of more than "
      + "\(HTTP1Limits.fieldSize >> 10) KiB, or more than \(HTTP1Limits.listSize >> 10) KiB of them."
  )

  static func longTarget(of byteCount: String, _ limits: ServerOptions) -> Refusal {
    Refusal(
      414, "URI too long",
      "The request target has \(byteCount) bytes; at most \(limits.longestTarget) are accepted.")
  }

  /// The refusal of bytes that are not a request, whose first line has so many bytes at least; nil for other errors.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9112#section-3
  init?(_ error: any Error, limits: ServerOptions, lineByteCount: Int) {
    guard let error = error as? HTTPParserError else { return nil }
    switch error {
    case .headerOverflow where lineByteCount > limits.longestTarget:
      self = .longTarget(of: "more than \(limits.longestTarget)", limits)
    case .headerOverflow: self = .tooManyFields
    case .invalidMethod:
      self.init(
        501, "Unknown method",
        "The server does not know the method of the request, or the bytes are not HTTP/1.")
    case .invalidVersion:
      self.init(505, "HTTP version not supported", "The server speaks HTTP/1.0 and HTTP/1.1.")
    default:
      self.init(400, "Bad request", "The bytes are not an HTTP/1 request: \(error).")
    }
  }
}

/// The limits of the parser of heads.
enum HTTP1Limits {
  static let fieldCount = 256
  static let fieldSize = 256 << 10
  static let listSize = 512 << 10

  static var configuration: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldCount = fieldCount
    limits.maxHeaderFieldSize = fieldSize
    limits.maxHeaderListSize = listSize
    return limits
  }
}

extension HTTPRequestHead {
  /// Whether the client waits for a go-ahead before it sends the content.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
  var awaitsContinue: Bool {
    knowsExpectations && headers.first(name: "expect")?.lowercased() == "100-continue"
  }

  private var knowsExpectations: Bool { version.major > 1 || version.minor > 0 }

  /// Checks the head alone.
  ///
  /// - Throws: A ``Refusal``.
  func check(_ options: ServerOptions) throws(Refusal) {
    guard uri.utf8.count <= options.longestTarget else {
      throw .longTarget(of: "\(uri.utf8.count)", options)
    }
    try checkHost()
    try checkTransferEncoding()
    if let expectation = headers.first(name: "expect"), knowsExpectations, !awaitsContinue {
      throw Refusal(
        417, "Expectation failed", "The server does not know the expectation \(expectation).")
    }
    if let text = headers.first(name: "content-length") {
      // The parser lets nothing through but digits, and numbers that are larger than an integer.
      let digits = text.filter(\.isNumber)
      try options.check(contentLength: digits.isEmpty ? 0 : Int(digits) ?? .max)
    }
  }

  /// Checks that there is one valid `Host` field.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9112#section-3.2
  private func checkHost() throws(Refusal) {
    let hosts = headers["host"]
    guard hosts.count == 1 || hosts.isEmpty && version.minor == 0 else {
      throw Refusal(
        400, "Bad request",
        "A request of HTTP/1.1 needs one Host field, and this one has \(hosts.count).")
    }
    guard let host = hosts.first, !Authority.isValid(host) else { return }
    throw Refusal(400, "Bad request", "The Host field is not a host with an optional port.")
  }

  /// Checks that the content is framed in the one way that the server knows besides a length.
  ///
  /// Whoever else reads the request, such as a proxy, must not see another end of its content.
  /// https://www.rfc-editor.org/rfc/rfc9112#section-6.1
  private func checkTransferEncoding() throws(Refusal) {
    let values = headers["transfer-encoding"]
    if values.isEmpty { return }
    guard version.minor >= 1 else {
      throw Refusal(400, "Bad request", "HTTP/1.0 has no Transfer-Encoding.")
    }
    let codings = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    if codings == ["chunked"] { return }
    guard codings.last == "chunked", !codings.contains(""), !codings.dropLast().contains("chunked")
    else {
      throw Refusal(
        400, "Bad request", "The Transfer-Encoding does not say where the content ends.")
    }
    throw Refusal(
      501, "Not implemented",
      "The server knows no Transfer-Encoding but chunked; compress with Content-Encoding.")
  }
}

extension ServerOptions {
  /// Checks the size of content.
  ///
  /// - Throws: A ``Refusal``.
  func check(contentLength: Int) throws(Refusal) {
    guard contentLength > largestBody else { return }
    throw Refusal(
      413, "Content too large",
      "The content of the request is larger than \(largestBody) bytes; --max-body raises the limit."
    )
  }
}
#endif
