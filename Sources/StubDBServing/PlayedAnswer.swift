import Dispatch
package import Foundation
import HTTPTypes
package import StubDBDocuments
package import StubDBEngine
import StubDBJSON
package import StubDBModel
package import StubDBPlayback
import StubDBSupport

/// The answer to one request that no client sends, such as one of the command line.
///
/// All times are in the scenario's time.
package struct PlayedAnswer: Sendable {
  /// How the answer ends.
  package enum Ending: Sendable {
    case complete
    case failure(ResponseFailure)
    /// The real network answers.
    case network
  }

  package let event: ServeEvent
  package fileprivate(set) var head: ResponseHead?
  /// The pieces of the content, each with the time since the request.
  package fileprivate(set) var pieces: [(time: Duration, content: Data)] = []
  /// When the head came, or the end if there is no head.
  package fileprivate(set) var delay = Duration.zero
  package fileprivate(set) var ending = Ending.complete
  private var callbacks: [ResponseCallback] = []

  package var content: Data { pieces.reduce(into: Data()) { $0 += $1.content } }

  /// Reports that an answer cannot be described.
  package struct Failure: Error {
    /// Why, as a sentence.
    package let message: String
  }

  /// Sends a request to a run, and waits for the end of the answer; delays are skipped.
  ///
  /// - Throws: A ``Failure`` for content that cannot be read, and for a WebSocket.
  package init(to request: StubRequest, from player: Player) throws(Failure) {
    let sink = CollectingSink()
    // An answer that never comes ends after the default time-out of Foundation.
    let patience = Patience(isIncremental: true, timeout: .seconds(60), endsDelays: false)
    guard let exchange = Exchange(player, patience: patience, sink: sink) else {
      throw Failure(message: "the run has ended")
    }
    sink.watch(exchange)
    exchange.answer(request)
    sink.isOver.wait()
    guard let event = exchange.event else { throw Failure(message: "the run has no journal") }
    self.event = event
    callbacks = exchange.callbacks
    for (time, event) in sink.events { add(event, at: time) }
    if sink.asksForNetwork { ending = .network }
    switch ending {
    case .failure(.unreadableContent(let message)), .failure(.undecodableContent(let message)),
      .failure(.refused(let message)):
      throw Failure(message: message)
    case .complete, .failure, .network: break
    }
  }

  private mutating func add(_ event: ResponseEvent, at time: Duration) {
    switch event {
    case .whole(let head, let content):
      self.head = head
      delay = time
      if !content.isEmpty { pieces.append((time, content)) }
    case .head(let head):
      self.head = head
      delay = time
    case .content(let content):
      pieces.append((time, content))
    case .finish:
      break
    case .failure(let failure):
      if head == nil { delay = time }
      ending = .failure(failure)
    }
  }

  /// The answer in the form of a document; nil if no stub answers.
  package var response: StubResponse? {
    guard event.isMatched else { return nil }
    let delay = delay > .zero ? ResponseDelay.fixed(delay) : nil
    let (error, fault, delegation) = end
    return StubResponse(
      status: head?.status ?? 200, headers: head?.headers ?? [:], body: body, delay: delay,
      chunks: chunks, error: error, fault: fault,
      afterBytes: head != nil && (error != nil || fault != nil) ? content.count : nil,
      delegation: delegation, callbacks: callbacks)
  }

  /// The stub and the response, or the nearest stubs, for programs.
  package var json: OrderedJSON { .object(jsonMembers) }

  package var jsonMembers: [(String, OrderedJSON)] {
    guard let response, let origin = event.scenario, let key = event.stubKey else {
      return [
        ("matched", .json(false)), ("nearMisses", .array(event.nearMisses.map(\.json))),
      ]
    }
    return [
      ("matched", .json(true)),
      ("scenario", .string(origin.rawValue)),
      ("key", .string(SecretDisplay.text(key))),
      ("response", .json(.object(response.jsonObject(includingBody: true)))),
    ]
  }

  private var end: (ResponseError?, ResponseFault?, StubResponse.Delegation?) {
    switch ending {
    case .complete: (nil, nil, nil)
    case .network: (nil, nil, .passthrough)
    case .failure(.stubbed(let error, _)): (error, nil, nil)
    case .failure: (nil, .never, nil)
    }
  }

  /// Whether the content comes in pieces, or later than the head.
  private var isPiecewise: Bool { pieces.count > 1 || pieces.contains { $0.time > delay } }

  private var body: ResponseBody? {
    isPiecewise ? nil : pieces.first.map { Self.body($0.content, head?.headers ?? [:]) }
  }

  private var chunks: ResponseChunks? {
    guard isPiecewise else { return nil }
    var before = delay
    return .pieces(
      pieces.map { piece in
        defer { before = piece.time }
        return ResponseChunks.Piece(Self.body(piece.content, [:]), after: piece.time - before)
      })
  }

  /// Bytes as JSON if their media type says so, otherwise as text if they are UTF-8.
  private static func body(_ content: Data, _ headers: HTTPFields) -> ResponseBody {
    let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
    if type == "application/json" || type.hasSuffix("+json"),
      let value = try? JSONValue(parsing: content)
    {
      return .json(value)
    }
    return String(strictUTF8: content).map(ResponseBody.text) ?? .data(content)
  }
}

/// A front end that collects events.
private final class CollectingSink: ResponseSink {
  private struct State {
    weak var exchange: Exchange?
    var events: [(time: Duration, event: ResponseEvent)] = []
    var asksForNetwork = false
  }

  private let state = Locked(State())
  /// Signalled once, at the end.
  let isOver = DispatchSemaphore(value: 0)

  var events: [(time: Duration, event: ResponseEvent)] { state.withLock { $0.events } }
  var asksForNetwork: Bool { state.withLock { $0.asksForNetwork } }

  func watch(_ exchange: Exchange) {
    state.withLock { $0.exchange = exchange }
  }

  func tell(_ event: ResponseEvent) {
    let time = state.withLock { $0.exchange }?.elapsed ?? .zero
    state.withLock { $0.events.append((time, event)) }
    switch event {
    case .whole, .finish, .failure: isOver.signal()
    case .head, .content: break
    }
  }

  func sendToNetwork() -> (any Cancellable)? {
    state.withLock { $0.asksForNetwork = true }
    isOver.signal()
    return NothingToCancel()
  }
}
