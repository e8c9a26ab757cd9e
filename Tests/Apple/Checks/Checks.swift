import AppleFoundation
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol

/// What the URL protocol has to do on Apple's systems, where it answers to other rules than on Linux.
@main struct Checks {
  private static let now = #"{"key": "now", "responses": [{"text": "at once"}]}"#
  private static let late =
    #"{"key": "late", "responses": [{"text": "later", "delay": "2s"}]}"#
  private static let moved = """
    {"key": "old", "request": {"path": "/things/old"},
     "responses": [{"status": 302, "headers": {"Location": "/things/new"}, "text": "moved"}]},
    {"key": "new", "request": {"path": "/things/new"}, "responses": [{"text": "here"}]}
    """

  private static let checks: [(String, @Sendable () throws -> Void)] = [
    ("an answer at once is told inside startLoading", toldAtOnce),
    ("a late answer is told on the loading thread", toldOnTheLoadingThread),
    ("a late answer is told in the mode that the loader runs in", toldInTheLoadersMode),
    ("pieces are told one by one on the loading thread", piecesInOrder),
    ("a second start tells nothing twice", startedTwice),
    ("nothing is told after stopLoading", stopped),
    ("a late answer waits for the next start", suspended),
    ("an error is told on the loading thread", failing),
    ("the stream of a content is read once", streamReadOnce),
    ("a redirect is told once, and its response not", redirectFollowed),
    ("a redirect that is not followed is a response", redirectNotFollowed),
    ("a request that nothing answers fails on the loading thread", unmatched),
    ("an ended run fails what waits", ended),
  ]

  static func main() {
    var failures = 0
    for (statement, check) in checks {
      do {
        try check()
      } catch {
        failures += 1
        print("failed: \(statement): \(error)")
      }
    }
    print("\(checks.count - failures) of \(checks.count) checks of Apple's branch passed.")
    exit(failures == 0 ? 0 : 1)
  }

  private static func expect(_ loader: Loader, _ calls: [ScriptedClient.Call]) throws {
    guard loader.client.calls == calls else { throw CheckError("told \(loader.client.calls)") }
    guard loader.client.isOnOneThread else { throw CheckError("told on another thread") }
  }

  // MARK: Threads

  private static func toldAtOnce() throws {
    let loader = try Loader(interceptor(now), request(""))
    loader.loading.startLoading()
    try expect(loader, [.response(200), .content("at once"), .finish])
  }

  private static func toldOnTheLoadingThread() throws {
    let loader = try Loader(interceptor(late), request(""))
    loader.load()
    try expect(loader, [.response(200), .content("later"), .finish])
  }

  private static func toldInTheLoadersMode() throws {
    let loader = try Loader(interceptor(late), request(""))
    loader.load(in: RunLoop.Mode("the loader's own"))
    try expect(loader, [.response(200), .content("later"), .finish])
  }

  private static func piecesInOrder() throws {
    let loader = try Loader(
      interceptor(
        """
        {"key": "pieces", "responses": [{"chunks": [
          {"text": "one", "after": "1s"}, {"text": "two", "after": "1s"}]}]}
        """), request(""))
    loader.load()
    try expect(loader, [.response(200), .content("one"), .content("two"), .finish])
  }

  // MARK: Starting and stopping

  private static func startedTwice() throws {
    let interceptor = try interceptor(late)
    let loader = try Loader(interceptor, request(""))
    loader.loading.startLoading()
    loader.load()
    try expect(loader, [.response(200), .content("later"), .finish])
    guard interceptor.journal.count == 1 else { throw CheckError("answered twice") }
  }

  private static func stopped() throws {
    let interceptor = try interceptor(late)
    let (one, other) = (try Loader(interceptor, request("")), try Loader(interceptor, request("")))
    one.loading.startLoading()
    one.loading.stopLoading()
    // Due after the first one in the time of the scenario.
    other.load()
    try expect(other, [.response(200), .content("later"), .finish])
    try expect(one, [])
  }

  private static func suspended() throws {
    let interceptor = try interceptor(late)
    let (one, other) = (try Loader(interceptor, request("")), try Loader(interceptor, request("")))
    one.loading.startLoading()
    one.loading.stopLoading()
    other.load()
    one.load()
    try expect(one, [.response(200), .content("later"), .finish])
  }

  // MARK: Failures

  private static func failing() throws {
    let loader = try Loader(
      interceptor(
        #"{"key": "off", "responses": [{"error": "notConnectedToInternet", "delay": "1s"}]}"#),
      request(""))
    loader.load()
    try expect(loader, [.failure(URLError.notConnectedToInternet.rawValue)])
  }

  private static func unmatched() throws {
    let loader = try Loader(interceptor(moved), request("/none"))
    loader.load()
    guard loader.client.calls.count == 1, case .failure? = loader.client.calls.first else {
      throw CheckError("told \(loader.client.calls)")
    }
    try expect(loader, loader.client.calls)
  }

  private static func ended() throws {
    let interceptor = try interceptor(late)
    let loader = try Loader(interceptor, request(""))
    interceptor.end()
    loader.load()
    try expect(loader, [.failure(URLError.cancelled.rawValue)])
  }

  // MARK: Content

  private static func streamReadOnce() throws {
    let interceptor = try interceptor(now)
    let stream = CountingStream("streamed content")
    var request = try request("", method: "POST")
    request.httpBodyStream = stream
    let loader = try Loader(interceptor, request)
    loader.loading.startLoading()
    loader.load()
    try expect(loader, [.response(200), .content("at once"), .finish])
    guard stream.openings == 1, stream.endings == 1 else {
      throw CheckError("opened \(stream.openings) times, read to its end \(stream.endings) times")
    }
    guard interceptor.requests.map(\.text) == ["streamed content"] else {
      throw CheckError("the run saw \(interceptor.requests.map(\.text))")
    }
  }

  // MARK: Redirects

  private static func redirectFollowed() throws {
    let interceptor = try interceptor(moved)
    let loader = try Loader(interceptor, request("/old"))
    loader.load()
    try expect(loader, [.redirect("GET \(Loader.address)/new")])
    // The loader makes another instance for what follows.
    let next = try Loader(interceptor, request("/new"))
    next.load()
    try expect(next, [.response(200), .content("here"), .finish])
    try expect(loader, [.redirect("GET \(Loader.address)/new")])
    guard interceptor.journal.map(\.stubKey) == ["old", "new"] else {
      throw CheckError("answered by \(interceptor.journal.map(\.stubKey))")
    }
  }

  private static func redirectNotFollowed() throws {
    let loader = try Loader(interceptor(moved), request("/old"))
    loader.client.followsRedirects = false
    loader.load()
    try expect(
      loader,
      [.redirect("GET \(Loader.address)/new"), .response(302), .content("moved"), .finish])
  }
}
