public import StubDBCatalog
internal import StubDBChanges
package import StubDBDocuments
internal import StubDBEngine
public import StubDBJSON
public import StubDBModel
internal import StubDBSupport

extension Catalog {
  /// All problems of the catalog; empty if there are none.
  ///
  /// Checks the structure of the file, the digests of the bodies, includes that dangle, form a circle or lead to a catalog
  /// that is not here, values that no
  /// document could hold (such as a regular expression that does not compile), stubs that can never answer, and
  /// conflicts that a merge left. Reads the whole file.
  /// - Throws: A ``CatalogError`` if the file cannot be opened as a catalog at all.
  public func check() throws(CatalogError) -> [CheckProblem] {
    try check(recordedSince: nil)
  }

  /// The same, and stubs that were recorded before a day such as `2026-11-21`, and what has another meaning at a moment.
  package func check(
    recordedSince day: String?, at moment: CheckMoment? = nil
  ) throws(CatalogError) -> [CheckProblem] {
    try file.read { connection in
      let reader = ScenarioReader(connection: connection, path: file.path)
      var problems = findings { try structureProblems(connection) }
      problems += findings { try bodyProblems(connection) }
      problems += findings { try conflictProblems(reader) }
      problems += findings { try includeProblems(reader) }
      problems += findings {
        try reader.names().flatMap { name in
          findings(in: name) { try scenarioProblems(name, reader, recordedSince: day, moment) }
        }
      }
      // Several checks may report the same damaged page.
      var seen: Set<CheckProblem> = []
      return problems.filter { seen.insert($0).inserted }
    }
  }

  /// Whether a body does not match its digest; with `rows`, also whether a scenario does not, for which all are decoded.
  ///
  /// False for a file of more than `limit` bytes, which is not read.
  package func isDamaged(upTo limit: Int, rows: Bool) throws(CatalogError) -> Bool {
    guard let status = FileStatus(path: file.path), status.byteCount <= limit else { return false }
    do throws(CatalogError) {
      return try file.read { connection -> Bool in
        let reader = ScenarioReader(connection: connection, path: file.path)
        return try rows ? !reader.isWhole() : reader.damagedBodyCount() > 0
      }
    } catch {
      guard error.code == .damaged else { throw error }
      return true
    }
  }

  /// Runs one check; an error that it throws becomes a problem.
  private func findings(
    in scenario: ScenarioName? = nil, _ look: () throws -> [CheckProblem]
  ) -> [CheckProblem] {
    do {
      return try look()
    } catch let error as DocumentError {
      return [CheckProblem(.invalid, error.message, scenario: scenario, pointer: error.pointer)]
    } catch let error as CatalogError {
      return [CheckProblem(.damaged, error.message, scenario: scenario)]
    } catch let error as SQLiteError {
      let error = CatalogError(error, path: file.path, doing: "reading")
      return [CheckProblem(.damaged, error.message, scenario: scenario)]
    } catch {
      return [CheckProblem(.damaged, "\(error)", scenario: scenario)]
    }
  }

  private func scenarioProblems(
    _ name: ScenarioName, _ reader: ScenarioReader, recordedSince day: String?,
    _ moment: CheckMoment?
  ) throws -> [CheckProblem] {
    guard let scenario = try reader.scenario(name) else {
      return [CheckProblem(.damaged, "its row does not have the id of its name", scenario: name)]
    }
    return ScenarioProblems.refused(in: scenario) + ScenarioProblems.shadowed(in: scenario)
      + ScenarioProblems.misplacedFilters(in: scenario)
      + (day.map { ScenarioProblems.outdated(in: scenario, before: $0) } ?? [])
      + (moment.map { ageingProblems(scenario, reader, $0) } ?? [])
  }

  private func ageingProblems(
    _ scenario: Scenario, _ reader: ScenarioReader, _ moment: CheckMoment
  ) -> [CheckProblem] {
    var included: [Scenario] = []
    if scenario.stubs.contains(where: { $0.recorded == nil }) {
      // Includes that cannot be read are a problem of their own.
      included = (try? self.included(by: scenario, reader)) ?? []
    }
    return AgeingPlaces.problems(in: scenario, including: included, at: moment.date)
  }

