import HTTPTypes
import StubDBJSON
import StubDBModel

/// A response as text: a headline, then header fields and content; on a terminal long content is shortened.
struct ResponseView {
  /// How many lines of content are shown on a terminal.
  static let maximumLines = 12

  /// The longest JSON that is shown on one line.
  static let maximumCompactLength = 60

  let response: StubResponse

  /// A text such as `status 402 after 200ms, 3 times`.
  var headline: String {
    var text = outcome
    switch response.delay?.kind {
    case .fixed(let time): text += " after \(DurationText.text(time))"
    case .uniform(let least, let most):
      text += " after \(DurationText.text(least)) to \(DurationText.text(most))"
    case .lognormal(let median, let sigma):
      text += " after about \(DurationText.text(median)) (lognormal, sigma \(sigma))"
    case nil: break
    }
    if response.repeatCount > 1 { text += ", \(response.repeatCount) times" }
    if response.isTemplate { text += ", placeholders filled in" }
    return text
  }

  /// Header fields, content and its chunks, one per line.
  var details: [String] {
    var lines = response.headers.map { "\($0.name.rawName): \(TerminalText.line($0.value))" }
    if let body = response.body { lines += Self.lines(of: body) }
    switch response.chunks {
    case .split(let count, let time):
      lines.append("in \(Plural.of(count, "piece")) over \(DurationText.text(time))")
    case .pieces(let pieces):
      for piece in pieces {
        lines.append("piece after \(DurationText.text(piece.after)):")
        lines += Self.lines(of: piece.body).map { "  " + $0 }
      }
    case nil: break
    }
    switch response.throttle?.kind {
    case .network(let profile): lines.append("as fast as \(profile.rawValue)")
    case .bytesPerSecond(let rate): lines.append("at \(ByteRateText.text(rate))")
    case nil: break
    }
    return lines
  }

  private var outcome: String {
    let after = response.afterBytes.map { " after \(Plural.bytes($0)) of content" } ?? ""
    if let error = response.error { return "error \(Self.name(of: error))\(after)" }
    if let fault = response.fault { return "fault \(fault.rawValue)\(after)" }
    switch response.delegation?.kind {
    case .next: return "what the next stub that matches answers"
    case .passthrough: return "what the real network answers"
    case nil: break
    }
    let status = response.statusTemplate.map { TerminalText.value($0) } ?? String(response.status)
    return "status \(status)"
  }

  private static func name(of error: ResponseError) -> String {
    if error.domain == URLErrorNames.domain, let name = URLErrorNames.name(of: error.code) {
      return "\(name) (\(error.domain) \(error.code))"
    }
    return "\(TerminalText.line(error.domain)) \(error.code)"
  }

  private static func lines(of body: ResponseBody) -> [String] {
    guard case .bytes(let data) = body.content else {
      return ["(\(Plural.bytes(body.byteCount)), kept in the catalog)"]
    }
    let text: String
    switch body.kind {
    case .base64: return ["(\(Plural.bytes(data.count)) of binary content)"]
    case .json:
      guard let value = try? JSONValue(parsing: data) else { fallthrough }
      let compact = value.canonicalText
      text = compact.count <= maximumCompactLength ? compact : value.prettyText()
    case .text: text = String(decoding: data, as: UTF8.self)
    }
    var shown = TerminalText.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    let more = shown.count - maximumLines
    guard Terminal.current.columns != nil, more > 0 else { return shown }
    shown.removeLast(more)
    shown.append(
      "… \(Plural.of(more, "more line")), \(Plural.bytes(data.count)) in all; "
        + "--json shows everything")
    return shown
  }
}
