package import StubDBModel

extension ResponsePart {
  /// The members that describe what is sent if no error or fault replaces it.
  package static let sent = all.filter(\.isSent)

  /// Whether the member describes what is sent if no error or fault replaces it.
  package var isSent: Bool {
    switch self {
    case .status, .headers, .json, .text, .base64, .file, .chunks, .events, .throttle, .webSocket,
      .template:
      true
    case .delay, .error, .fault, .afterBytes, .repeat, .callbacks, .passthrough, .next: false
    }
  }

  /// What the response has of the member, in a few words; nil if it has its default, or if words do not say it.
  package func phrase(of response: StubResponse) -> String? {
    switch self {
    case .delay: response.delay.map(\.phrase)
    case .chunks:
      if case .split(let count, let time) = response.chunks?.kind {
        "in \(count) \(count == 1 ? "piece" : "pieces") over \(DurationText.text(time))"
      } else {
        nil
      }
    case .throttle: response.throttle.map(\.phrase)
    case .repeat: response.repeatCount > 1 ? "\(response.repeatCount) times" : nil
    case .template: response.isTemplate ? "placeholders filled in" : nil
    case .callbacks:
      response.callbacks.isEmpty
        ? nil : response.callbacks.map(\.phrase).joined(separator: ", then ")
    case .passthrough:
      response.delegation == .passthrough ? "what the real network answers" : nil
    case .next: response.delegation == .next ? "what the next stub that matches answers" : nil
    case .webSocket: response.webSocket.map(\.phrase)
    case .status, .headers, .json, .text, .base64, .file, .events, .error, .fault, .afterBytes: nil
    }
  }
}

extension ResponseDelay {
  fileprivate var phrase: String {
    switch kind {
    case .fixed(let time): "after \(DurationText.text(time))"
    case .uniform(let least, let most):
      "after \(DurationText.text(least)) to \(DurationText.text(most))"
    case .lognormal(let median, let sigma):
      "after about \(DurationText.text(median)) (lognormal, sigma \(sigma))"
    }
  }
}

extension ResponseCallback {
  fileprivate var phrase: String {
    let time = after == .zero ? "" : " after \(DurationText.text(after))"
    return "calls back \(method) \(url)\(time)\(times > 1 ? ", \(times) times" : "")"
  }
}

extension ResponseThrottle {
  fileprivate var phrase: String {
    switch kind {
    case .network(let profile): "as fast as \(profile.rawValue)"
    case .bytesPerSecond(let rate): "at \(ByteRateText.text(rate))"
    }
  }
}

extension WebSocketScript {
  fileprivate var phrase: String {
    let name = subprotocol.map { " with \($0)" } ?? ""
    let count = "\(frames.count) \(frames.count == 1 ? "frame" : "frames")"
    return "a WebSocket\(name): " + (frames.isEmpty ? "no frames" : count)
  }
}
