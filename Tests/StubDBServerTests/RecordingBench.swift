#if Server
import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBServer
import StubDBServing

/// A server that records into the draft of a catalog of its own.
final class RecordingBench {
  let server: TestServer
  let recording: ServerRecording
  let recorder: RunRecorder
  /// Signalled for each host whose requests are not recorded.
  private let noted = DispatchSemaphore(value: 0)
  private let catalog: TestCatalog
  /// The folder of the draft.
  let folder: String

  /// Records for the scenario `shop`, which has these stubs.
  init(
    _ settings: ServerRecording.Settings, stubs: String = "", mode: RecordMode = .newEpisodes,
    limits: RecordingLimits = RecordingLimits(),
    _ change: (inout ServerOptions) throws -> Void = { _ in }
  ) throws {
    catalog = try TestCatalog(#"{"scenario": "shop", "stubs": [\#(stubs)]}"#)
    let scenario = try catalog.catalog.load("shop")
    let path = catalog.catalog.url.path
    folder = DraftWriter.folder(ofCatalog: path)
    recorder = RunRecorder(
      scenario.name, mode: mode, catalog: path,
      writer: try DraftWriter(catalog: path, environment: [:], limits: limits))
    recording = ServerRecording(settings, recorder: recorder) { [noted] _, _ in noted.signal() }
    var options = ServerOptions()
    options.admin = nil
    options.reloadInterval = nil
    options.allowsOtherOrigins = false
    options.isProxy = settings.target == nil
    options.passesUnmatchedOn = true
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsPrivateUpstreams = true
    options.recording = recording
    try change(&options)
    server = try TestServer(
      mode == .all ? LoadedScenario(emptyNamed: scenario.name) : scenario, options: options)
  }

  /// Stands for a server on this machine.
  convenience init(
    for port: Int, stubs: String = "", mode: RecordMode = .newEpisodes, errors: Bool = false,
    limits: RecordingLimits = RecordingLimits(),
    _ change: (inout ServerOptions) throws -> Void = { _ in }
  ) throws {
    var settings = ServerRecording.Settings(
      target: Origin("http://127.0.0.1:\(port)"),
      hosts: RecordedHosts([], origins: [], includesAll: false))
    settings.recordsErrors = errors
    try self.init(settings, stubs: stubs, mode: mode, limits: limits, change)
  }

  /// Is a proxy that looks into the requests for these hosts.
  convenience init(
    proxyFor hosts: String..., change: (inout ServerOptions) throws -> Void = { _ in }
  ) throws {
    try self.init(
      ServerRecording.Settings(
        hosts: RecordedHosts(
          hosts.compactMap(HostPattern.init), origins: [], includesAll: hosts.isEmpty)),
      change)
  }

  /// Waits until a host is left out, which a client may learn before; false if none is.
  func waitForHost() -> Bool { noted.wait(timeout: .now() + 10) == .success }

  /// Ends the server; returns the stubs in the draft, in the order of their requests.
  func end() throws -> [JSONValue] {
    server.server.end()
    recording.end(failed: false)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let lines = try files.filter { $0.hasSuffix(".jsonl") }.flatMap { file in
      try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)).split(separator: 10)
    }
    return lines.compactMap { line in
      if case .exchange(let exchange)? = DraftLine(line) { exchange } else { nil }
    }.sorted { $0.order < $1.order }.map(\.stub)
  }

  /// Why requests were not recorded, or not as they were.
  var problems: [String] { recording.outcome.problems }
}

extension JSONValue {
  /// The text at a pointer, such as `/request/url`; numbers as they are written, empty if there is nothing.
  func text(_ pointer: String) -> String {
    let parts = pointer.split(separator: "/").map(String.init)
    guard let value = value(at: JSONPointer(parts)) else { return "" }
    if case .string(let text) = value { return text }
    return value.canonicalText
  }
}
#endif
