import StubDBJobs
import StubDBModel
import StubDBSupport

/// The frames of a WebSocket as text, one per line unless a message takes more.
struct WebSocketView {
  let script: WebSocketScript

  var lines: [String] {
    script.frames.enumerated().flatMap { index, frame in lines(index, frame) } + endings
  }

  private func lines(_ index: Int, _ frame: WebSocketScript.Frame) -> [String] {
    switch frame.kind {
    case .send(let body, let after):
      let content = ResponseView.lines(of: body)
      let pause = Self.text(after)
      return content.count == 1
        ? ["\(index). sends \(content[0])" + pause]
        : ["\(index). sends" + pause + ":"] + content.map { "   " + $0 }
    case .expect(let patterns, let limit):
      let words = patterns.map { "body \(Phrase.of($0))" }
      return [
        "\(index). expects a message, \(words.joined(separator: " and "))"
          + (limit.map { ", within \(DurationText.text($0))" } ?? "")
      ]
    case .close(let code, let reason, let after):
      return [
        "\(index). closes with \(code)"
          + (reason == "" ? "" : " \(TerminalText.value(reason.string))")
          + Self.text(after)
      ]
    case .fault(let fault, let after):
      return ["\(index). fault \(fault.rawValue)" + Self.text(after)]
    }
  }

  private var endings: [String] {
    var lines: [String] = []
    if let start = script.repeatFrom { lines.append("then again from \(start)") }
    switch script.otherwise {
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
