package import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport

/// Collects the answer to one request.
///
/// It is written before the client gets its end, so that a test that has ended has all its requests in the draft.
package final class ExchangeRecorder: ExchangeTap {
  private struct State {
    var status: Int?
    var headers: [(name: String, value: String)] = []
    var content = Data()
    /// What the content is appended to once it is too large for the memory.
    var long: LongContent?
    var byteCount = 0
    /// Why the exchange is not recorded, as a sentence; nil if it is.
    var problem: String?
    var answered: ContinuousClock.Instant?
    var isOver = false
  }

  private let recorder: RunRecorder
  private let request: StubRequest
  private let number: Int
  private let key: Stub.Key?
  private let began = ContinuousClock.now
  private let state = Locked(State())

  init(
    _ recorder: RunRecorder, _ request: StubRequest, number: Int, for key: Stub.Key?
  ) {
    (self.recorder, self.request, self.number, self.key) = (recorder, request, number, key)
  }

  /// The head of the answer as Foundation reports it; joined cookies are separated.
  package func head(status: Int, headers: [(name: String, value: String)]) {
    let separated = headers.flatMap { field in
      field.name.lowercased() == "set-cookie"
        ? CookieFields.separate(field.value).map { (name: field.name, value: $0) } : [field]
    }
    // Names are sorted, since Foundation does not keep the order.
    let sorted = separated.enumerated().sorted {
      ($0.element.name.lowercased(), $0.offset) < ($1.element.name.lowercased(), $1.offset)
    }.map(\.element)
    state.withLock { state in
      (state.status, state.headers, state.answered) = (status, sorted, .now)
    }
  }

  /// The head of the answer as it came over the network, whose fields stay as they are.
  package func head(status: Int, exactly headers: [(name: String, value: String)]) {
    state.withLock { state in
      (state.status, state.headers, state.answered) = (status, headers, .now)
    }
  }

  /// The largest content of an answer that is recorded, in bytes.
  package var largestContent: Int { recorder.writer.limits.largest }

  /// A piece of its content.
  package func content(_ piece: Data) {
    state.withLock { state in
      guard state.problem == nil, !state.isOver else { return }
      state.byteCount += piece.count
      do throws(DraftWriter.Failure) {
        try take(piece, &state)
      } catch {
        state.problem = error.message
        state.content = Data()
        state.long?.remove()
        state.long = nil
      }
    }
  }

  private func take(_ piece: Data, _ state: inout State) throws(DraftWriter.Failure) {
    let (writer, limits) = (recorder.writer, recorder.writer.limits)
    guard state.byteCount <= limits.largest else {
      throw DraftWriter.Failure(
        message:
          "\(request.shownName) was not recorded: its answer has more than \(limits.largest >> 20) MiB."
      )
    }
    if let long = state.long { return try writer.append(piece, to: long) }
    guard state.byteCount > limits.inMemory else { return state.content.append(piece) }
    let beginning = state.content + piece
    let long = try writer.beginContent(beginning)
    (state.long, state.content) = (long, Data())
    try writer.append(beginning, to: long)
  }

  /// The answer is complete.
  package func finish() { finish(nil) }

  /// The network failed, and a stub is to fail in the same way: with the error of this name, such as
  /// `cannotConnectToHost`, or in the midst of the answer that came.
  package func finish(failingWith name: String) {
    let (isLong, count) = state.withLock { ($0.long != nil, $0.content.count) }
    if isLong {
      return giveUp(
        "\(request.shownName) was not recorded: the network failed within a large content.")
    }
    if count > 0 { return finish(.truncated) }
    state.withLock { state in
      (state.status, state.headers, state.content) = (state.status ?? 0, [], Data())
      state.answered = state.answered ?? .now
    }
    finish(.error(name))
  }

  private func finish(_ failure: ExchangeDocument.NetworkFailure?) {
    let finished = state.withLock { state -> State? in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { (state.long, state.content) = (nil, Data()) }
      return state
    }
    guard let finished, let status = finished.status, let answered = finished.answered else {
      return
    }
    if let problem = finished.problem { return recorder.note(problem) }
    recorder.append(
      ExchangeDocument(
        request: request, status: status, headers: finished.headers, content: finished.content,
        failure: failure),
      finished.long, number: number, for: key, wait: (answered - began).wholeMilliseconds,
      receive: (ContinuousClock.now - answered).wholeMilliseconds)
  }

  /// The network failed: a fault of the moment does not become a stub.
  package func fail() { giveUp("\(request.shownName) was not recorded: the network failed.") }

  /// The request is not recorded, for a reason that is one sentence.
  package func giveUp(_ reason: String) {
    let isFirst = state.withLock { state in
      state.long?.remove()
      defer { (state.isOver, state.long) = (true, nil) }
      return !state.isOver
    }
    if isFirst { recorder.note(reason) }
  }

  /// Foundation cannot read the answer, which a proxy passes on as it is.
  package func failUnreadably() {
    let host = URLComponents(string: request.url)?.host ?? "HOST"
    giveUp(
      "\(request.shownName) was not recorded: Foundation on Linux cannot read the answer of \(host). A proxy can: "
        + "stubdb record \(recorder.scenario) --record-host \(host) -- swift test")
  }

  /// Says what the stub lacks of the answer, in one sentence.
  package func note(_ loss: String) { recorder.note(loss) }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
