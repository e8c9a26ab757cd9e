package import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Compares requests with descriptions.
///
/// Requests to hosts that no description names are not compared. Safe to use from any thread.
package final class DescribedRequests: Sendable {
  /// How many violations of one request are reported.
  private static let maximumCount = 5
  /// How many schemas are applied to the values of one request at most; one that needs more is not reported.
  private static let maximumChecks = 1_000_000

  private struct Described: Sendable {
    let description: KeptDescription
    /// The paths of each operation.
    let paths: [[DescribedPath]]
  }

  /// A schema, by its description, its operation and what has it.
  private struct Place: Hashable {
    var description: Int
    var operation: Int
    var owner: String
  }

  private let described: [Described]
  /// What was compiled; nil for a schema that cannot be.
  private let schemas = Locked([Place: JSONSchema?]())

  package init(_ descriptions: [KeptDescription]) {
    described = descriptions.map { description in
      Described(
        description: description,
        paths: description.operations.map { $0.paths.map(DescribedPath.init) })
    }
  }

  /// What a request violates, in the order of its parts; empty for one to a host that is not described.
  package func violations(of request: StubRequest) -> [RequestViolation] {
    guard let url = URLParts(request.url) else { return [] }
    let near = near(url)
    let path = DescribedPath.split(url.path)
    for index in near {
      guard let found = operation(request.method, path, in: index) else { continue }
      switch found {
      case .operation(let number, let values):
        let check = OperationCheck(
          operation: described[index].description.operations[number], url: url, request: request,
          pathValues: values,
          origin: origin(index, number),
          violations: { [self] in
            violation(of: $0, by: $1, Place(description: index, operation: number, owner: $2))
          })
        return Array(check.found.prefix(Self.maximumCount))
      case .otherMethods(let number, let methods):
        return [
          RequestViolation(
            id: .unknownMethod, pointer: "",
            message:
              "\(described[index].description.operations[number].path) has \(methods.joined(separator: ", "))",
            origin: described[index].description.file)
        ]
      }
    }
    // Another service may have the path where no host is named.
    guard let index = near.first(where: { !described[$0].description.hosts.isEmpty }) else {
      return []
    }
    let names = described[index].description.operations.flatMap(\.paths)
    let nearest = names.nearest(to: url.path).map { "; the nearest is \($0)" } ?? ""
    return [
      RequestViolation(
        id: .unknownPath, pointer: "", message: "there is no such path\(nearest)",
        origin: described[index].description.file)
    ]
  }

  /// What the answer to a request is, and where the description says it; nil if that is not described, or not kept.
  package func answer(
    to request: StubRequest, status: Int
  ) -> (content: DescribedPlace, origin: String)? {
    guard let url = URLParts(request.url) else { return nil }
    let path = DescribedPath.split(url.path)
    for index in near(url) {
      guard case .operation(let number, _)? = operation(request.method, path, in: index) else {
        continue
      }
      let description = described[index].description
      let answers = description.operations[number].answers
      let names = ["\(status)", "\(status / 100)XX", "\(status / 100)xx", "default"]
      guard let definitions = description.definitions,
        let schema = names.lazy.compactMap({ answers[$0] }).first,
        let place = DescribedPlace(schema, definitions: definitions)
      else { return nil }
      return (place, origin(index, number))
    }
    return nil
  }

  /// The descriptions that may be about a host.
  private func near(_ url: URLParts) -> [Int] {
    described.indices.filter { index in
      let hosts = described[index].description.hosts
      return hosts.isEmpty || url.host.map(hosts.contains) ?? true
    }
  }

  private func origin(_ index: Int, _ operation: Int) -> String {
    let description = described[index].description
    return "\(description.file)#\(description.operations[operation].pointer)"
  }

  // MARK: Operations

  private enum Found {
    case operation(Int, [(name: String, value: String)])
    case otherMethods(Int, [String])
  }

  /// The operation whose path has the fewest placeholders, the later ones first.
  private func operation(_ method: String, _ path: [Substring], in index: Int) -> Found? {
    var fitting: [(number: Int, values: [(name: String, value: String)], rank: [Int])] = []
    for (number, paths) in described[index].paths.enumerated() {
      for own in paths {
        guard let (values, rank) = own.values(in: path) else { continue }
        fitting.append((number, values, rank))
        break
      }
    }
    guard let best = fitting.map(\.rank).min(by: { $0.lexicographicallyPrecedes($1) }) else {
      return nil
    }
    let operations = described[index].description.operations
    let nearest = fitting.filter { $0.rank == best }
    // A server that answers GET answers HEAD alike.
    for wanted in method == "HEAD" ? ["HEAD", "GET"] : [method] {
      if let found = nearest.first(where: { operations[$0.number].method == wanted }) {
        return .operation(found.number, found.values)
      }
    }
    return .otherMethods(nearest[0].number, nearest.map { operations[$0.number].method })
  }

  // MARK: Schemas

  /// The violations by any of the readings of a value; those of the first one if all have some.
  private func violation(
    of schema: JSONValue, by readings: [JSONValue], _ place: Place
  ) -> [JSONSchemaViolation] {
    let known = schemas.withLock { $0[place] }
    let compiled = known ?? (try? JSONSchema(schema, dialect: .draft202012))
    if known == nil { schemas.withLock { $0[place] = .some(compiled) } }
    guard let compiled else { return [] }
    var first: [JSONSchemaViolation]?
    for reading in readings {
      var limit = Self.maximumChecks
      let found = compiled.violations(in: reading, checks: &limit) ?? []
      if found.isEmpty { return [] }
      first = first ?? found
    }
    return first ?? []
  }
}
