#if Server
  import Dispatch
  import Foundation
  import StubDBEngine
  import StubDBJSON
  import StubDBModel
  import StubDBServer
  import StubDBSupport

  /// Serves a scenario until the process is asked to end.
  struct ScenarioServer {
    private let command: RootCommand.Serve

    init(_ command: RootCommand.Serve) {
      self.command = command
    }

    func run() throws {
      let rules = try command.origin.map(Self.rule)
      let catalog = try command.catalog.open()
      let scenario = try catalog.loadExisting(command.scenario)
      // A client that goes away is an error of the write.
      signal(SIGPIPE, SIG_IGN)
      Self.raiseFileLimit()
      let server: StubServer
      do {
        server = try StubServer(
          scenario, host: command.host, port: command.port, origins: rules, options: options,
          log: log)
      } catch {
        throw CommandError(error.description)
      }
      let end = EndOfProcess()
      try announce(server)
      Self.warn(scenario, rules)
      end.wait()
      server.end()
    }

    private static func rule(_ text: String) throws -> OriginMap.Rule {
      guard let rule = OriginMap.Rule(text) else {
        throw UsageError(
          "--origin \(TerminalText.quoted(text)) is not an origin. Write https://api.shop.test, or "
            + "path=/pay/=https://pay.test.")
      }
      return rule
    }

    private var options: ServerOptions {
      var options = ServerOptions()
      options.largestBody = command.maxBody.byteCount
      options.headerTimeout = command.headerTimeout.duration
      options.idleTimeout = command.idleTimeout.duration
      options.unmatchedStatus = command.unmatched ?? options.unmatchedStatus
      return options
    }

    private func announce(_ server: StubServer) throws {
      let host = command.host.contains(":") ? "[\(command.host)]" : command.host
      let url = "http://\(host):\(server.port)"
      guard command.json else { return try Console.line("Listening on \(url)") }
      let pid = Int(ProcessInfo.processInfo.processIdentifier)
      try Console.write(
        OrderedJSON.object([("url", .string(url)), ("pid", .integer(pid))]).text)
    }

    /// Says if it is not clear which host a request to the server stands for.
    private static func warn(_ scenario: LoadedScenario, _ rules: [OriginMap.Rule]) {
      let origins = scenario.origins.map(\.description)
      guard origins.count > 1, !rules.contains(where: { $0.prefix == "/" }) else { return }
      Console.note(
        "The stubs name \(origins.count) origins (\(origins.prefix(3).joined(separator: ", "))"
          + (origins.count > 3 ? ", …" : "")
          + "). A request to the server itself may stand for any "
          + "of them; --origin chooses one, and so does the Host field of a request.")
    }

    /// Allows as many connections as the system lets this process have.
    private static func raiseFileLimit() {
      var limit = rlimit()
      #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
      #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      guard getrlimit(resource, &limit) == 0 else { return }
      limit.rlim_cur = limit.rlim_max
      _ = setrlimit(resource, &limit)
    }

    // MARK: The log

    private var log: AccessLog? {
      let form = command.log ?? (isatty(STDERR_FILENO) == 1 ? .text : .none)
      guard form != .none else { return nil }
      let writer = LogWriter(style: Style.notes)
      return { entry in
        writer.write { form == .json ? Self.json(entry, $0) : writer.text(entry, $0) }
      }
    }

    /// A line of JSON.
    private static func json(_ entry: AccessLogEntry, _ time: Date) -> String {
      let members: [String: JSONValue?] = [
        "time": .string(time.formatted(.iso8601.time(includingFractionalSeconds: true))),
        "method": .string(entry.method), "url": .string(LogWriter.url(entry)),
        "status": entry.status.map { .number(JSONNumber($0)) },
        "scenario": entry.event?.scenario.map { .string($0.rawValue) },
        "key": entry.event?.stubKey.map { .string($0) },
        "response": entry.event?.responseIndex.map { .number(JSONNumber($0 + 1)) },
        "durationMs": JSONNumber(LogWriter.milliseconds(entry.duration)).map { .number($0) },
        "requestBytes": .number(JSONNumber(entry.requestByteCount)),
        "responseBytes": .number(JSONNumber(entry.responseByteCount)),
        "unmatched": entry.event?.isMatched == false ? .bool(true) : nil,
        "remark": entry.remark.map { .string($0) },
      ]
      return JSONValue.object(members.compactMapValues { $0 }).canonicalText
    }
  }

  /// Writes lines to standard error, away from the threads of connections, which must not wait.
  private final class LogWriter: Sendable {
    /// The largest number of lines that wait; more are counted and left out.
    private static let mostWaiting = 10_000
    private let queue = DispatchQueue(label: "stubdb.log")
    private let waiting = Locked((count: 0, left: 0))
    private let style: Style

    init(style: Style) {
      self.style = style
    }

    func write(_ line: @escaping @Sendable (Date) -> String) {
      let isWaiting = waiting.withLock { waiting in
        if waiting.count < Self.mostWaiting { waiting.count += 1 } else { waiting.left += 1 }
        return waiting.left == 0
      }
      guard isWaiting else { return }
      let time = Date()
      queue.async { [self] in
        Console.note(line(time))
        let left = waiting.withLock { waiting in
          waiting.count -= 1
          guard waiting.count == 0 else { return 0 }
          defer { waiting.left = 0 }
          return waiting.left
        }
        if left > 0 { Console.note("(\(Plural.of(left, "line")) left out)") }
      }
    }

    /// A line such as `12:00:01.123 POST /v1/charges 402 charge 1.2 ms checkout/card-declined`.
    func text(_ entry: AccessLogEntry, _ time: Date) -> String {
      let status = entry.status.map(String.init) ?? "---"
      let key = entry.event?.stubKey.map { " \(TerminalText.line(SecretDisplay.text($0)))" } ?? ""
      let scenario = entry.event?.scenario.map { "  \($0)" } ?? ""
      let remark = entry.remark.map { "  (\(TerminalText.line($0)))" } ?? ""
      let took = String(format: "%.1f ms", Self.milliseconds(entry.duration))
      let line =
        "\(Self.clock(time)) \(entry.method) \(Self.url(entry)) \(status)\(key) \(took)"
        + scenario + remark
      return entry.event?.isMatched == false ? style.red(line) : line
    }

    static func url(_ entry: AccessLogEntry) -> String {
      TerminalText.line(SecretDisplay.text(entry.target))
    }

    static func milliseconds(_ duration: Duration) -> Double {
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
  }

  /// Waits for the signals that ask the process to end; a second one ends it at once.
  private final class EndOfProcess: Sendable {
    private let asked = DispatchSemaphore(value: 0)
    // Safe to share: the sources are only kept.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() {
      sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        return DispatchSource.makeSignalSource(signal: number, queue: .global())
      }
      let asked = asked
      for source in sources {
        let count = Locked(0)
        source.setEventHandler { @Sendable in
          let isFirst = count.withLock { count in
            count += 1
            return count == 1
          }
          if isFirst { asked.signal() } else { exit(EXIT_FAILURE) }
        }
        source.activate()
      }
    }

    func wait() {
      asked.wait()
    }
  }
#endif
