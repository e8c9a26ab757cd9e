import Foundation
import StubDBRemote
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to stores, one after another, through a session that keeps no cookies or credentials and caches nothing.
///
/// The system verifies TLS.
final class Transferer: NSObject, Sendable {
  private static let mostRedirects = 5
  /// How many bytes come or go between two reports.
  private static let reportedBytes = 1 << 18

  let report: @Sendable (TransferReport) -> Void
  private let transfer = Locked(ActiveTransfer?.none)
  private let sessions = ClientSessions()

  init(report: @escaping @Sendable (TransferReport) -> Void) {
    self.report = report
  }

  /// Sends a request, and reports its progress; the last report has the answer.
  func carryOut(_ request: TransferRequest) async {
    guard let url = URL(string: request.url), url.host != nil else {
      let answer = TransferAnswer(failure: "its URL is not one that can be asked", isPassing: false)
      return report(TransferReport(answer: answer))
    }
    var sent = URLRequest(url: url, timeoutInterval: request.timeout)
    sent.httpMethod = request.method
    sent.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in request.fields { sent.setValue(value, forHTTPHeaderField: name) }
    // Content that is compressed on the way cannot be resumed, and has another digest.
    sent.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    sent.httpBody = request.content
    let hasContent = request.content != nil || request.contentFile != nil
    let answer = await sessions.withSession(hasContent: hasContent, delegate: self) {
      [sent] session in
      let file = request.contentFile.map { URL(fileURLWithPath: $0) }
      return await self.answer(
        of: file.map { session.uploadTask(with: sent, fromFile: $0) }
          ?? session.dataTask(with: sent), to: request)
    }
    report(TransferReport(answer: answer))
  }

  private func answer(
    of task: URLSessionTask, to request: TransferRequest
  ) async -> TransferAnswer {
    let watch = watch(task, request)
    defer { watch.cancel() }
    return await withCheckedContinuation { continuation in
      transfer.withLock {
        $0 = ActiveTransfer(
          request: request, task: ObjectIdentifier(task), continuation: continuation)
      }
      task.resume()
    }
  }

  /// Ends a request that makes no progress, and a short one after some time; files may take as long as they come.
  ///
  /// On Linux sessions watch only for silence, so a server could go on for ever by sending a byte now and then, and not
  /// for the answer to content.
  private func watch(_ task: URLSessionTask, _ request: TransferRequest) -> Task<Void, Never> {
    let isShort = request.contentFile == nil && request.outputFile == nil
    return Task {
      var progress: Int?
      for period in 1... {
        guard (try? await Task.sleep(for: .seconds(request.timeout))) != nil else { return }
        let isLate = transfer.withLock { transfer in
          guard let active = transfer, active.task == ObjectIdentifier(task) else { return false }
          let isLate = active.progress == progress || isShort && period == 3
          progress = active.progress
          if isLate {
            transfer?.problem = TransferAnswer(
              failure: "the server did not answer in time", isPassing: true)
          }
          return isLate
        }
        if isLate { return task.cancel() }
      }
    }
  }
}

extension Transferer: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Early hints come before the answer on Linux.
    if let head = response as? HTTPURLResponse, head.statusCode >= 200 {
      transfer.withLock { transfer in
        transfer?.status = head.statusCode
        for (name, value) in head.allHeaderFields {
          guard let name = name as? String, let value = value as? String else { continue }
          transfer?.fields[name.lowercased()] = value
        }
        transfer?.openOutput()
      }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (received, isEnded) = transfer.withLock { transfer -> (Int?, Bool) in
      guard transfer != nil, transfer?.problem == nil else { return (nil, true) }
      return (transfer?.take(data, reportingEach: Self.reportedBytes), transfer?.problem != nil)
    }
    if let received { report(TransferReport(received: received)) }
    if isEnded { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    let isDue = transfer.withLock { transfer in
      transfer?.sent = Int(totalBytesSent)
      guard transfer?.request.contentFile != nil,
        Int(totalBytesSent) - (transfer?.reported ?? 0) >= Self.reportedBytes
      else { return false }
      transfer?.reported = Int(totalBytesSent)
      return true
    }
    if isDue { report(TransferReport(sent: Int(totalBytesSent))) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let isRefused = challenge.asksForCredentials
    if isRefused { transfer.withLock { $0?.isChallenged = true } }
    completionHandler(isRefused ? .rejectProtectionSpace : .performDefaultHandling, nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let ended = transfer.withLock({ $0.take() }) else { return }
    ended.continuation.resume(returning: ended.answer(error))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isFollowed = transfer.withLock { transfer in
      guard transfer?.request.followsRedirects == true else { return false }
      transfer?.redirects += 1
      return (transfer?.redirects ?? 0) <= Self.mostRedirects
    }
    let (old, new) = (response.url, request.url)
    guard isFollowed, new?.scheme == "https" || new?.scheme == old?.scheme else {
      return completionHandler(nil)
    }
    var request = request
    if old?.host != new?.host || old?.port != new?.port {
      // Credentials are for the server that they were meant for.
      for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    completionHandler(request)
  }
}
