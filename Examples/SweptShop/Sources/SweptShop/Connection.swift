import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What can go wrong between the app and the shop's server.
enum RequestError: Error {
  /// There is no connection, or it was lost.
  case unreachable(URLError.Code)
  /// The status is no success; the server may ask to wait for some seconds.
  case refused(status: Int, retryAfter: Int?)
  /// The content is not what the app expects.
  case unreadable(any Error)
}

/// Sends requests to the shop's server, and reads its answers.
struct Connection: Sendable {
  /// Sends the requests.
  let session: URLSession
  /// Measures the time between tries.
  let clock: any Clock<Duration>

  /// Makes a connection; tests give it their session and the clock of their scenario.
  init(session: URLSession = .shared, clock: any Clock<Duration> = ContinuousClock()) {
    (self.session, self.clock) = (session, clock)
  }

  /// The answer to a GET.
  func get<Answer: Decodable & Sendable>(
    _ path: String, token: String? = nil
  ) async throws -> Answer {
    try await send("GET", path, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
  }

  /// The answer to a request, whose content is JSON.
  func send<Answer: Decodable & Sendable>(
    _ method: String, _ path: String, _ content: [String: String]? = nil,
    headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = try request(method, path, headers)
    request.httpBody = try content.map { try JSONEncoder().encode($0) }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: request)
    } catch let error as URLError {
      throw RequestError.unreachable(error.code)
    }
    return try Self.answer(data, response)
  }

  /// A request to the shop's server.
  func request(
    _ method: String, _ path: String, _ headers: [String: String] = [:]
  ) throws -> URLRequest {
    guard let url = URL(string: "https://api.shop.test/v1" + path) else {
      throw RequestError.unreadable(URLError(.badURL))
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// Reads an answer.
  static func answer<Answer: Decodable>(_ data: Data, _ response: URLResponse?) throws -> Answer {
    guard let response = response as? HTTPURLResponse else {
      throw RequestError.unreadable(URLError(.badServerResponse))
    }
    guard (200..<300).contains(response.statusCode) else {
      let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init)
      throw RequestError.refused(status: response.statusCode, retryAfter: seconds)
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: data)
    } catch {
      throw RequestError.unreadable(error)
    }
  }
}
