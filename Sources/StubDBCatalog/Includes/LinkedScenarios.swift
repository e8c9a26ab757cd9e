internal import Foundation
package import StubDBEngine
package import StubDBModel
internal import StubDBSupport

/// The scenarios of a catalog, and of the other catalogs that they include.
///
/// What a scenario of another catalog includes by its plain name is looked up in that catalog; which catalog a name before
/// a colon means, only the lock of the first catalog says. To be used by one thread.
package final class LinkedScenarios {
  /// A scenario of one of the catalogs.
  package struct Node: Hashable, CustomStringConvertible {
    /// The index of the catalog; 0 is the first one.
    fileprivate let place: Int
    /// The scenario as the first catalog would include it.
    package let reference: ScenarioReference

    package var description: String { reference.rawValue }
  }

  private struct Part {
    /// What the lock calls the catalog; nil for the first one.
    let name: String?
    let file: CatalogFile
    let isEdited: Bool
    let reader: ScenarioReader
    var rows: StubRows
    var usedNames: [ScenarioName] = []
  }

  private var parts: [Part]
  /// The catalogs by their names in the lock.
  private var places: [String: Int] = [:]
  private var links: CatalogLinks
  private var headers: [Node: ScenarioHeader] = [:]
  private let largestBody: Int

  /// Begins with a catalog; bodies of more than `largestBody` bytes stay in their files.
  package init(_ reader: ScenarioReader, of catalog: Catalog, largestBody: Int = 0) {
    self.largestBody = largestBody
    links = CatalogLinks(of: catalog.file, cache: catalog.cache)
    let rows = StubRows(largestBody: largestBody, path: reader.path)
    parts = [Part(name: nil, file: catalog.file, isEdited: true, reader: reader, rows: rows)]
  }

  /// The files besides the first catalog whose change may change what was read.
  package var depended: [DependedFile] { links.depended }

  /// A scenario of the first catalog.
  package func own(_ name: ScenarioName) -> Node {
    Node(place: 0, reference: ScenarioReference(name))
  }

  /// The scenario that an include means; the file of another catalog is opened if it was not before.
  package func node(_ include: ScenarioReference, includedBy node: Node) throws -> Node {
    var place = node.place
    if let catalog = include.catalog {
      place = try self.place(
        of: catalog, CatalogLinks.Include(reference: include, includer: node.description))
    }
    return Node(
      place: place, reference: ScenarioReference(include.name, in: parts[place].name))
  }

  private func place(of name: String, _ include: CatalogLinks.Include) throws -> Int {
    if let place = places[name] { return place }
    let link = try links.link(of: name, for: include)
    let path = link.file.realPath
    let place = parts.firstIndex { $0.file.realPath == path } ?? parts.count
    if place == parts.count {
      let reader = ScenarioReader(
        connection: try link.file.openForReading(), path: link.file.path)
      parts.append(
        Part(
          name: name, file: link.file, isEdited: link.isEdited, reader: reader,
          rows: StubRows(largestBody: largestBody, path: link.file.path)))
    }
    places[name] = place
    return place
  }

  /// A scenario without its stubs; nil if its catalog does not have it.
  package func header(_ node: Node) throws -> ScenarioHeader? {
    if let header = headers[node] { return header }
    let header = try parts[node.place].reader.header(node.reference.name)
    headers[node] = header
    return header
  }

  /// A scenario with all bodies in memory, named and including as the first catalog would; nil if its catalog does not
  /// have it.
  package func scenario(_ node: Node) throws -> (scenario: Scenario, includes: [Node])? {
    guard var scenario = try parts[node.place].reader.scenario(node.reference.name) else {
      return nil
    }
    let includes = try scenario.includes.map { try self.node($0, includedBy: node) }
    scenario.name = node.reference.originName
    scenario.includes = includes.map(\.reference)
    return (scenario, includes)
  }

  /// The graph of what scenarios include.
  ///
  /// `replaced` overrides the includes of some scenarios. Calls `skipping` for each include whose catalog cannot be read,
  /// and leaves it out.
  package func graph(
    replacing replaced: [Node: [ScenarioReference]] = [:],
    skipping: ((Node, ScenarioReference, any Error) -> Void)? = nil
  ) -> IncludeGraph<Node> {
    IncludeGraph(
      includes: { [self] node in
        try (replaced[node] ?? header(node)?.scenario.includes)?.compactMap { include in
          do {
            return try self.node(include, includedBy: node)
          } catch {
            guard let skipping else { throw error }
            skipping(node, include, error)
            return nil
          }
        }
      },
      names: { [self] in
        try parts.enumerated().flatMap { place, part in
          try part.reader.names().map {
            Node(place: place, reference: ScenarioReference($0, in: part.name))
          }
        }
      },
      owner: { [self] node in
        guard let name = parts[node.place].name else { return "the catalog" }
        return "the catalog \(name) (\(parts[node.place].file.path))"
      })
  }

  /// A scenario of the first catalog and all that it includes, in the order in which they answer.
  package func closure(of name: String) throws -> [Node] {
    guard let valid = ScenarioName(name), let header = try header(own(valid)) else {
      throw try parts[0].reader.noSuchScenario(name)
    }
    if header.scenario.includes.isEmpty { return [own(valid)] }
    return [own(valid)] + (try graph().closure(of: own(valid)))
  }

  /// All scenarios of a load, each with its layer, in the order in which they answer: a scenario and its includes, then
  /// those of each overlay.
  ///
  /// - Throws: As loading does, also for scenarios with open conflicts.
  package func resolved(_ names: [String]) throws -> [(node: Node, layer: Int)] {
    try names.enumerated().flatMap { layer, name in
      let nodes = try closure(of: name)
      try refuseConflicts(in: nodes)
      return nodes.map { ($0, layer) }
    }
  }

  /// The beginning of the digest of a load in hexadecimal: equal if the same stubs answer in the same order.
  package func digest(of resolved: [(node: Node, layer: Int)]) -> String {
    var digest = SHA256Digest()
    for (node, layer) in resolved {
      digest.update("\(layer) \(node)\n")
      if let header = headers[node] { digest.update(SHA256Digest.data(header.stubsDigest)) }
    }
    return digest.finalized().prefix(8).hexadecimal
  }

  private func refuseConflicts(in nodes: [Node]) throws {
    for place in Set(nodes.map(\.place)).sorted() {
      let headers = nodes.filter { $0.place == place }.compactMap { self.headers[$0] }
      try parts[place].reader.refuseConflicts(in: headers)
    }
  }

  /// Appends the stubs of a scenario.
  package func append(stubsOf node: Node, to sources: inout [LoadedScenario.Source]) throws {
    guard let header = headers[node] else { return }
    try parts[node.place].rows.append(
      stubsOf: header, as: node.reference.originName,
      on: parts[node.place].reader.connection, to: &sources)
    parts[node.place].usedNames.append(node.reference.name)
  }

  /// How many bytes of bodies were read.
  package var bodyByteCount: Int { parts.reduce(0) { $0 + $1.rows.bodyByteCount } }

  /// The open files of catalogs in which bodies were left.
  var withStoredBodies: [CatalogBodyReader.File] {
    parts.filter(\.rows.hasStoredBodies).map { ($0.reader.connection, $0.reader.path) }
  }

  /// The other catalogs, with the scenarios that were read of each.
  package var otherCatalogs: [LoadedScenario.OtherCatalog] {
    parts.dropFirst().compactMap { part in
      guard let name = part.name, !part.usedNames.isEmpty else { return nil }
      return LoadedScenario.OtherCatalog(
        name: name, path: part.file.path, isEdited: part.isEdited, scenarios: part.usedNames)
    }
  }
}

extension CatalogFile {
  /// The path without symbolic links, by which two names of one file are recognized.
  fileprivate var realPath: String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}
