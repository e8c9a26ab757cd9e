internal import Foundation
internal import StubDBEngine
internal import StubDBModel
internal import StubDBSupport

/// Finds the scenarios of a catalog in which a stub would have answered a request.
struct CatalogScenarioSearch: OtherScenarioSearch {
  /// How many scenarios are named at most.
  static let limit = 3
  /// How many scenarios are searched at most, so that the report comes quickly.
  static let candidateLimit = 500
  /// After how many stubs, with those of included scenarios, the search ends.
  static let stubLimit = 100_000
  /// How many of the scenarios that answer are ranked by how specific their stub is.
  private static let comparedLimit = 20

  let catalog: Catalog
  let besides: ScenarioName

  /// The scenarios in which a stub answers the request, the most specific first.
  ///
  /// Scenarios are left out that answer with a catch-all stub; that answer another request than a `GET` with a stub for
  /// any method, which is mostly written for a `GET`; and those that include the scenario itself, since it cannot
  /// include them in turn.
  func scenarios(matching request: StubRequest) -> [ScenarioName] {
    scenarios(matching: request, .explaining(request))
  }

  /// The same for a request that is parsed already; all scenarios share the work that may be done for it.
  func scenarios(
    matching request: StubRequest, _ prepared: PreparedRequest
  ) -> [ScenarioName] {
    // This is only for a report: if the catalog cannot be read any more, the report does without it.
    let names = try? catalog.file.read { connection in
      let reader = ScenarioReader(connection: connection, path: catalog.file.path)
      var known: [ScenarioName: [ScenarioName]] = [:]
      let graph = IncludeGraph(
        includes: { name in
          if let includes = known[name] { return includes }
          // A damaged scenario cannot be played either.
          let includes = try? reader.header(name)?.scenario.includes.ownNames
          known[name] = includes
          return includes
        }, names: { try reader.names() })
      let names = try reader.names(
        withStubsFor: request.method, path: URLParts(request.url)?.path ?? request.url)
      return try graph.playable(Array(names.prefix(Self.candidateLimit)), without: besides)
    }
    var stubCount = 0
    var found: [(name: ScenarioName, specificity: Int)] = []
    for name in names ?? []
    where found.count < Self.comparedLimit && stubCount < Self.stubLimit {
      // Matching needs no bodies, except those that are templates, which compiling reads.
      guard let scenario = try? catalog.read([name.rawValue], largestBody: -1).scenario else {
        continue
      }
      stubCount += scenario.stubCount
      guard let stub = scenario.firstAnswer(to: prepared), stub.request.specificity > 0,
        request.method == "GET" || !stub.answersAnyMethod
      else { continue }
      found.append((name, stub.request.specificity))
    }
    return found.enumerated()
      .sorted { ($1.element.specificity, $0.offset) < ($0.element.specificity, $1.offset) }
      .prefix(Self.limit).map(\.element.name)
  }
}

/// Reads the bodies that a loaded scenario left in its catalog, or in those that it includes, from the very files that
/// were loaded.
final class CatalogBodyReader: StoredBodyReader {
  /// The open file of a catalog, and its path.
  typealias File = (connection: Connection, path: String)

  private let files: Locked<[File]>

  /// The files must not be used by anything else any more.
  init(_ files: sending [File]) {
    self.files = Locked(files)
  }

  func data(for body: StoredBody) throws -> Data {
    try files.withLock { files in
      for file in files {
        do {
          if let bytes = try Self.bytes(of: body, in: file) { return bytes }
        } catch let error as SQLiteError {
          throw CatalogError(error, path: file.path, doing: "reading a body of")
        }
      }
      throw CatalogError(damaged: "a body", path: files.map(\.path).joined(separator: ", "))
    }
  }

  /// The bytes that match the body's digest; nil if the file does not have them.
  private static func bytes(of body: StoredBody, in file: File) throws -> Data? {
    let statement = try file.connection.prepare(ReadQueries.body)
    try statement.bind(1, RowID.body(body.digest))
    guard try statement.step() else { return nil }
    let bytes = statement.data(0)
    return SHA256Digest.digest(of: bytes) == body.digest ? bytes : nil
  }
}