  private func conflictProblems(_ reader: ScenarioReader) throws -> [CheckProblem] {
    try reader.conflicts().map { conflict in
      CheckProblem(
        .conflict, "two branches changed this differently; to see how, and settle it",
        command: CheckProblem.Command(
          name: "resolve",
          arguments: [conflict.scenario.rawValue] + [conflict.key].compactMap(\.self)
            + (conflict.pointer.tokens.isEmpty ? [] : [conflict.pointer.description])),
        scenario: conflict.scenario, key: conflict.key, pointer: conflict.pointer)
    }
  }

  private func structureProblems(_ connection: Connection) throws -> [CheckProblem] {
    var problems: [CheckProblem] = []
    let integrity = try connection.prepare(SchemaQueries.integrityCheck)
    while try integrity.step() {
      // A row may hold several messages, below the name of the database, which is always the same.
      for message in try integrity.text(0).split(whereSeparator: \.isNewline)
      where message != "ok" && !message.hasPrefix("*** in database ") {
        problems.append(CheckProblem(.damaged, "the file is damaged: \(message)"))
      }
    }
    let references = try connection.prepare(SchemaQueries.foreignKeyCheck)
    while try references.step() {
      let table = try references.text(0)
      problems.append(
        CheckProblem(
          .damaged,
          "the file is damaged: a row of \(table) refers to a row that does not exist"))
    }
    return problems
  }

  private func bodyProblems(_ connection: Connection) throws -> [CheckProblem] {
    let count = try reader(connection).damagedBodyCount()
    guard count > 0 else { return [] }
    return [
      CheckProblem(.damaged, "the file is damaged: \(count) bodies do not match their digests")
    ]
  }
}

/// A problem in a catalog.
public struct CheckProblem: Hashable, Sendable, CustomStringConvertible {
  /// The scenario; nil for a problem of the file as a whole.
  public let scenario: ScenarioName?
  /// The stub's key; nil if the problem is not about a stub.
  public let key: String?
  /// The place in the scenario's document; nil if there is no such place.
  public let pointer: JSONPointer?
  /// What kind of problem it is.
  package let kind: Kind
  /// One sentence: what is wrong, and what to do.
  public var problem: String {
    problem { name, arguments, options in
      let words = ["stubdb", name] + CommandWords.arranged(arguments, options)
      return words.map(ShellWord.quoted).joined(separator: " ")
    }
  }

  private let reason: String
  private let command: Command?

  /// A kind of problem, under a name for filters.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case damaged
    case conflict
    case include
    case invalid
    case shadowed
    case filter
    case outdated
    case ageing

    /// What the kind means, in one sentence.
    package var summary: String {
      switch self {
      case .damaged: "The file is damaged."
      case .conflict: "Two branches changed this differently, and it is not settled."
      case .include: "What a scenario includes is missing, or includes it in turn."
      case .invalid: "A value that no document may have, or that cannot be played."
      case .shadowed: "A stub never answers, because another one always comes first."
      case .filter: "A filter of a JSONPath is applied to an object."
      case .outdated: "A recording is older than --max-age allows."
      case .ageing: "A date, a signed token or a pattern has another meaning at the time of --at."
      }
    }
  }

  /// A command to type next.
  struct Command: Hashable {
    let name: String
    let arguments: [String]
    var options: [String] = []
  }

  /// Makes a problem; the sentence ends with the command, if there is one.
  init(
    _ kind: Kind, _ reason: String, command: Command? = nil, scenario: ScenarioName? = nil,
    key: String? = nil, pointer: JSONPointer? = nil
  ) {
    self.kind = kind
    self.scenario = scenario
    self.key = key
    self.pointer = pointer
    self.reason = reason
    self.command = command
  }

  /// The sentence with its command, if there is one, written by the closure as the reader can type it.
  package func problem(writing line: (String, [String], [String]) -> String) -> String {
    reason + (command.map { ": " + line($0.name, $0.arguments, $0.options) } ?? "")
  }

  /// The problem for programs; `problem` is its sentence.
  package func json(problem: String) -> OrderedJSON {
    .object([
      ("scenario", .string(scenario?.rawValue)), ("key", .string(key)),
      ("pointer", .string(pointer?.description)), ("problem", .string(problem)),
    ])
  }

  /// The place and the message.
  public var description: String {
    let place = [scenario?.rawValue, key].compactMap(\.self).joined(separator: " ")
    return place.isEmpty ? problem : "\(place): \(problem)"
  }
}
