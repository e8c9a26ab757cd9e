#if Server
import NIOCore
import NIOHTTP1
import StubDBPlayback

import struct Foundation.Data

extension HTTP1Handler {
  /// How often a stream of events shows that it lives.
  private static let pingTime = TimeAmount.seconds(15)

  /// Answers from the admin API, on another thread because it reads files.
  func beginAnswer(
    of admin: AdminAPI, _ head: HTTPRequestHead, _ content: Data, isLast: Bool
  ) {
    begin(head, isLast: isLast, byteCount: content.count)
    // What the log is about are the requests to scenarios.
    answer.entry = nil
    guard let context else { return }
    let request = AdminRequest(
      head, content, isFromLoopback: context.channel.remoteAddress?.isLoopback ?? false)
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let (loop, number) = (context.eventLoop, answer.number)
    BlockingThreads.shared.run {
      let answer = admin.answer(request)
      loop.execute {
        guard handler.value.answer.number == number, handler.value.phase == .answering else {
          return
        }
        handler.value.give(answer)
      }
    }
  }

  /// Answers a request that nothing is there for.
  func beginAnswer(_ problem: AdminProblem, _ head: HTTPRequestHead, isLast: Bool) {
    begin(head, isLast: isLast, byteCount: 0)
    answer.entry?.remark = problem.title
    give(problem.answer)
  }

  private func give(_ given: AdminAnswer) {
    switch given {
    case .whole(let head, let content): give(head, content)
    case .stream(let head, let stream):
      guard !answer.isOldVersion else {
        return give(
          AdminProblem(505, nil, "HTTP version not supported", "Events need HTTP/1.1.").answer)
      }
      answer.stream = stream
      pending.append(.bytes(begun(head, capacity: 512)))
      follow(stream)
    }
  }

  // MARK: Events

  private func follow(_ stream: EventStream) {
    guard let context else { return }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let (loop, number) = (context.eventLoop, answer.number)
    stream.follow {
      loop.execute { handler.value.sendEvents(of: number) }
    }
    ping()
    sendEvents(of: number)
  }

  /// Sends what the journal has by now, as far as the client reads it.
  func sendEvents(of number: Int) {
    guard number == answer.number, phase == .answering, let stream = answer.stream else { return }
    while phase == .answering, context?.channel.isWritable == true, let bytes = stream.next() {
      append(bytes)
      send()
    }
    if stream.isOver { endEvents() }
  }

  func endEvents() {
    answer.stream?.end()
    answer.stream = nil
    end(.complete)
  }

  private func ping() {
    let number = answer.number
    append(EventStream.ping)
    send()
    timers.ping(after: Self.pingTime) { [weak self] in
      guard let self, answer.number == number, answer.stream != nil else { return }
      ping()
    }
  }
}

extension SocketAddress {
  /// Whether it is an address of this machine that no other one reaches.
  var isLoopback: Bool {
    guard let text = ipAddress else { return true }
    return text.hasPrefix("127.") || text == "::1" || text.hasPrefix("::ffff:127.")
  }
}
#endif
