import Foundation
import StubDBDrift
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests through a session that follows no redirects, keeps no cookies or credentials and caches nothing.
///
/// The system verifies TLS.
final class Fetcher: NSObject, Sendable {
  /// The longest content that is read, in bytes.
  private static let largest = 64 << 20

  private struct Transfer {
    var answer: LiveAnswer
    /// Whether the server asked for credentials, which ends the task with an error after the whole answer on Linux.
    var isChallenged = false
    let continuation: CheckedContinuation<LiveAnswer, Never>
  }

  private let timeout: TimeInterval
  private let transfers = Locked([ObjectIdentifier: Transfer]())
  private let sessions: ClientSessions

  init(timeout: TimeInterval) {
    self.timeout = timeout
    sessions = ClientSessions(timeout: timeout)
  }

  /// What the server answers, or why there is no answer.
  func answer(to request: LiveRequests.Request, index: Int) async -> LiveAnswer {
    guard let url = URL(string: request.url) else {
      return LiveAnswer(index: index, problem: "its URL is not one that can be asked")
    }
    var sent = URLRequest(url: url, timeoutInterval: timeout)
    sent.httpMethod = request.method
    sent.cachePolicy = .reloadIgnoringLocalCacheData
    for pair in request.headers where pair.count == 2 {
      sent.addValue(pair[1], forHTTPHeaderField: pair[0])
    }
    if !request.body.isEmpty { sent.httpBody = request.body }
    let hasContent = sent.httpBody != nil
    return await sessions.withSession(hasContent: hasContent, delegate: self) { [sent] session in
      await self.answer(of: session.dataTask(with: sent), index: index)
    }
  }

  /// The answer to a task, or why it did not come in time.
  ///
  /// On Linux sessions watch only for silence, so a server could go on for ever by sending a byte now and then.
  private func answer(of task: URLSessionDataTask, index: Int) async -> LiveAnswer {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [timeout] in
        guard (try? await Task.sleep(for: .seconds(timeout))) != nil else { return }
        self.end(task, "the server did not answer in time")
      }
      let answer = await withCheckedContinuation { continuation in
        transfers.withLock {
          $0[ObjectIdentifier(task)] = Transfer(
            answer: LiveAnswer(index: index), continuation: continuation)
        }
        task.resume()
      }
      group.cancelAll()
      return answer
    }
  }

  /// Gives up on a task, if it has not ended.
  private func end(_ task: URLSessionTask, _ problem: String) {
    let ended = transfers.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    guard let ended else { return }
    task.cancel()
    ended.continuation.resume(returning: LiveAnswer(index: ended.answer.index, problem: problem))
  }
}

extension Fetcher: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Early hints come before the answer on Linux.
    if let head = response as? HTTPURLResponse, head.statusCode >= 200 {
      let isDecoded = head.value(forHTTPHeaderField: "Content-Encoding") != nil
      let fields = head.allHeaderFields.compactMap { name, value -> [String]? in
        guard let name = name as? String, let value = value as? String else { return nil }
        let lowered = name.lowercased()
        if isDecoded, ["content-encoding", "content-length"].contains(lowered) { return nil }
        return [name, value]
      }
      transfers.withLock { transfers in
        transfers[ObjectIdentifier(dataTask)]?.answer.status = head.statusCode
        transfers[ObjectIdentifier(dataTask)]?.answer.headers = fields.sorted { $0[0] < $1[0] }
      }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = transfers.withLock { transfers in
      // Taken out of the table, so that the content is not copied.
      guard var transfer = transfers.removeValue(forKey: ObjectIdentifier(dataTask)) else {
        return false
      }
      defer { transfers[ObjectIdentifier(dataTask)] = transfer }
      guard transfer.answer.body.count + data.count <= Self.largest else { return true }
      transfer.answer.body.append(data)
      return false
    }
    if isTooLong { end(dataTask, "the answer is longer than \(Self.largest >> 20) MiB") }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let isRefused = challenge.asksForCredentials
    if isRefused { transfers.withLock { $0[ObjectIdentifier(task)]?.isChallenged = true } }
    completionHandler(isRefused ? .rejectProtectionSpace : .performDefaultHandling, nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard
      let transfer = transfers.withLock({ $0.removeValue(forKey: ObjectIdentifier(task)) })
    else { return }
    var answer = transfer.answer
    if let error, !(transfer.isChallenged && answer.status != 0) {
      answer = LiveAnswer(index: answer.index, problem: FailureText.of(error))
    } else if answer.status == 0 {
      answer.problem = "the server sent no answer"
    }
    transfer.continuation.resume(returning: answer)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

/// Failures of the network as text.
enum FailureText {
  /// Why there is no answer; without the URL, which may hold secrets.
  static func of(_ error: any Error) -> String {
    let code = (error as? URLError)?.code
    switch code {
    case .timedOut: return "the server did not answer in time"
    case .cannotFindHost, .dnsLookupFailed: return "its host was not found"
    case .cannotConnectToHost: return "no connection could be made"
    case .networkConnectionLost: return "the connection was lost"
    case .notConnectedToInternet: return "there is no network"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
      return "the TLS certificate of the server is not trusted, or TLS failed"
    case .badServerResponse, .cannotParseResponse: return "what the server sent is not HTTP"
    // On Linux this is what libcurl says, such as "SSL certificate problem".
    default: return "the connection failed (\(error.localizedDescription))"
    }
  }
}
