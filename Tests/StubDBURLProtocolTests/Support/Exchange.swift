import Foundation
import StubDBModel
import StubDBSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A way to send a request and to receive the answer.
enum Exchange: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case completionHandler
  case delegate
  case async

  var testDescription: String { rawValue }

  /// What a client receives.
  struct Answer: Sendable {
    var response: HTTPURLResponse
    var content: Data

    var status: Int { response.statusCode }
    var text: String { String(decoding: content, as: UTF8.self) }

    func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
  }

  /// The content that is sent.
  enum Upload: Sendable {
    case data(Data)
    case file(URL)
    /// The stream that the session's delegate provides; only with ``delegate``.
    case stream(Data)
  }

  /// Sends the request in a session of its own.
  func send(
    _ request: URLRequest, upload: Upload? = nil, through interceptor: StubInterceptor
  ) async throws -> Answer {
    switch self {
    case .completionHandler:
      try await withCompletionHandler(request, upload, interceptor.urlSession())
    case .delegate:
      try await withDelegate(request, upload, interceptor)
    case .async:
      try await asynchronously(request, upload, interceptor.urlSession())
    }
  }

  private func withCompletionHandler(
    _ request: URLRequest, _ upload: Upload?, _ session: URLSession
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let hear: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
        continuation.resume(with: Self.result(data, response, error))
      }
      switch upload {
      case .data(let data):
        session.uploadTask(with: request, from: data, completionHandler: hear).resume()
      case .file(let file):
        session.uploadTask(with: request, fromFile: file, completionHandler: hear).resume()
      case .stream, nil:
        session.dataTask(with: request, completionHandler: hear).resume()
      }
    }
  }

  private func asynchronously(
    _ request: URLRequest, _ upload: Upload?, _ session: URLSession
  ) async throws -> Answer {
    let (data, response) =
      switch upload {
      case .data(let data): try await session.upload(for: request, from: data)
      case .file(let file): try await session.upload(for: request, fromFile: file)
      case .stream, nil: try await session.data(for: request)
      }
    return try Self.result(data, response, nil).get()
  }

  private func withDelegate(
    _ request: URLRequest, _ upload: Upload?, _ interceptor: StubInterceptor
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let delegate = CollectingDelegate { continuation.resume(with: $0) }
      let session = interceptor.urlSession(delegate: delegate)
      switch upload {
      case .data(let data): session.uploadTask(with: request, from: data).resume()
      case .file(let file): session.uploadTask(with: request, fromFile: file).resume()
      case .stream(let data):
        var streamed = request
        streamed.httpBodyStream = InputStream(data: data)
        session.uploadTask(withStreamedRequest: streamed).resume()
      case nil: session.dataTask(with: request).resume()
      }
    }
  }

  fileprivate static func result(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Answer, any Error> {
    if let error { return .failure(error) }
    guard let response = response as? HTTPURLResponse else {
      return .failure(URLError(.badServerResponse))
    }
    return .success(Answer(response: response, content: data ?? Data()))
  }
}

/// Collects the calls of a session to its delegate about one task.
private final class CollectingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let received = Locked<(content: Data, response: URLResponse?)>((Data(), nil))
  private let finish: @Sendable (Result<Exchange.Answer, any Error>) -> Void

  init(finish: @escaping @Sendable (Result<Exchange.Answer, any Error>) -> Void) {
    self.finish = finish
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    received.withLock { $0.response = response }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received.withLock { $0.content.append(data) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (content, response) = received.withLock { $0 }
    finish(Exchange.result(content, response, error))
  }
}
