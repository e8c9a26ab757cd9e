internal import Foundation
public import StubDBEngine
public import StubDBModel
internal import StubDBSupport

extension Catalog {
  /// Bodies of more bytes than this stay in the file until they are served.
  static let largestBodyInMemory = 64 * 1024

  /// The approximate memory that a stub takes, besides its bodies.
  private static let stubByteCount = 2_048

  /// Loads a scenario for playing, with the scenarios it includes and overlays on top.
  ///
  /// Overlays are scenarios too; the last one answers first. Everything needed is copied into memory and the file is
  /// closed, except that bodies over 64 KiB stay in the file and are read when they are served, from the very file that
  /// was loaded. Included scenarios of other catalogs come from the files that `stubdb.lock` names, and from the cache
  /// that `stubdb pull` fills; nothing is fetched.
  /// The scenarios loaded last are kept, up to about 64 MB for the process: loading one again from an unchanged file
  /// takes some microseconds and no memory. See ``keepLoadedScenarios(upTo:)``.
  /// - Throws: A ``CatalogError`` for a name that does not exist, a dangling include, a cycle, a conflict that a merge
  /// left in one of the scenarios, a damaged file, or a stub that this version cannot play.
  public func load(
    _ name: some ScenarioNaming, overlays: [any ScenarioNaming] = []
  ) throws(CatalogError) -> LoadedScenario {
    let names = [name.scenarioName] + overlays.map(\.scenarioName)
    guard let identity = file.identity else { return try read(names).scenario }
    let key = LoadedScenarios.Key(path: file.path, version: file.format.version, names: names)
    if let known = loaded.scenario(key, of: identity) { return known }
    let reading = try read(names)
    // If the file was replaced in between, it is unknown which one was read.
    if let byteCount = reading.byteCount, file.identity == identity {
      loaded.keep(
        reading.scenario, as: key, of: identity, byteCount: byteCount, depended: reading.depended)
    }
    return reading.scenario
  }

  /// Sets the limit on the memory in which this process keeps the scenarios that it loaded last, of all catalogs.
  ///
  /// The size is approximate. 0 empties the cache and disables it; active runs keep their scenario alive, and so
  /// do the entries of its journal. The default is 64 MiB.
  public static func keepLoadedScenarios(upTo byteCount: Int) {
    LoadedScenarios.shared.setLimit(byteCount)
  }

  /// Whether the file is unchanged since something was loaded from it.
  var isKnown: Bool {
    guard let identity = file.identity else { return false }
    return loaded.knows(identity, path: file.path, version: file.format.version)
  }

  /// What was read for a scenario.
  struct Reading {
    let scenario: LoadedScenario
    /// The approximate size in bytes; nil if the scenario keeps a file open.
    let byteCount: Int?
    /// The files besides the catalog that it was read from; usually none.
    let depended: [DependedFile]
  }

  /// Reads a scenario and its overlays, ignoring what was loaded before.
  ///
  /// Bodies of more than `largestBody` bytes stay in their files.
  func read(
    _ names: [String], largestBody: Int = largestBodyInMemory
  ) throws(CatalogError) -> Reading {
    try file.reporting("reading") {
      let reader = reader(try file.openForReading())
      let scenarios = LinkedScenarios(reader, of: self, largestBody: largestBody)
      var sources: [LoadedScenario.Source] = []
      let resolved = try scenarios.resolved(names)
      for (node, layer) in resolved {
        let first = sources.count
        try scenarios.append(stubsOf: node, to: &sources)
        if layer > 0 { for index in first..<sources.count { sources[index].layer = layer } }
      }
      guard let main = names.first.flatMap(ScenarioName.init) else {
        throw try reader.noSuchScenario(names.first ?? "")
      }
      let digest = try reader.digest().map(Self.text)
      let (bodyByteCount, depended) = (scenarios.bodyByteCount, scenarios.depended)
      let (others, digestOfAll) = (scenarios.otherCatalogs, scenarios.digest(of: resolved))
      let files = scenarios.withStoredBodies
      let hasStoredBodies = !files.isEmpty
      let scenario = try LoadedScenario(
        name: main, stubs: sources, bodies: hasStoredBodies ? CatalogBodyReader(files) : nil,
        catalogDescription: file.path, catalogDigest: digest,
        otherScenarios: CatalogScenarioSearch(catalog: self, besides: main), otherCatalogs: others,
        resolvedDigest: digestOfAll, overlays: Array(names.dropFirst()))
      let byteCount = bodyByteCount + sources.count * Self.stubByteCount
      return Reading(
        scenario: scenario, byteCount: hasStoredBodies ? nil : byteCount, depended: depended)
    }
  }

  /// The beginning of the digest of the whole content, in hexadecimal; nil for a catalog without one.
  ///
  /// - Throws: A ``CatalogError`` if the file cannot be read.
  package func contentDigest() throws(CatalogError) -> String? {
    try file.read { try reader($0).digest().map(Self.text) }
  }

  /// The first 16 bytes of a digest in hexadecimal, which tell two contents apart.
  private static func text(_ digest: Data) -> String {
    digest.prefix(16).hexadecimal
  }
}
