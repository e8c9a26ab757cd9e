internal import Foundation
internal import StubDBModel

extension Catalog {
  /// Everything in the catalog that is not as it should be; empty where all is well.
  ///
  /// Looks at the structure of the file, the digests of the bodies, includes that dangle or go round
  /// in a circle, what a document could not hold (such as a regular expression that does not
  /// compile), and stubs that can never answer. Costs a read of the whole file.
  /// - Throws: A ``CatalogError`` where the file cannot be opened as a catalog at all.
  public func check() throws -> [CheckProblem] {
    try file.read { connection in
      let reader = ScenarioReader(connection: connection, path: file.path)
      var problems = try structureProblems(connection)
      problems += try bodyProblems(connection)
      let names = try reader.names()
      problems += try includeProblems(reader, names: names)
      for name in names {
        do {
          guard let scenario = try reader.scenario(name) else {
            problems.append(
              CheckProblem("its row does not have the id of its name", scenario: name))
            continue
          }
          problems += documentProblems(scenario)
          problems += ShadowedStubs.problems(in: scenario)
        } catch let error as CatalogError {
          problems.append(CheckProblem(error.message, scenario: name))
        } catch let error as DocumentError {
          problems.append(
            CheckProblem(error.message, scenario: name, pointer: error.pointer))
        }
      }
      return problems
    }
  }

  private func structureProblems(_ connection: Connection) throws -> [CheckProblem] {
    var problems: [CheckProblem] = []
    let integrity = try connection.prepare(SchemaQueries.integrityCheck)
    while try integrity.step() {
      let message = try integrity.text(0)
      if message != "ok" { problems.append(CheckProblem("the file is damaged: \(message)")) }
    }
    let references = try connection.prepare(SchemaQueries.foreignKeyCheck)
    while try references.step() {
      let table = try references.text(0)
      problems.append(CheckProblem("the file is damaged: a row of \(table) refers to nothing"))
    }
    return problems
  }

  private func bodyProblems(_ connection: Connection) throws -> [CheckProblem] {
    let row = try connection.prepare(ReadQueries.allBodies)
    var count = 0
    while try row.step() {
      let digest = row.data(1)
      let isRight =
        SHA256Digest.digest(of: row.data(0)) == digest && RowID.body(digest) == row.int64(2)
      if !isRight { count += 1 }
    }
    guard count > 0 else { return [] }
    return [CheckProblem("the file is damaged: \(count) bodies do not hold what was written")]
  }

  private func includeProblems(
    _ reader: ScenarioReader, names: [ScenarioName]
  ) throws -> [CheckProblem] {
    let graph = IncludeGraph(names: Set(names), includes: try reader.includesByScenario())
    return graph.problems().map { CheckProblem($0.description) }
  }

  private func documentProblems(_ scenario: Scenario) -> [CheckProblem] {
    do {
      _ = try ScenarioDocument.decode(Data(ScenarioDocument.encode(scenario).utf8))
      return []
    } catch {
      let index = error.pointer.tokens.dropFirst().first.flatMap { Int($0) }
      let key = index.flatMap { scenario.stubs.indices.contains($0) ? scenario.stubs[$0].key : nil }
      return [
        CheckProblem(error.message, scenario: scenario.name, key: key, pointer: error.pointer)
      ]
    }
  }
}
