import Foundation
import StubDBSupport

@testable import StubDBRemote

/// A server of buckets, as a transport that needs no socket.
final class BucketServer: HTTPTransport {
  enum Fault: Hashable, Sendable {
    case ignoresIfMatch
    case ignoresIfNoneMatch
    /// Answers with 503 so many times.
    case isBusy(times: Int)
    /// Ends the connection in the middle of each first answer.
    case tearsDownloads
    /// Carries each pointer's replacement out, and loses the first answer.
    case losesAnswers
  }

  /// What a client needs to find it.
  static let environment = [
    "AWS_ENDPOINT_URL": "http://bucket.test", "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret", "HOME": "/nonexistent",
  ]

  private struct State {
    var contents: [String: Data] = [:]
    var busy = 0
    var torn: Set<String> = []
    var lost = false
    var requests: [String] = []
  }

  private let faults: Set<Fault>
  private let state: Locked<State>

  init(faults: Set<Fault> = []) {
    self.faults = faults
    var state = State()
    for case .isBusy(let times) in faults { state.busy = times }
    self.state = Locked(state)
  }

  /// A client that does not wait between tries.
  var client: RetryingClient { RetryingClient(transport: self, wait: { _ in }) }

  /// The requests so far, as method and path.
  var requests: [String] { state.withLock { $0.requests } }

  /// Replaces what is under a path.
  func replace(_ path: String, with data: Data?) { state.withLock { $0.contents[path] = data } }

  var paths: [String] { state.withLock { $0.contents.keys.sorted() } }

  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    let url = URL(string: request.url)
    let path = url?.path ?? ""
    return state.withLock { state in
      state.requests.append("\(request.method) \(path)")
      if state.busy > 0 {
        state.busy -= 1
        return TransferAnswer(status: 503)
      }
      return switch (request.method, url?.query) {
      case ("GET", let query?): list(query, state)
      case ("GET", nil): get(path, request, &state)
      case ("HEAD", _):
        state.contents[path].map {
          TransferAnswer(status: 200, fields: ["content-length": "\($0.count)"])
        } ?? TransferAnswer(status: 404)
      case ("PUT", _): put(path, request, &state)
      default: TransferAnswer(status: 405)
      }
    }
  }

  private func tag(_ data: Data) -> String {
    "\"\(SHA256Digest.hexadecimal(of: data).prefix(32))\""
  }

  private func list(_ query: String, _ state: State) -> TransferAnswer {
    let prefix = "/stubs/team/"
    let keys = state.contents.keys.filter {
      $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
    }
    let text = keys.sorted().map { "<Contents><Key>\($0.dropFirst(7))</Key></Contents>" }.joined()
    return TransferAnswer(
      status: 200, content: Data("<ListBucketResult>\(text)</ListBucketResult>".utf8))
  }

  private func get(
    _ path: String, _ request: TransferRequest, _ state: inout State
  ) -> TransferAnswer {
    guard let data = state.contents[path] else {
      return TransferAnswer(
        status: 404, content: Data("<Error><Code>NoSuchKey</Code></Error>".utf8))
    }
    guard let file = request.outputFile else {
      guard data.count <= request.limit else {
        return TransferAnswer(failure: "too long", isPassing: false)
      }
      return TransferAnswer(status: 200, fields: ["etag": tag(data)], content: data)
    }
    var old = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
    let range = request.fields["Range"]
    if range == nil { old = Data() }
    guard range == nil || range == "bytes=\(old.count)-" else { return TransferAnswer(status: 400) }
    guard old.count < data.count || range == nil else { return TransferAnswer(status: 416) }
    let isTorn = faults.contains(.tearsDownloads) && state.torn.insert(path).inserted
    let rest = data[old.count...].prefix(isTorn ? (data.count - old.count) / 2 : .max)
    try? (old + rest).write(to: URL(fileURLWithPath: file))
    if isTorn { return TransferAnswer(failure: "the connection was lost", isPassing: true) }
    return TransferAnswer(status: range == nil ? 200 : 206)
  }

  private func put(
    _ path: String, _ request: TransferRequest, _ state: inout State
  ) -> TransferAnswer {
    guard request.fields["Authorization"]?.contains("Credential=key/") == true else {
      return TransferAnswer(status: 403)
    }
    let present = state.contents[path]
    if !faults.contains(.ignoresIfNoneMatch), request.fields["If-None-Match"] == "*", present != nil
    {
      return TransferAnswer(status: 412)
    }
    if !faults.contains(.ignoresIfMatch), let version = request.fields["If-Match"] {
      guard let present else { return TransferAnswer(status: 404) }
      if tag(present) != version { return TransferAnswer(status: 412) }
    }
    let file = request.contentFile.map { URL(fileURLWithPath: $0) }
    let data = request.content ?? file.flatMap { try? Data(contentsOf: $0) } ?? Data()
    state.contents[path] = data
    if faults.contains(.losesAnswers), path.hasSuffix("shop.json"), !state.lost {
      state.lost = true
      return TransferAnswer(failure: "the connection was lost", isPassing: true)
    }
    return TransferAnswer(status: 200, fields: ["etag": tag(data)])
  }
}
