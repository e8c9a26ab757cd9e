import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBRemote
import StubDBSupport
import StubDBTestSupport
import Testing

/// The folder of one person with the catalog `shop.stubdb`, and a cache of its own.
final class Desk {
  let folder: URL
  let catalog: URL
  private let context: PublishingContext
  private let received: Locked<[PublishingEvent]>

  /// A folder; with a catalog if `scenario` is one that it has.
  init(
    _ scenario: String? = nil, text: String = "a", transport: any HTTPTransport = NoTransport(),
    environment: [String: String] = [:]
  ) throws {
    let root = try makeTemporaryFolder().resolvingSymlinksInPath()
    folder = root.appendingPathComponent("project", isDirectory: true)
    catalog = folder.appendingPathComponent("shop.stubdb")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let received = Locked<[PublishingEvent]>([])
    self.received = received
    context = PublishingContext(
      environment: environment.merging(["STUBDB_CACHE": root.path + "/cache"]) { $1 },
      client: RetryingClient(transport: transport, wait: { _ in }),
      signing: Signing(program: NoKeygen()),
      report: { event in received.withLock { $0.append(event) } })
    guard let scenario else { return }
    _ = try Catalog.create(at: catalog)
    try add(scenario, text)
  }

  deinit { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }

  /// What was reported so far.
  var events: [PublishingEvent] { received.withLock { $0 } }

  var bytes: Data { get throws { try Data(contentsOf: catalog) } }

  /// The text of the lock file; nil if there is none.
  var lock: String? {
    get { try? String(contentsOf: lockFile, encoding: .utf8) }
    set { try? newValue.map { Data($0.utf8) }?.write(to: lockFile) }
  }

  private var lockFile: URL { folder.appendingPathComponent(LockFile.fileName) }

  var scenarios: [String] {
    get throws { try Catalog(contentsOf: catalog).scenarios().map(\.name.rawValue) }
  }

  /// Puts a scenario into the catalog, or replaces it.
  func add(_ name: String, _ text: String = "a") throws {
    let document = """
      {"scenario": "\(name)", "stubs": [{"key": "pay", "request": {"url": "https://api.shop.test/\(name)"},
      "responses": [{"text": "\(text)"}]}]}
      """
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    try Catalog(contentsOf: catalog).edit { try $0.replace(scenario) }
  }

  func project() throws -> RemoteProject { try RemoteProject(of: folder, context) }

  @discardableResult
  func push(
    _ target: String? = nil, _ change: (inout PushJob) -> Void = { _ in }
  ) throws -> PushJob.Outcome {
    var job = PushJob(WorkingCatalog(url: catalog), scan: { _ in [] })
    job.target = target
    change(&job)
    return try project().changing { try job.run(in: &$0) }
  }

  @discardableResult
  func pull(
    _ targets: String..., editing: Bool = false, updating: Bool = false
  ) throws -> PullJob.Outcome {
    var job = PullJob(targets)
    if editing { job.file = catalog }
    return try project().changing { try updating ? job.update(&$0) : job.obey(&$0) }
  }

  /// The message of the error of a closure, and whether it is that of a store.
  static func problem(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as JobError {
      return error.description
    } catch let error as RemoteError {
      return error.description
    } catch {
      return "\(error)"
    }
  }
}

extension PushJob.Outcome {
  var commit: ObjectDigest? {
    guard case .pushed(let push) = self else { return nil }
    return push.commit
  }

  var isUnchanged: Bool {
    guard case .unchanged = self else { return false }
    return true
  }

  var isConflict: Bool {
    guard case .conflicts = self else { return false }
    return true
  }
}

/// For stores that are folders.
struct NoTransport: HTTPTransport {
  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    throw RemoteError(.unreachable, "a folder needs no requests")
  }
}

/// For catalogs without signatures.
private struct NoKeygen: SignatureProgram {
  func run(
    _ arguments: [String], input: URL?, mayAsk: Bool
  ) throws(RemoteError) -> SignatureProgramEnd {
    throw RemoteError(.unsupported, "ssh-keygen is not installed")
  }
}

/// The server of a bucket, without a connection.
struct BucketTransport: HTTPTransport {
  let server: BucketServer

  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    let url = URLComponents(string: request.url)
    let target = [url?.percentEncodedPath, url?.percentEncodedQuery].compactMap(\.self)
    let content = request.contentFile.flatMap { FileManager.default.contents(atPath: $0) }
    let answer = server.answer(
      LoopbackServer.Request(
        line: "\(request.method) \(target.joined(separator: "?")) HTTP/1.1",
        headers: Dictionary(uniqueKeysWithValues: request.fields.map { ($0.lowercased(), $1) }),
        body: request.content ?? content ?? Data()))
    let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) ?? answer.endIndex..<answer.endIndex
    let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
    let pairs = lines.dropFirst().map { $0.components(separatedBy: ": ") }
    let fields = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0].lowercased(), $0[1]) })
    let body = Data(answer[end.upperBound...])
    guard let file = request.outputFile, (200...206).contains(status) else {
      return TransferAnswer(status: status, fields: fields, content: body)
    }
    return save(body, status, fields, to: URL(fileURLWithPath: file), limit: request.outputLimit)
  }

  private func save(
    _ body: Data, _ status: Int, _ fields: [String: String], to file: URL, limit: Int?
  ) -> TransferAnswer {
    let before = status == 206 ? (try? Data(contentsOf: file)) ?? Data() : Data()
    let whole = before + body
    try? whole.prefix(limit.map { $0 + 1 } ?? .max).write(to: file)
    let isWhole = fields["content-length"] == String(body.count)
    return isWhole || limit.map { whole.count > $0 } ?? false
      ? TransferAnswer(status: status, fields: fields)
      : TransferAnswer(failure: "the connection was lost", isPassing: true)
  }
}
