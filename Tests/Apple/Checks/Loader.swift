import AppleFoundation
import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback

@testable import StubDBURLProtocol

/// Plays the part of the URL loading system for one request, on the thread that makes it.
struct Loader {
  static let address = "https://api.shop.test/things"

  let client = ScriptedClient()
  let loading: StubURLProtocol
  /// Kept, since nothing is answered without it.
  private let interceptor: StubInterceptor

  init(_ interceptor: StubInterceptor, _ request: URLRequest) throws {
    self.interceptor = interceptor
    guard let made = interceptor.protocolClass as? StubURLProtocol.Type else {
      throw CheckError("the interceptor's class is not a StubURLProtocol")
    }
    loading = made.init(request: request, cachedResponse: nil, client: client)
  }

  /// Starts the protocol on this thread's run loop, and runs that until the answer is complete; for 20 seconds at most.
  func load(in mode: RunLoop.Mode = .default) {
    // Safe to share: the run loop is this thread's.
    nonisolated(unsafe) let loading = loading
    RunLoop.current.perform(inModes: [mode]) { loading.startLoading() }
    runUntilOver(in: mode)
  }

  func runUntilOver(in mode: RunLoop.Mode = .default) {
    let end = Date(timeIntervalSinceNow: 20)
    // Without a timer the run loop has nothing to wait for, and returns.
    let limit = Timer(fire: end, interval: 0, repeats: false) { _ in }
    RunLoop.current.add(limit, forMode: mode)
    defer { limit.invalidate() }
    while !client.isOver, Date() < end { _ = RunLoop.current.run(mode: mode, before: end) }
  }
}

struct CheckError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// An interceptor whose time does not pass, with a scenario from its document's stubs.
func interceptor(_ stubs: String) throws -> StubInterceptor {
  let document = #"{"scenario": "test/apple", "stubs": [\#(stubs)]}"#
  let scenario = try LoadedScenario(
    ScenarioDocument.decode(Data(document.utf8), file: nil) { _ in Data() })
  return StubInterceptor(scenario, options: PlaybackOptions(pace: .instant))
}

func request(_ path: String, method: String = "GET") throws -> URLRequest {
  guard let url = URL(string: Loader.address + path) else { throw CheckError("no URL") }
  var request = URLRequest(url: url)
  request.httpMethod = method
  return request
}
