#if Server
import Foundation
import HTTPTypes
package import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBSupport

/// Writes lines on answers, away from the threads of connections, which must not wait.
package final class AccessLogWriter: Sendable {
  /// The largest number of lines that wait; more are counted and left out.
  private static let mostWaiting = 10_000
  private let queue = DispatchQueue(label: "stubdb.log")
  private let waiting = Locked((count: 0, left: 0))
  private let look: Look
  /// Whether header fields and contents are written too.
  private let hasContents: Bool
  /// What is wrong with a request, whatever answered it; nil if requests are not checked.
  private let violations: (@Sendable (ServeEvent) -> [String])?

  /// How lines are shown.
  package struct Look: Sendable {
    let isJSON: Bool
    let escape: @Sendable (String) -> String
    let mark: @Sendable (String) -> String

    /// - Parameters:
    ///   - isJSON: Whether a line is an object.
    ///   - escape: A text as a terminal may show it, on one line.
    ///   - mark: The line of a request that no stub answers.
    package init(
      isJSON: Bool, escape: @escaping @Sendable (String) -> String,
      mark: @escaping @Sendable (String) -> String
    ) {
      (self.isJSON, self.escape, self.mark) = (isJSON, escape, mark)
    }
  }

  private let output: @Sendable (String) -> Void

  /// `output` writes a line, on one thread at a time; `violations` says what is wrong with a request.
  package init(
    _ look: Look, hasContents: Bool = false,
    violations: (@Sendable (ServeEvent) -> [String])? = nil,
    output: @escaping @Sendable (String) -> Void
  ) {
    (self.look, self.hasContents, self.output) = (look, hasContents, output)
    self.violations = violations
  }

  /// Takes an answer; returns at once.
  @Sendable package func write(_ entry: AccessLogEntry) {
    write { [self] in look.isJSON ? json(entry, $0) : text(entry, $0) }
  }

  private func write(_ line: @escaping @Sendable (Date) -> String) {
    let isWaiting = waiting.withLock { waiting in
      if waiting.count < Self.mostWaiting { waiting.count += 1 } else { waiting.left += 1 }
      return waiting.left == 0
    }
    guard isWaiting else { return }
    let time = Date()
    queue.async { [self] in
      output(line(time))
      let left = waiting.withLock { waiting in
        waiting.count -= 1
        guard waiting.count == 0 else { return 0 }
        defer { waiting.left = 0 }
        return waiting.left
      }
      if left > 0 { output("(\(Plural.of(left, "line")) left out)") }
    }
  }

  /// Waits until all lines are written.
  package func finish() {
    queue.sync {}
  }

  /// A line such as `12:00:01.123 POST /v1/charges 402 charge 1.2 ms checkout/card-declined`.
  private func text(_ entry: AccessLogEntry, _ time: Date) -> String {
    let status = entry.status.map(String.init) ?? "---"
    let key = entry.event?.stubKey.map { " \(look.escape(SecretDisplay.text($0)))" } ?? ""
    let scenario = entry.event?.scenario.map { "  \($0)" } ?? ""
    let remark = entry.remark.map { "  (\(look.escape($0)))" } ?? ""
    let took = String(format: "%.1f ms", Self.milliseconds(entry.duration))
    let session = entry.session.map { $0 == "default" ? "" : "  ~\($0)" } ?? ""
    let line =
      "\(Self.clock(time)) \(entry.method) \(look.escape(SecretDisplay.text(entry.target))) \(status)\(key) \(took)"
      + scenario + session + remark
    let shown = entry.event?.isMatched == false ? look.mark(line) : line
    let wrong = violations(entry).map { look.mark("  ! \(look.escape($0))") }
    return ([shown] + wrong + (hasContents ? contents(entry) : [])).joined(separator: "\n")
  }

  private func violations(_ entry: AccessLogEntry) -> [String] {
    entry.event.flatMap { violations?($0) } ?? []
  }

  /// The header fields and the content of a request, and the content of its response, a line each.
  private func contents(_ entry: AccessLogEntry) -> [String] {
    let request = entry.event?.request
    let fields =
      request?.headers.map { "  > \(look.escape("\($0.name): \($0.value)"))" } ?? []
    let sides = [(">", request?.content ?? Data()), ("<", entry.responseContent)]
    return fields
      + sides.filter { !$0.1.isEmpty }.map { side, content in
        let text = String(strictUTF8: content.prefix(Self.mostLogged))
        return "  \(side) "
          + (text.map(look.escape) ?? Plural.of(content.count, "byte"))
      }
  }

  /// How much of the content of a request is written, in bytes.
  private static let mostLogged = 64 << 10

  private static func milliseconds(_ duration: Duration) -> Double {
    (duration / .microseconds(100)).rounded() / 10
  }

  private static func clock(_ time: Date) -> String {
    var seconds = time_t(time.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    let fraction = Int(time.timeIntervalSince1970 * 1_000) % 1_000
    return String(
      format: "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec, fraction)
  }

  private func json(_ entry: AccessLogEntry, _ time: Date) -> String {
    var members: [String: JSONValue?] = [
      "time": .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time)),
      "session": entry.session.map(JSONValue.string),
      "method": .string(entry.method),
      "url": .string(look.escape(SecretDisplay.text(entry.target))),
      "status": entry.status.map { .number(JSONNumber($0)) },
      "scenario": entry.event?.scenario.map { .string($0.rawValue) },
      "key": entry.event?.stubKey.map { .string($0) },
      "response": entry.event?.responseIndex.map { .number(JSONNumber($0 + 1)) },
      "durationMs": JSONNumber(Self.milliseconds(entry.duration)).map { .number($0) },
      "requestBytes": .number(JSONNumber(entry.requestByteCount)),
      "responseBytes": .number(JSONNumber(entry.responseByteCount)),
      "unmatched": entry.event?.isMatched == false ? .bool(true) : nil,
      "remark": entry.remark.map { .string($0) }, "fault": entry.fault.map { .string($0) },
    ]
    let violations = violations(entry)
    if !violations.isEmpty { members["violations"] = .array(violations.map { .string($0) }) }
    if hasContents {
      let request = entry.event?.request
      members["requestHeaders"] = request.map { request in
        .array(request.headers.map { [.string($0.name.rawName), .string($0.value)] })
      }
      members["requestBody"] = Self.content(request?.content ?? Data())
      members["responseBody"] = Self.content(entry.responseContent)
    }
    return JSONValue.object(members.compactMapValues { $0 }).canonicalText
  }

  /// Text as it is, other bytes as `{"base64": …}`; nil for no content.
  private static func content(_ content: Data) -> JSONValue? {
    guard !content.isEmpty else { return nil }
    let content = content.prefix(mostLogged)
    if let text = String(strictUTF8: content) { return .string(text) }
    return ["base64": .string(content.base64EncodedString())]
  }
}
#endif
