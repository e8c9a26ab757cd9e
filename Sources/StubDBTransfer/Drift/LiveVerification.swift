package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBDrift
package import StubDBFormats
internal import StubDBJSON
package import StubDBModel
package import StubDBSecrets

/// Asks a real server what stubs answer, and compares the answers by their shape.
package struct LiveVerification {
  /// Sends requests, and gives each answer as soon as it is there, in any order; those at the indexes in `once` are not
  /// sent a second time.
  package typealias Sending = (
    _ work: LiveRequests, _ once: Set<Int>, _ take: (LiveAnswer) throws -> Void
  ) throws -> Void

  /// What was asked, and how the answers differ.
  package struct Outcome {
    /// All differences, and what was not compared.
    package var report = ShapeReport()
    /// How many requests got an answer, and how many got none.
    package var (asked, failures) = (0, 0)
  }

  /// The requests, and the stubs that give none.
  package let plan: LivePlan
  private let catalog: Catalog
  private let rules: ShapeRules

  /// Plans the requests of scenarios of a catalog.
  package init(
    of scenarios: [Scenario], in catalog: Catalog, options: LiveOptions, rules: ShapeRules
  ) {
    plan = LivePlan(ExportContent(scenarios), options: options)
    (self.catalog, self.rules) = (catalog, rules)
  }

  /// The requests that may change what the server keeps.
  package var risky: [LivePlan.Question] { plan.questions.filter(\.mayChange) }

  /// Sends the requests and compares the answers.
  ///
  /// - Parameters:
  ///   - delay: The least time between the beginnings of two requests, in milliseconds; nil for the usual one.
  ///   - timeout: How long an answer may take, in milliseconds; nil for the usual time.
  ///   - exceptions: The differences for which an answer does not differ.
  ///   - sending: Sends the requests.
  ///   - take: Gets each answer that was compared, with whether it differs; of others only the shape is kept.
  /// - Returns: The differences and counts.
  /// - Throws: What `sending` and reading the catalog throw.
  package func run(
    delay: Int? = nil, timeout: Int? = nil, besides exceptions: DriftFile, _ sending: Sending,
    take: @escaping (_ answer: LiveAnswer, _ question: LivePlan.Question, _ differs: Bool) -> Void
  ) throws -> Outcome {
    var outcome = Outcome()
    outcome.report.skipped = plan.skipped
    guard !plan.questions.isEmpty else { return outcome }
    var work = LiveRequests(plan.questions.map(\.request))
    work.delay = delay ?? work.delay
    work.timeout = timeout ?? work.timeout
    let known = try KnownShapes(of: Set(plan.questions.compactMap(\.operation)), in: catalog)
    let once = Set(plan.questions.indices.filter { plan.questions[$0].mayChange })
    var answers: [Int: Answer] = [:]
    try sending(work, once) { answer in
      let question = plan.questions[answer.index]
      if let problem = answer.problem {
        answers[answer.index] = .failed(problem)
      } else {
        let comparison = compared(answer, question, known)
        answers[answer.index] = .compared(comparison)
        let differs = comparison.differences.contains {
          !exceptions.accepts(question.place(of: $0))
        }
        take(answer, question, differs)
      }
    }
    for (index, question) in plan.questions.enumerated() {
      outcome.add(answers[index], to: question)
    }
    return outcome
  }

  /// The answer to a request; of one that was compared only its shape is kept.
  fileprivate enum Answer {
    case compared(ShapeComparison)
    case failed(String)
  }

  private func compared(
    _ answer: LiveAnswer, _ question: LivePlan.Question, _ known: KnownShapes
  ) -> ShapeComparison {
    let stored = AnswerShape(question.stored)
    var comparison = ShapeComparison(rules: rules)
    comparison.compare(
      stored, AnswerShape(answer.sampled(isHead: question.request.method == "HEAD")),
      known: question.operation.flatMap { known.shape(of: $0, status: stored.status) })
    return comparison
  }
}

extension LiveVerification.Outcome {
  fileprivate mutating func add(
    _ answer: LiveVerification.Answer?, to question: LivePlan.Question
  ) {
    switch answer {
    case .compared(let comparison)?:
      asked += 1
      report.add(comparison, of: question.scenario, question.key)
    case .failed(let problem)?:
      failures += 1
      report.failed += 1
      report.skipped.append(
        LivePlan.Skipped(
          scenario: question.scenario, key: question.key,
          reason: "it could not be asked, \(problem)"))
    case nil: failures += 1
    }
  }
}

extension LivePlan.Question {
  fileprivate func place(of difference: ShapeDifference) -> DriftPlace {
    DriftPlace(
      scenario: scenario.rawValue, key: key.rawValue, pointer: difference.pointer.description,
      id: difference.id.rawValue)
  }
}

extension KnownShapes {
  /// What a whole catalog has for some operations.
  fileprivate init(of operations: Set<String>, in catalog: Catalog) throws {
    self.init()
    guard !operations.isEmpty else { return }
    for summary in try catalog.scenarios() {
      for stub in try catalog.scenario(named: summary.name).stubs {
        add(stub, if: operations.contains)
      }
    }
  }
}

extension DriftExceptions: FiledExceptions {}

/// The file of differences that a team lives with.
package typealias DriftFile = FileOfExceptions<DriftExceptions>

extension DriftFile {
  /// Whether a difference has an exception.
  package func accepts(_ place: DriftPlace) -> Bool { exceptions.accepts(place) }

  /// Adds an exception for each place without one, writes the file, and returns how many were added.
  package mutating func accept(_ places: [DriftPlace], reason: String) throws -> Int {
    try add { $0.accept(places, reason: reason) }
  }
}
