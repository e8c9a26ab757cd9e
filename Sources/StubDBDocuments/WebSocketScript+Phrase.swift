package import StubDBModel
internal import StubDBSupport

extension WebSocketScript {
  /// The frames, one per line unless a message takes more, and what follows them.
  ///
  /// `content` returns the lines of a message.
  package func phrases(
    _ style: PhraseStyle, content: (ResponseBody) -> [String]
  ) -> [String] {
    frames.enumerated().flatMap { Self.lines($0, $1, style, content) } + endings
  }

  private static func lines(
    _ index: Int, _ frame: Frame, _ style: PhraseStyle, _ lines: (ResponseBody) -> [String]
  ) -> [String] {
    switch frame.kind {
    case .send(let body, let after):
      let content = lines(body)
      let pause = text(after)
      return content.count == 1
        ? ["\(index). sends \(content[0])" + pause]
        : ["\(index). sends" + pause + ":"] + content.map { "   " + $0 }
    case .expect(let patterns, let limit):
      let words = patterns.map { "body \($0.phrase(style))" }
      return [
        "\(index). expects a message, \(words.joined(separator: " and "))"
          + (limit.map { ", within \(DurationText.text($0))" } ?? "")
      ]
    case .close(let code, let reason, let after):
      return [
        "\(index). closes with \(code)"
          + (reason == "" ? "" : " \(style.quoted(reason.string))")
          + text(after)
      ]
    case .fault(let fault, let after):
      return ["\(index). fault \(fault.rawValue)" + text(after)]
    }
  }

  private var endings: [String] {
    var lines: [String] = []
    if let start = repeatFrom { lines.append("then again from \(start)") }
    switch otherwise {
    case .close: break
    case .ignore: lines.append("ignores messages that are not expected")
    case .echo: lines.append("sends messages back that are not expected")
    }
    return lines
  }

  private static func text(_ after: Duration) -> String {
    after == .zero ? "" : " after \(DurationText.text(after))"
  }
}
