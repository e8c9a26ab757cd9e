internal import StubDBJSON

extension DocumentNode {
  package func duration() throws(DocumentError) -> Duration {
    let text = try string()
    guard let duration = DurationText.parse(text) else {
      throw failure(
        .invalidValue,
        "\"\(text)\" is not a time; write a number and us, ms, s or min, such as \"250ms\"")
    }
    if duration > DurationText.maximum {
      throw failure(.invalidValue, "\"\(text)\" is longer than 24 hours")
    }
    return duration
  }

  func delay() throws(DocumentError) -> ResponseDelay {
    if case .string = value { return .fixed(try duration()) }
    guard case .object = value else {
      throw wrongType("a time such as \"250ms\", {\"uniform\": […]} or {\"lognormal\": {…}}")
    }
    let object = try object(.delay)
    switch (object["uniform"], object["lognormal"]) {
    case (let uniform?, nil):
      let times = try uniform.list("a list of two times")
      guard times.count == 2 else {
        throw uniform.failure(
          .invalidValue, "\"uniform\" takes two times, the shortest and the longest")
      }
      let (shortest, longest) = (try times[0].duration(), try times[1].duration())
      if shortest > longest {
        throw uniform.failure(.invalidValue, "the first time is longer than the second")
      }
      return .uniform(shortest, longest)
    case (nil, let lognormal?):
      return try lognormal.lognormal()
    default:
      throw failure(.conflict, "a delay needs one of \"uniform\" and \"lognormal\"")
    }
  }

  private func lognormal() throws(DocumentError) -> ResponseDelay {
    let object = try object(.lognormal)
    let sigma = try object.required("sigma")
    let number = try sigma.number()
    guard number.doubleValue.isFinite, number.doubleValue >= 0 else {
      throw sigma.failure(.invalidValue, "\"sigma\" must be 0 or more, not \(number.text)")
    }
    return .lognormal(
      median: try object.required("median").duration(), sigma: number.doubleValue)
  }

  func chunks() throws(DocumentError) -> ResponseChunks {
    if case .object = value {
      let object = try object(.chunks)
      return .split(
        count: try object.required("count").integer("\"count\"", in: 1...Int.max),
        over: try object.required("over").duration())
    }
    var pieces: [ResponseChunks.Piece] = []
    for node in try list("{\"count\": …, \"over\": …} or a list of chunks") {
      let object = try node.object(.piece)
      guard let body = try object.content([.json, .text, .base64]) else {
        throw node.failure(.missingKey, "a chunk needs one of \"json\", \"text\" and \"base64\"")
      }
      pieces.append(.init(body, after: try object["after"]?.duration() ?? .zero))
    }
    if pieces.isEmpty { throw failure(.invalidValue, "the list of chunks is empty") }
    return .pieces(pieces)
  }

  func throttle() throws(DocumentError) -> ResponseThrottle {
    let text = try string()
    if let profile = NetworkProfile(rawValue: text) { return .network(profile) }
    if let rate = ByteRateText.parse(text) { return .bytesPerSecond(rate) }
    let advice = DocumentNode.advice(text, NetworkProfile.allCases.map(\.rawValue))
    throw failure(
      .invalidValue,
      "\"\(text)\" is not a speed; write a number and B/s, kB/s or MB/s, such as \"64kB/s\", or the"
        + " name of a network: \(advice)")
  }
}
