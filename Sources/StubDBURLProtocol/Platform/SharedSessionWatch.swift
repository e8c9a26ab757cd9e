import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Notices what is asked of `URLSession.shared`, and answers none of it.
///
/// For tests that forgot to hand their session over: what they ask goes to the real network, and nothing else tells. A
/// request belongs to the task that made it, which is known on Linux, where Foundation asks on the caller's thread; on
/// Apple's systems only the tests of XCTest, which run one at a time, hear of requests.
package enum SharedSessionWatch {
  /// Where the requests of the current task are noted; nil for nowhere.
  @TaskLocal package static var requests: SharedRequests?

  /// Where requests are noted that belong to no such task.
  private static let others = Locked([SharedRequests]())

  /// Begins to notice requests, for as long as the process lives.
  package static func begin() { _ = isInPlace }

  /// Notes requests that belong to no task with a place of its own here too, until the end.
  package static func add(_ requests: SharedRequests) {
    begin()
    others.withLock { $0.append(requests) }
  }

  /// Nothing more is noted here.
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
    if let requests { return requests.note(text) }
    for requests in others.withLock({ $0 }) { requests.note(text) }
  }
}

/// What was asked of `URLSession.shared`, without what may be secret in it; requests to this machine are left out.
///
/// Each method and URL counts once, since Foundation may ask about a request more than once.
package final class SharedRequests: Sendable {
  private let state = Locked<(first: String?, all: Set<String>)>((nil, []))

  package init() {}

  /// The first request as a method and a URL without query; nil where there was none.
  package var first: String? { state.withLock { $0.first } }
  /// How many different ones there were.
  package var count: Int { state.withLock { $0.all.count } }

  fileprivate func note(_ request: String) {
    state.withLock { state in
      state.first = state.first ?? request
      state.all.insert(request)
    }
  }
}

/// Takes no request, and so hears of all that nothing before it in the list of the session takes.
final class NoticingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    SharedSessionWatch.note(request)
    return false
  }
}
