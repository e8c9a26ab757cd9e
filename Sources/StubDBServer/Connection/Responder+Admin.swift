#if Server
import NIOCore
import NIOHTTP1
import StubDBPlayback

extension Responder {
  /// How often a stream of events shows that it lives.
  private static let pingTime = TimeAmount.seconds(15)

  /// Answers from the admin API, on another thread because it reads files.
  func ask(_ admin: AdminAPI, _ request: AdminRequest) {
    // What the log is about are the requests to scenarios.
    answer.entry = nil
    let responder = NIOLoopBound(self, eventLoop: loop)
    let (loop, number) = (loop, answer.number)
    BlockingThreads.shared.run {
      let answer = admin.answer(request)
      loop.execute {
        if responder.value.owes(number) { responder.value.give(answer) }
      }
    }
  }

  func give(_ given: AdminAnswer) {
    switch given {
    case .whole(let head, let content): give(head, content)
    case .stream(let head, let stream):
      guard writer?.takesStreams == true else {
        return give(
          AdminProblem(505, nil, "HTTP version not supported", "Events need HTTP/1.1.").answer)
      }
      answer.stream = stream
      writer?.begin(begun(head))
      follow(stream)
    }
  }

  // MARK: Events

  private func follow(_ stream: EventStream) {
    let responder = NIOLoopBound(self, eventLoop: loop)
    let (loop, number) = (loop, answer.number)
    stream.follow {
      loop.execute {
        if responder.value.owes(number) { responder.value.sendEvents() }
      }
    }
    ping()
    sendEvents()
  }

  /// Sends what the journal has by now, as far as the client reads it; nothing for answers with an end.
  func sendEvents() {
    guard let stream = answer.stream else { return }
    let number = answer.number
    while owes(number), let writer, writer.isReady, let bytes = stream.next() {
      writer.append(bytes)
    }
    if owes(number), stream.isOver { endEvents() }
  }

  func endEvents() {
    answer.stream?.end()
    answer.stream = nil
    writer?.end(.complete)
  }

  private func ping() {
    let number = answer.number
    writer?.append(EventStream.ping)
    answer.pings = loop.assumeIsolated().scheduleTask(in: Self.pingTime) { [weak self] in
      guard let self, owes(number), answer.stream != nil else { return }
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
