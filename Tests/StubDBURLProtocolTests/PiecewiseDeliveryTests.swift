import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Content in pieces: delivered one by one if the client takes pieces, otherwise in one.
@Suite struct PiecewiseDeliveryTests {
  private static let events = """
    { "scenario": "test/events", "stubs": [ { "key": "events", "responses": [
      { "headers": { "Content-Type": "text/event-stream" }, "chunks": [
        { "text": "one,", "after": "10ms" }, { "text": "two,", "after": "1s" }, { "text": "three", "after": "20s" } ] } ] } ] }
    """

  @Test(arguments: Exchange.allCases)
  func everyClientGetsAllPieces(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(try load(Self.events), options: .init(pace: .instant))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.text == "one,two,three")
  }

  @Test func aDelegateHearsOfEachPieceInOrder() async throws {
    let interceptor = StubInterceptor(try load(Self.events), options: .init(pace: .instant))
    let delegate = ListeningDelegate()
    let session = interceptor.urlSession(delegate: delegate)
    session.dataTask(with: try request()).resume()
    var heard: [String] = []
    for await event in delegate.events { heard.append(event) }
    #expect(heard == ["response 200", "one,", "two,", "three", "end nil"])
  }

  @Test func theFirstPieceComesWhileTheNextIsWaitedFor() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/events", "stubs": [ { "key": "events", "responses": [
          { "chunks": [ { "text": "now" }, { "text": "later", "after": "3600s" } ] } ] } ] }
        """))
    let delegate = ListeningDelegate()
    let session = interceptor.urlSession(delegate: delegate)
    var request = try request()
    request.timeoutInterval = 10_000
    let task = session.dataTask(with: request)
    task.resume()
    var heard: [String] = []
    for await event in delegate.events {
      heard.append(event)
      if event == "now" { task.cancel() }
    }
    #expect(heard == ["response 200", "now", "end -999"])
  }

  @Test func anErrorComesAfterTheBytesBeforeIt() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/broken", "stubs": [ { "key": "a", "responses": [
          { "text": "0123456789", "error": "networkConnectionLost", "afterBytes": 4 } ] } ] }
        """))
    let delegate = ListeningDelegate()
    interceptor.urlSession(delegate: delegate).dataTask(with: try request()).resume()
    var heard: [String] = []
    for await event in delegate.events { heard.append(event) }
    #expect(heard == ["response 200", "0123", "end -1005"])
  }

  @Test func silenceBetweenPiecesTimesOut() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/stalled", "stubs": [ { "key": "a", "responses": [
          { "chunks": [ { "text": "first" }, { "text": "second", "after": "40s" } ] } ] } ] }
        """), options: .init(pace: .instant))
    let delegate = ListeningDelegate()
    var request = try request()
    request.timeoutInterval = 30
    interceptor.urlSession(delegate: delegate).dataTask(with: request).resume()
    var heard: [String] = []
    for await event in delegate.events { heard.append(event) }
    #expect(heard == ["response 200", "first", "end -1001"])
  }

  @Test func aCompletionHandlerInASessionWithADelegateGetsAllOfIt() async throws {
    let interceptor = StubInterceptor(try load(Self.events), options: .init(pace: .instant))
    let delegate = ListeningDelegate()
    let session = interceptor.urlSession(delegate: delegate)
    let (data, _) = try await session.data(for: try request())
    #expect(String(decoding: data, as: UTF8.self) == "one,two,three")
  }

  @Test func manyStreamsSideBySideKeepTheirOrder() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/split", "stubs": [ { "key": "a", "responses": [
          { "text": "\(String(repeating: "0123456789", count: 20))", "chunks": { "count": 40, "over": "1s" } } ] } ] }
        """), options: .init(pace: .scaled(0.01)))
    let sent = try request()
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<20 {
        group.addTask {
          let delegate = ListeningDelegate()
          interceptor.urlSession(delegate: delegate).dataTask(with: sent).resume()
          var heard: [String] = []
          for await event in delegate.events { heard.append(event) }
          return heard
        }
      }
      for try await heard in group {
        #expect(heard.count == 42)
        #expect(
          heard.dropFirst().dropLast().joined() == String(repeating: "0123456789", count: 20))
      }
    }
  }
}

/// Records in words what a session reports about one task.
private final class ListeningDelegate: NSObject, URLSessionDataDelegate, Sendable {
  let events: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  override init() {
    (events, continuation) = AsyncStream.makeStream(of: String.self)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    continuation.yield("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(String(decoding: data, as: UTF8.self))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    continuation.yield("end \((error as? URLError).map { String($0.errorCode) } ?? "nil")")
    continuation.finish()
  }
}
