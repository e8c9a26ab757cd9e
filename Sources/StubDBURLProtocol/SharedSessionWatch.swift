import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Notices requests to `URLSession.shared`, and answers none of them.
///
/// It helps tests that forget to hand over their session, since such requests go to the real network unnoticed. A
/// request belongs to the task that made it. On Linux that is known, because Foundation asks on the caller's thread; on
/// Apple's systems only XCTest's tests, which run one at a time, get reports about requests.
package enum SharedSessionWatch {
  /// Where requests of the current task are recorded; nil for nowhere.
  @TaskLocal package static var requests: SharedRequests?

  /// Where requests are recorded that belong to no such task.
  private static let others = Locked([SharedRequests]())

  /// Begins to notice requests, for as long as the process lives.
  package static func begin() { _ = isInPlace }

  /// Also records here requests that belong to no task with a place of its own, until the end.
  package static func add(_ requests: SharedRequests) {
    begin()
    others.withLock { $0.append(requests) }
  }

  /// Stops recording here.
  package static func remove(_ requests: SharedRequests) {
    others.withLock { $0.removeAll { $0 === requests } }
  }

  private static let isInPlace: Void = SharedSession.addWatcher(NoticingProtocol.self)

  fileprivate static func note(_ request: URLRequest) {
    guard let url = request.url, ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
      let host = url.host, !["localhost", "127.0.0.1", "::1"].contains(host)
    else { return }
    let port = url.port.map { ":\($0)" } ?? ""
    let place = SecretDisplay.text("\(url.scheme ?? "")://\(host)\(port)\(url.path)")
    let text = "\(request.httpMethod ?? "GET") \(place)"
    if let late = requests?.endedTest {
      return LateRequests.note(
        request.httpMethod, url, after: late, ", and went to the real network")
    }
    if let requests { return requests.note(text) }
    for requests in others.withLock({ $0 }) { requests.note(text) }
  }
}

/// The requests to `URLSession.shared`, without secrets; requests to this machine are ignored.
///
/// Each method and URL counts once, since Foundation may ask about a request more than once.
package final class SharedRequests: Sendable {
  private struct State {
    var first: String?
    var all: Set<String> = []
    var endedTest: LateRequests.Ended?
  }

  private let state = Locked(State())

  package init() {}

  /// The first request as a method and a URL without query; nil if there was none.
  package var first: String? { state.withLock { $0.first } }
  /// The number of different requests.
  package var count: Int { state.withLock { $0.all.count } }

  /// The test that had the shared session, once it has ended.
  fileprivate var endedTest: LateRequests.Ended? { state.withLock(\.endedTest) }

  func end(_ test: LateRequests.Ended) { state.withLock { $0.endedTest = test } }

  fileprivate func note(_ request: String) {
    state.withLock { state in
      state.first = state.first ?? request
      state.all.insert(request)
    }
  }
}

/// Accepts no request, and so is asked about all that the preceding classes in the list do not accept.
final class NoticingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    SharedSessionWatch.note(request)
    return false
  }
}
