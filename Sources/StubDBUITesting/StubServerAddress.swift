public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where `stubdb serve` listens, and the token that its admin API may want.
public struct StubServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// Scheme, host and port, such as `http://127.0.0.1:8080`.
  public let origin: String
  /// The token of a server that listens to the network (`--token`); nil for one that listens to the machine alone.
  public let token: String?

  /// Makes the address of a server.
  public init(_ origin: String, token: String? = nil) {
    var origin = origin
    while origin.hasSuffix("/") { origin.removeLast() }
    (self.origin, self.token) = (origin, token)
  }

  /// What `STUBDB_SERVER` and `STUBDB_TOKEN` say; without them `http://127.0.0.1:8080`, where `stubdb serve` listens.
  ///
  /// `xcodebuild` hands on variables that begin with `TEST_RUNNER_`, without these letters.
  public static var fromEnvironment: StubServerAddress {
    StubServerAddress(environment: ProcessInfo.processInfo.environment)
  }

  /// An empty variable counts as one that is not set.
  init(environment: [String: String]) {
    let values = environment.filter { !$0.value.isEmpty }
    self.init(
      values["STUBDB_SERVER"] ?? "http://127.0.0.1:8080", token: values["STUBDB_TOKEN"])
  }

  /// The origin, without the token.
  public var description: String { origin }

  /// Asks a route of the admin API, and decodes what it answers.
  func ask<Answer: Decodable>(
    _ method: String, _ route: String, _ content: (some Encodable)?
  ) async throws(StubSessionError) -> Answer {
    let data = try await send(method, route, content)
    do {
      return try JSONDecoder().decode(Answer.self, from: data)
    } catch {
      throw stranger(
        "\(method) \(route) was answered with \(String(decoding: data.prefix(200), as: UTF8.self))")
    }
  }

  /// Asks a route of the admin API.
  func send(
    _ method: String, _ route: String, _ content: (some Encodable)?
  ) async throws(StubSessionError) -> Data {
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await Self.session.data(for: request(method, route, content))
    } catch let error as StubSessionError {
      throw error
    } catch {
      throw missing(error)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if (200..<300).contains(status) { return data }
    guard let refusal = try? JSONDecoder().decode(Refusal.self, from: data) else {
      throw stranger("\(method) \(route) was answered with status \(status)")
    }
    let hint = status == 401 ? " Tests take it from STUBDB_TOKEN." : ""
    throw StubSessionError(
      .refused, "\(refusal.detail ?? refusal.title)\(hint) (\(status), \(origin))")
  }

  private func request(
    _ method: String, _ route: String, _ content: (some Encodable)?
  ) throws -> URLRequest {
    guard let url = URL(string: "\(origin)/__stubdb/\(route)"), url.host != nil else {
      throw StubSessionError(
        .noServer,
        "\(origin) is no address of a server. Write STUBDB_SERVER as http://127.0.0.1:8080.")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let content {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(content)
    }
    return request
  }

  /// One for all, since each has sockets of its own on Linux; not the shared one, which tests may watch or take over.
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 15
    return URLSession(configuration: configuration)
  }()

  // MARK: Errors

  /// `application/problem+json`, as far as it is shown.
  private struct Refusal: Decodable {
    var title: String
    var detail: String?
  }

  private func missing(_ error: any Error) -> StubSessionError {
    StubSessionError(
      .noServer,
      "No stubdb serve answers at \(origin) (\(error.localizedDescription)). Start it before the tests: \(command)"
    )
  }

  private func stranger(_ what: String) -> StubSessionError {
    StubSessionError(
      .noServer,
      "The server at \(origin) is not stubdb serve, or an older one: \(what). Start it at a free port, and name that in "
        + "STUBDB_SERVER: \(command)")
  }

  /// What starts a server there.
  private var command: String {
    let parts = URLComponents(string: origin)
    let isLocal = ["127.0.0.1", "localhost", "[::1]", "::1", nil].contains(parts?.host)
    let tls = parts?.scheme == "https" ? " --tls" : ""
    let network = isLocal ? "" : " --host 0.0.0.0 --token TOKEN --allow-host \(parts?.host ?? "")"
    return "stubdb serve --catalog CATALOG.stubdb --port \(parts?.port ?? 8080)\(tls)\(network)"
  }
}

/// Reports that a session could not be had, or that the server refused something.
public struct StubSessionError: Error, LocalizedError, Sendable, CustomStringConvertible {
  /// What kind of problem it is; later versions may have more.
  public struct Code: Sendable, Hashable {
    private let name: String

    /// No server answers there, or one that is not `stubdb serve`.
    public static let noServer = Code(name: "noServer")
    /// The server refuses it: an unknown scenario, a wrong token, a session that has ended.
    public static let refused = Code(name: "refused")
  }

  /// What kind of problem it is.
  public let code: Code
  /// What failed, why, and what to do.
  public let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  /// The message.
  public var description: String { message }
  /// The message.
  public var errorDescription: String? { message }
}
