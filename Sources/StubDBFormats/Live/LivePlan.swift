package import HTTPTypes
package import StubDBDrift
package import StubDBModel

/// What a user asks of requests to a real server.
package struct LiveOptions: Sendable {
  /// The server: scheme, host, port, and a path that stands before all others; nil for the host that each stub names.
  package var server: String?
  /// Whether requests with a method are sent; others are skipped.
  package var allowsMethod: @Sendable (_ method: String, _ isGraphQLQuery: Bool) -> Bool = {
    LiveOptions.safeMethods.contains($0) || $1
  }
  /// The origin in the scenarios that the server represents, such as `https://api.shop.test`; nil for the only one.
  package var origin: String?
  /// Values for placeholders of paths, for query parameters and, by JSON pointer, for placeholders in content.
  package var parameters: [String: String] = [:]
  /// Header fields that are sent with every request, in place of those of the stubs.
  package var headers = HTTPFields()

  /// The methods that change nothing on a server. https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1
  static let safeMethods = ["GET", "HEAD", "OPTIONS"]

  package init(server: String?) { self.server = server }
}

/// The requests that show whether a real server still answers as stubs do.
package struct LivePlan: Sendable {
  /// A request, and what the stub answers to it.
  package struct Question: Sendable {
    package var scenario: ScenarioName
    package var key: Stub.Key
    package var request: LiveRequests.Request
    package var stored: SampledAnswer
    /// Whether the request may change what the server keeps.
    package var mayChange: Bool
    /// The operation, of which other stubs of the catalog know more answers.
    package var operation: String?
    /// The resource whose items the answer would be; nil for a stub without one, and where a response comes first.
    package var resource: Resource?
  }

  /// A stub or an answer that is not compared.
  package struct Skipped: Hashable, Sendable {
    package var scenario: ScenarioName
    package var key: Stub.Key
    /// A clause such as `it answers with status 503`.
    package var reason: String

    package init(scenario: ScenarioName, key: Stub.Key, reason: String) {
      (self.scenario, self.key, self.reason) = (scenario, key, reason)
    }
  }

  /// In the order of the documents.
  package private(set) var questions: [Question] = []
  package private(set) var skipped: [Skipped] = []

  /// Makes the requests for the stubs of scenarios.
  package init(_ content: ExportContent, options: LiveOptions) {
    let hosts = LiveHosts(content, options: options)
    for stub in content.stubs {
      var builder = LiveQuestionBuilder(stub, hosts: hosts, options: options)
      do throws(LiveSkip) {
        questions.append(try builder.question())
        for reason in builder.partsLeftOut { skip(stub, reason) }
      } catch {
        skip(stub, error.reason)
      }
    }
  }

  private mutating func skip(_ stub: ExportedStub, _ reason: String) {
    skipped.append(Skipped(scenario: stub.scenario, key: stub.stub.key, reason: reason))
  }
}

/// Why a stub gives no request.
struct LiveSkip: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Which server is asked what stubs answer.
struct LiveHosts {
  private let hosts: Set<String>
  private let server: String?
  private let serverHost: String?
  private let origin: String?
  /// The same with its scheme and port; nil if only the host was given.
  private let originURL: String?

  init(_ content: ExportContent, options: LiveOptions) {
    hosts = Set(content.stubs.compactMap { Self.host(of: $0.stub.request) })
    server = options.server
    serverHost = options.server.flatMap { URLParts($0)?.host }
    origin = options.origin.flatMap { URLParts($0)?.host ?? $0.lowercased() }
    originURL = options.origin.flatMap { URLParts($0)?.host == nil ? nil : $0 }
  }

  /// The URL of the server that is asked for what matches a pattern; the error says why none is.
  func server(for pattern: RequestPattern) throws(LiveSkip) -> String {
    let host = Self.host(of: pattern)
    if let origin, let host, host != origin { throw LiveSkip("it is of \(host), not of \(origin)") }
    guard let server else {
      if let originURL { return originURL }
      return try Self.origin(of: pattern)
    }
    if let host, origin == nil, hosts.count > 1, host != serverHost {
      throw LiveSkip(
        "it is of \(host), one of \(hosts.count) hosts; say with --origin which one the server is")
    }
    return server
  }

  /// The server that the pattern itself names.
  private static func origin(of pattern: RequestPattern) throws(LiveSkip) -> String {
    let whole = pattern.wholeURL?.literal.flatMap { URLParts($0) }
    guard let host = host(of: pattern) else {
      throw LiveSkip("it names no host; say with --against which server to ask")
    }
    let port = (whole?.port ?? pattern.port).map { ":\($0)" } ?? ""
    return "\(whole?.scheme ?? pattern.scheme ?? "https")://\(host)\(port)"
  }

  private static func host(of pattern: RequestPattern) -> String? {
    pattern.host?.literal?.lowercased()
      ?? pattern.wholeURL?.literal.flatMap { URLParts($0)?.host }
  }
}
