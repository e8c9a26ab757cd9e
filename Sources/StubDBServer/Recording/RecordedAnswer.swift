#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBPlayback
import StubDBRecording
import StubDBServing
import StubDBSupport

import struct Foundation.Data

/// An answer of another server that is recorded on its way to the client.
///
/// The client gets its bytes as they come; the copy is decoded and freed of secrets, and is in the draft before the
/// client gets the end. So what ends an answer waits for that: the piece that fills up its length, or the head of one
/// without content.
final class RecordedAnswer: UpstreamReceiver {
  private struct State {
    var head: HTTPResponseHead?
    /// How many bytes come, as the head says; nil if it does not.
    var length: Int?
    var receivedCount = 0
    /// What shows the client that it has all, and waits for the draft.
    var heldHead: HTTPResponseHead?
    var heldContent: ByteBuffer?
    var content = Data()
    var share = ContentBudget.Share()
    /// Why the answer is not recorded; nil if it is.
    var problem: String?
    var isOver = false
  }

  private let next: any UpstreamReceiver
  private let recorder: ExchangeRecorder
  private let recording: ServerRecording
  private let budget: ContentBudget
  /// The request in messages: method, and URL without secrets.
  private let name: String
  private let isHeadRequest: Bool
  private let state = Locked(State())

  init(
    _ request: StubRequest, to recorder: ExchangeRecorder, _ recording: ServerRecording,
    _ budget: ContentBudget, next: any UpstreamReceiver
  ) {
    (self.next, self.recorder, self.budget) = (next, recorder, budget)
    self.recording = recording
    name = request.shownName
    isHeadRequest = request.method == "HEAD"
  }

  func begin(_ head: HTTPResponseHead) {
    let length = head.headers.first(name: "content-length").flatMap { Int($0) }
    let hasContent = !isHeadRequest && ![204, 304].contains(head.status.code) && length != 0
    state.withLock { state in
      (state.head, state.length) = (head, length)
      if !hasContent { state.heldHead = head }
    }
    recorder.head(
      status: Int(head.status.code), exactly: PassedOnFields.recorded(head.headers))
    if hasContent { next.begin(head) }
  }

  func receive(_ content: ByteBuffer) {
    let isHeld = state.withLock { state in
      guard !state.isOver else { return false }
      state.receivedCount += content.readableBytes
      guard state.receivedCount == state.length else { return false }
      state.heldContent = content
      return true
    }
    keep(content)
    if !isHeld { next.receive(content) }
  }

  /// Adds a piece to the copy.
  private func keep(_ content: ByteBuffer) {
    state.withLock { state in
      // What comes after the end is of a call that was given up.
      guard state.problem == nil, !state.isOver else { return }
      state.problem = reserve(state.content.count + content.readableBytes, &state.share)
      guard state.problem == nil else {
        state.content = Data()
        return budget.release(&state.share)
      }
      content.withUnsafeReadableBytes { bytes in
        state.content.append(bytes.bindMemory(to: UInt8.self))
      }
    }
  }

  /// Passes on what waited for the draft.
  private func release(_ state: State) {
    if let head = state.heldHead { next.begin(head) }
    if let content = state.heldContent { next.receive(content) }
  }

  /// Why a content of this size is not kept; nil if it is.
  private func reserve(_ byteCount: Int, _ share: inout ContentBudget.Share) -> String? {
    guard byteCount <= recorder.largestContent else {
      return "its content has more than \(recorder.largestContent >> 20) MiB"
    }
    do throws(Refusal) {
      try budget.reserve(&share, for: byteCount)
      return nil
    } catch {
      return "the contents that came at once were too large to be kept in memory"
    }
  }

  func inform(_ head: HTTPResponseHead) {
    recorder.note(
      "\(name) was answered with an interim status \(head.status.code), which the stub does not have."
    )
    next.inform(head)
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    self.next.afterDelivery(next)
  }

  func end(_ trailers: HTTPHeaders) {
    if !trailers.isEmpty {
      recorder.note("The answer to \(name) has trailer fields, which the stub does not have.")
    }
    finish { [self] state in
      do throws(ContentDecodingError) {
        recorder.content(try decoded(state.content, state.head?.headers ?? [:]))
        recorder.finish()
      } catch {
        recorder.giveUp("\(name) was not recorded: \(error.description).")
      }
      release(state)
      next.end(trailers)
    }
  }

  func fail(_ error: UpstreamError) {
    finish { [self] state in
      if recording.settings.recordsErrors, !error.isRefusal {
        if let head = state.head, let content = try? decoded(state.content, head.headers) {
          recorder.content(content)
        }
        recorder.finish(failingWith: error.name)
      } else {
        recorder.giveUp(
          "\(name) was not recorded: \(error.reason)"
            + (error.isRefusal ? "." : ". --record-errors makes a stub of it that fails."))
      }
      release(state)
      next.fail(error)
    }
  }

  /// The client has gone, and what is left of the answer does not come.
  func giveUp() {
    let isFirst = state.withLock { state in
      guard !state.isOver else { return false }
      budget.release(&state.share)
      state = State(isOver: true)
      return true
    }
    if isFirst {
      recorder.giveUp("\(name) was not recorded: its client went before the answer ended.")
    }
  }

  /// Records on another thread, since searching for secrets and writing to a file take time.
  private func finish(_ record: @escaping @Sendable (State) -> Void) {
    let ended = state.withLock { state -> State? in
      guard !state.isOver else { return nil }
      defer { state = State(isOver: true) }
      return state
    }
    guard let ended else { return }
    recording.write { [self] in
      if let problem = ended.problem {
        recorder.giveUp("\(name) was not recorded: \(problem).")
      }
      record(ended)
      var share = ended.share
      budget.release(&share)
    }
  }

  private func decoded(
    _ content: Data, _ headers: HTTPHeaders
  ) throws(ContentDecodingError) -> Data {
    let codings = headers["content-encoding"].joined(separator: ",")
    return try ContentDecoding.strictlyDecoded(
      content, codings, limit: recorder.largestContent)
  }
}

/// A request whose answer is recorded, to be given up with it.
struct RecordedCall: Cancellable {
  let call: any Cancellable
  let answer: RecordedAnswer

  func cancel() {
    call.cancel()
    answer.giveUp()
  }
}
#endif
