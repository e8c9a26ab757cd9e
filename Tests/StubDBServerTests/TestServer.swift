#if Server
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import StubDBSupport

/// A server on a free port, which ends with the value.
final class TestServer {
  let server: StubServer
  /// Plays the requests that name no session.
  var player: Player { server.player }
  private let entries: Locked<[AccessLogEntry]>
  private let catalog: TestCatalog?
  private let noteTexts = Locked<[String]>([])

  /// What the server said about its catalog.
  var notes: [String] { noteTexts.withLock { $0 } }

  /// The lines of the log so far.
  var log: [AccessLogEntry] { entries.withLock { $0 } }

  init(
    _ scenario: LoadedScenario?, pace: Pace = .real, origins: [OriginMap.Rule] = [],
    options: ServerOptions = ServerOptions(), catalog: TestCatalog? = nil,
    ports: [StubServer.Port] = []
  ) throws {
    let entries = Locked<[AccessLogEntry]>([])
    self.entries = entries
    self.catalog = catalog
    server = try StubServer(
      scenario, catalog: catalog?.catalog, at: StubServer.Address(ports: ports),
      playing: PlaybackOptions(pace: pace), origins: origins, options: options,
      observer: StubServer.Observer(
        log: { entry in entries.withLock { $0.append(entry) } },
        note: { [noteTexts] note in noteTexts.withLock { $0.append(note) } }))
  }

  convenience init(
    catalog: TestCatalog, scenario: String?, ports: [StubServer.Port] = [],
    options: ServerOptions = ServerOptions()
  ) throws {
    try self.init(
      try scenario.map { try catalog.catalog.load($0) }, options: options, catalog: catalog,
      ports: ports)
  }

  convenience init(
    _ document: String, pace: Pace = .real, origins: [OriginMap.Rule] = [],
    options: ServerOptions = ServerOptions()
  ) throws {
    try self.init(
      try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))), pace: pace,
      origins: origins, options: options)
  }

  deinit {
    server.end()
  }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: server.port, receiveBuffer: receiveBuffer)
  }

  /// The text that a client gets for the text that it sends, followed by its end.
  func exchange(_ text: String) throws -> String {
    let client = try client()
    client.send(text)
    client.sendEnd()
    return String(decoding: client.read().bytes, as: UTF8.self)
  }
}
#endif
