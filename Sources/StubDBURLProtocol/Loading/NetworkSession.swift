import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Receives the answer of the real network.
struct NetworkReceiver: Sendable {
  /// How the client takes content, and how long it waits.
  let patience: Patience
  /// Takes the next event for the client.
  let tell: @Sendable (ClientEvent) -> Void
}

/// The connection to the real network: one session for the process, which is not intercepted.
///
/// It follows no redirects, keeps no cookies and caches nothing: the client's task decides about all that.
final class NetworkSession: NSObject, Sendable {
  static let shared = NetworkSession()

  private struct Transfer {
    let receiver: NetworkReceiver
    var head: FoundationHead?
    var content = Data()
    /// Whether the server asked for credentials, which only the client has.
    var isChallenged = false

    /// Whether content is delivered as it arrives; a redirect is delivered as one event.
    var isIncremental: Bool { receiver.patience.isIncremental && head?.redirectTarget == nil }

    /// Whether an error only means that the server's challenge was not answered; the response is complete then.
    func endsWithChallenge(_ error: any Error) -> Bool {
      isChallenged && head != nil && (error as? URLError)?.code == .cancelled
    }
  }

  private let transfers = Locked([Int: Transfer]())
  private let session = Locked(URLSession?.none)

  /// Sends the request, and delivers the response to the receiver.
  func begin(_ hop: RequestHop, _ receiver: NetworkReceiver) -> any Cancellable {
    var request = hop.request
    if request.httpBodyStream != nil || request.httpBody == nil,
      case .bytes(let content) = hop.stubRequest.body.kind, !content.isEmpty
    {
      // The content of an upload is in its task, and a stream was already read.
      request.httpBody = content
    }
    // The configuration of the client's session may have allowed it; this session's does not.
    if let timeout = receiver.patience.timeout { request.timeoutInterval = timeout.inSeconds }
    let task = opened().dataTask(with: request)
    transfers.withLock { $0[task.taskIdentifier] = Transfer(receiver: receiver) }
    task.resume()
    return NetworkTask(session: self, task: task)
  }

  private func opened() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      session = made
      return made
    }
  }

  private struct NetworkTask: Cancellable {
    let session: NetworkSession
    let task: URLSessionTask

    func cancel() {
      guard session.transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) != nil
      else { return }
      // On another thread, because this may run on the queue that `cancel()` waits for.
      DispatchQueue.playback.async { task.cancel() }
    }
  }
}

extension NetworkSession: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Foundation on Linux delivers an informational response, such as 103, like the final one.
    if let status = (response as? HTTPURLResponse)?.statusCode, (100..<200).contains(status) {
      return completionHandler(.allow)
    }
    let head = FoundationHead(received: response)
    let transfer = transfers.withLock { transfers in
      transfers[dataTask.taskIdentifier]?.head = head
      return transfers[dataTask.taskIdentifier]
    }
    if let transfer, transfer.isIncremental { transfer.receiver.tell(.response(head)) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let receiver = transfers.withLock { transfers -> NetworkReceiver? in
      guard let transfer = transfers[dataTask.taskIdentifier] else { return nil }
      if transfer.isIncremental { return transfer.receiver }
      transfers[dataTask.taskIdentifier]?.content.append(data)
      return nil
    }
    if !data.isEmpty { receiver?.tell(.content(data)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let finished = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let transfer = finished else { return }
    if let error, !transfer.endsWithChallenge(error) {
      transfer.receiver.tell(.failure(error))
    } else if transfer.isIncremental {
      transfer.receiver.tell(.finish)
    } else if let head = transfer.head {
      transfer.receiver.tell(.whole(head, transfer.content))
    } else {
      transfer.receiver.tell(.failure(URLError(.badServerResponse)))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
    /// Has the client get the response that asks for credentials.
    ///
    /// On Linux, the default handling of a challenge never ends (swift-corelibs-foundation#5457). Response and content
    /// were delivered before; cancelling the challenge ends the task with an error, which marks the end.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      transfers.withLock { $0[task.taskIdentifier]?.isChallenged = true }
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif
}
