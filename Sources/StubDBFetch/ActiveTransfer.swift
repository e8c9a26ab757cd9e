import Foundation
import StubDBRemote

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that is under way, and what has come of its answer.
struct ActiveTransfer {
  let request: TransferRequest
  let task: ObjectIdentifier
  var status: Int?
  var fields: [String: String] = [:]
  var content = Data()
  /// The file that gets the content; nil if the answer gets it.
  var output: FileHandle?
  /// How many bytes the file has.
  var received = 0
  /// How many bytes of content were sent.
  var sent = 0
  var reported = 0
  var redirects = 0
  /// Why it was ended early.
  var problem: TransferAnswer?
  /// Whether the server asked for credentials, which ends the task with an error after the whole answer on Linux.
  var isChallenged = false
  let continuation: CheckedContinuation<TransferAnswer, Never>

  /// A number that grows with everything that is sent and that comes.
  var progress: Int { sent + received + content.count + (status ?? 0) }

  /// Opens the output file for a successful answer, at the byte with which the content begins.
  mutating func openOutput() {
    guard let path = request.outputFile, status == 200 || status == 206 else { return }
    let isCreated =
      FileManager.default.fileExists(atPath: path)
      || FileManager.default.createFile(atPath: path, contents: nil)
    guard isCreated, let file = FileHandle(forUpdatingAtPath: path) else {
      problem = TransferAnswer(failure: "\(path) cannot be written", isPassing: false)
      return
    }
    do {
      // A server that ignores the range sends everything.
      if status == 200 { try file.truncate(atOffset: 0) }
      received = Int(try file.seekToEnd())
    } catch {
      problem = TransferAnswer(
        failure: "\(path) cannot be written: \(error.localizedDescription)", isPassing: false)
    }
    if status == 206, let range = fields["content-range"],
      !range.hasPrefix("bytes \(received)-")
    {
      problem = TransferAnswer(
        failure: "the server sent another range than it was asked for", isPassing: false)
    }
    output = file
  }

  /// Keeps a piece of content; returns how many bytes the file has if that is to be reported.
  mutating func take(_ data: Data, reportingEach step: Int) -> Int? {
    guard let output else {
      guard content.count + data.count <= request.limit else {
        problem = TransferAnswer(
          failure: "the answer is longer than \(request.limit) bytes", isPassing: false)
        return nil
      }
      content.append(data)
      return nil
    }
    let room = max(0, (request.outputLimit ?? .max) - received)
    // One byte too many shows that there are more.
    let kept = data.count > room ? data.prefix(room + 1) : data
    do {
      try output.write(contentsOf: kept)
    } catch {
      problem = TransferAnswer(
        failure: "what came cannot be written: \(error.localizedDescription)", isPassing: false)
      return nil
    }
    received += kept.count
    if kept.count > room {
      problem = status.map { TransferAnswer(status: $0, fields: fields) }
      return nil
    }
    guard received - reported >= step else { return nil }
    reported = received
    return received
  }

  func answer(_ error: (any Error)?) -> TransferAnswer {
    try? output?.close()
    if let problem { return problem }
    if let error, !(isChallenged && status != nil) { return Self.failure(error) }
    guard let status else {
      return TransferAnswer(failure: "the server sent no answer", isPassing: true)
    }
    return TransferAnswer(status: status, fields: fields, content: content)
  }

  /// Why there is no answer; without the URL, which may hold secrets.
  private static func failure(_ error: any Error) -> TransferAnswer {
    let text = FailureText.of(error)
    switch (error as? URLError)?.code {
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .badURL, .unsupportedURL:
      return TransferAnswer(failure: text, isPassing: false)
    default:
      // What libcurl says on Linux, such as "SSL certificate problem", has no code of its own.
      let isTLS = ["SSL", "TLS", "certificate"].contains { text.contains($0) }
      return TransferAnswer(failure: text, isPassing: !isTLS)
    }
  }
}
