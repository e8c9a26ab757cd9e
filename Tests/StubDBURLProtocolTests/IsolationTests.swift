import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct IsolationTests {
  @Test func headerFieldsOfAForeignConfigurationAreMatched() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/fields", "stubs": [
          { "key": "a", "request": { "headers": { "X-App": "1", "Accept": "text/plain" } }, "responses": [ { "text": "seen" } ] } ] }
        """))
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [interceptor.protocolClass]
    configuration.urlCache = nil
    configuration.httpAdditionalHeaders = ["X-App": "1", "Accept": "of the configuration"]
    let session = URLSession(configuration: configuration)
    let (data, _) = try await session.data(
      for: try request(headers: ["Accept": "text/plain"]))
    #expect(String(decoding: data, as: UTF8.self) == "seen")
  }

  @Test func nothingIsAddedToTheRequest() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    let session = interceptor.urlSession()
    let sent = try request("GET", apiURL, headers: ["X-Own": "1"])
    let seen = await withCheckedContinuation { continuation in
      let holder = Locked<URLSessionTask?>(nil)
      let task = session.dataTask(with: sent) { _, _, _ in
        let task = holder.withLock { $0 }
        continuation.resume(
          returning: [task?.originalRequest, task?.currentRequest].map {
            $0?.allHTTPHeaderFields ?? [:]
          })
      }
      holder.withLock { $0 = task }
      task.resume()
    }
    #expect(seen == [["X-Own": "1"], ["X-Own": "1"]])
    #expect(interceptor.journal.first?.request.headers.map(\.name.canonicalName) == ["x-own"])
  }

  @Test func everyRunHasAClassThatNoOtherEverGets() throws {
    let table = ClassTable()
    let responder = RunResponder(
      Player(try answering(StubResponse()), options: PlaybackOptions()), cookieStorage: nil)
    var classes: Set<ObjectIdentifier> = []
    for _ in 0..<500 {
      let made = table.makeClass(for: responder)
      classes.insert(ObjectIdentifier(made))
      #expect(table.responder(of: made) === responder)
      table.end(made)
      #expect(table.responder(of: made) == nil)
    }
    #expect(classes.count == 500)
    #expect(table.answeredCount == 0)
  }

  /// Changes that a client may make to its copy of a configuration before it makes sessions with it.
  enum Change: CaseIterable {
    case nothing, noCookies, ownCookies, noCredentials, ownCredentials, ownCache, classesInADefault

    func apply(to given: URLSessionConfiguration) -> URLSessionConfiguration {
      let copy = given.copy() as? URLSessionConfiguration ?? given
      switch self {
      case .nothing: break
      case .noCookies: copy.httpCookieStorage = nil
      case .ownCookies:
        copy.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
      case .noCredentials: copy.urlCredentialStorage = nil
      case .ownCredentials: copy.urlCredentialStorage = URLCredentialStorage.shared
      case .ownCache:
        copy.urlCache = URLCache(memoryCapacity: 1 << 16, diskCapacity: 0, diskPath: nil)
      case .classesInADefault:
        let own = URLSessionConfiguration.default
        own.protocolClasses = given.protocolClasses
        return own
      }
      return copy
    }
  }

  @Test(arguments: Change.allCases, [true, false])
  func aSessionOfACopiedConfigurationIsAnsweredByItsInterceptorOnly(
    _ change: Change, endsByItself: Bool
  ) async throws {
    let derived: URLSession
    do {
      let interceptor = StubInterceptor(try answering(StubResponse(body: .text("mine"))))
      let given = interceptor.urlSession()
      derived = URLSession(configuration: change.apply(to: given.configuration))
      given.finishTasksAndInvalidate()
      if !endsByItself { interceptor.end() }
    }
    let others = (0..<100).map { _ in StubInterceptor() }
    for other in others {
      other.stub { _ in .text("another test's") }
      _ = other.urlSession()
    }
    let sent = try request()
    do {
      let (data, _) = try await derived.data(for: sent)
      #expect(endsByItself && String(decoding: data, as: UTF8.self) == "mine")
    } catch let error as URLError {
      #expect(error.code == .cancelled)
    }
    #expect(others.allSatisfy { $0.journal.isEmpty })
  }

  @Test func configurationsAndClassesCanBeHandedToOthers() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("mine"))))
    let own = URLSessionConfiguration.default
    own.protocolClasses = [interceptor.protocolClass]
    for configuration in [interceptor.configuration(), own] {
      let session = URLSession(configuration: configuration)
      let (data, _) = try await session.data(for: try request())
      #expect(String(decoding: data, as: UTF8.self) == "mine")
    }
    #expect(interceptor.configuration().httpCookieStorage != nil)
    #expect(interceptor.configuration().urlCache == nil)
  }
}
