internal import StubDBJobs
internal import StubDBModel

/// Gives scenarios their names and stubs their keys.
struct ScenarioBuilder {
  /// The stub that an item of the input became part of.
  private struct Origin: Hashable {
    var scenario: String
    var key: String
  }

  private let options: ImportOptions
  private let log: ReportLog
  private var scenarios: [Scenario] = []
  private var places: [String: Int] = [:]
  private var names: [[String]: String] = [:]
  private var pendingIncludes: [(scenario: Int, includes: [[String]])] = []
  /// The content that is being added: the same name in two files means two scenarios.
  private var contentNumber = 0
  private var uniqueNames = UniqueNames(limit: ScenarioName.maximumLength)
  private var keys: [String: UniqueNames] = [:]
  private var origins: [ReportLog.Item: Origin] = [:]
  private var items: [Origin: [ReportLog.Item]] = [:]
  /// The file that each item is from.
  private var sources: [ReportLog.Item: String] = [:]
  private var requestCount = 0
  private var proof = ImportProof()
  private var recorded = RecordedSteps()
  /// How many contents a scenario is made of.
  private var contents: [Int: Set<Int>] = [:]

  init(options: ImportOptions, log: ReportLog) {
    self.options = options
    self.log = log
  }

  mutating func beginContent() { contentNumber += 1 }

  mutating func add(_ imported: ImportedScenario, format: String, file: String) {
    let name = name(of: imported, file: file)
    let place = places[name] ?? scenarios.count
    if place == scenarios.count {
      scenarios.append(Scenario(name: ScenarioName(unchecked: name)))
      places[name] = place
    }
    scenarios[place].summary =
      scenarios[place].summary ?? imported.summary.flatMap(StubNaming.summary)
    scenarios[place].tags = Set(
      scenarios[place].tags + ["imported", format]
        + (imported.isExact ? imported.tags : imported.tags.compactMap(DerivedName.segment))
    ).sorted()
    if !imported.includes.isEmpty {
      pendingIncludes.append((place, imported.includes.map { ["\(contentNumber)"] + $0 }))
    }
    contents[place, default: []].insert(contentNumber)
    for stub in imported.stubs {
      let key = add(stub, to: place)
      proof.add(stub, key: key, to: name, file: file, log: log)
      recorded.add(stub, key: key, to: name, content: contentNumber)
      for item in stub.items { sources[item] = file }
    }
  }

  /// - Returns: The key of the stub.
  private mutating func add(_ imported: ImportedStub, to place: Int) -> Stub.Key {
    let scenario = scenarios[place].name.rawValue
    let key = keys[scenario, default: UniqueNames(limit: Stub.Key.maximumLength)].unique(
      StubNaming.key(of: imported))
    var stub = imported.stub
    stub.key = Stub.Key(unchecked: key)
    scenarios[place].stubs.append(stub)
    requestCount += imported.items.count
    let origin = Origin(scenario: scenario, key: key)
    items[origin] = imported.items
    for item in imported.items { origins[item] = origin }
    return stub.key
  }

  /// The same parts get the same name; different parts that fold to one name get different ones.
  private mutating func name(of imported: ImportedScenario, file: String) -> String {
    if case .single(let name) = options.naming { return name }
    let parts = ["\(contentNumber)"] + imported.name
    if let name = names[parts] { return name }
    var prefix: String?
    if case .prefix(let text) = options.naming { prefix = text }
    let exact = imported.name.joined(separator: "/")
    let isExact = imported.isExact && prefix == nil && ScenarioName(exact) != nil
    let name = uniqueNames.unique(
      isExact ? exact : StubNaming.scenario(imported.name, prefix: prefix))
    names[parts] = name
    return name
  }

  /// Takes the stubs out that could not be played.
  private mutating func leaveOut(_ problems: [(key: String, problem: String)], from place: Int) {
    guard !problems.isEmpty else { return }
    let scenario = scenarios[place].name.rawValue
    let refused = Set(problems.map(\.key))
    scenarios[place].stubs.removeAll { refused.contains($0.key.rawValue) }
    for (key, problem) in problems {
      let items = items.removeValue(forKey: Origin(scenario: scenario, key: key)) ?? []
      let source = items.first.flatMap { sources[$0] }
      log.add(
        .dropped, .stubLeftOut, file: source ?? scenario, item: nil,
        "The stub \(key) was left out, because it could not be played: \(problem)")
      for item in items { origins[item] = nil }
      requestCount -= items.count
    }
  }

  /// Adds the includes; a scenario that only includes others is dropped if none of them exists.
  private mutating func resolveIncludes() {
    var empty: Set<ScenarioName> = []
    // A scenario comes before those that it includes.
    for pending in pendingIncludes.reversed() {
      var scenario = scenarios[pending.scenario]
      for parts in pending.includes {
        guard let name = names[parts].map(ScenarioName.init(unchecked:)), name != scenario.name,
          !scenario.includes.contains(name), !empty.contains(name)
        else { continue }
        scenario.includes.append(ScenarioReference(name))
      }
      if scenario.stubs.isEmpty, scenario.includes.isEmpty { empty.insert(scenario.name) }
      scenarios[pending.scenario] = scenario
    }
    scenarios.removeAll { empty.contains($0.name) }
  }

  /// Puts requests that ask for more before those that accept them, too, where several recordings are one scenario.
  private mutating func orderRecordings() {
    for (place, numbers) in contents where numbers.count > 1 {
      guard recorded.isRecorded(scenarios[place].name.rawValue) else { continue }
      scenarios[place].stubs = RequestOrder.sorted(scenarios[place].stubs) { $0.request }
    }
  }

  /// The scenarios, and the report with their names.
  mutating func result(
    refusals: @escaping @Sendable (Scenario) -> [(key: String, problem: String)]
  ) -> ImportResult {
    let count = scenarios.count
    let refused = ParallelWork.values(
      count, progress: { [log] in log.progress("\($0) of \(count) scenarios checked") },
      { [scenarios] in refusals(scenarios[$0]) })
    for (place, problems) in refused.enumerated() { leaveOut(problems ?? [], from: place) }
    orderRecordings()
    resolveIncludes()
    let read = self.lines(log.lines[...])
    let recordedProof = RecordedProof(
      recorded: recorded, imported: scenarios, progress: log.progress)
    let proven = recordedProof.lines(on: scenarios) {
      SourceProof.Question(request: $0.call.exchange.request, response: $0.call.response)
    }
    let readCount = log.lines.count
    proof.report(on: scenarios, log: log)
    let lines = read + proven + self.lines(log.lines[readCount...])
    let report = LossReport(
      lines: lines, requestCount: requestCount,
      stubCount: scenarios.reduce(0) { $0 + $1.stubs.count }, scenarioCount: scenarios.count,
      ignoredCount: log.ignoredCount)
    return ImportResult(
      scenarios: scenarios, report: report, recorded: recorded,
      proven: read.count..<read.count + proven.count)
  }

  /// Lines with the scenarios and the keys that they are about.
  private func lines(_ lines: ArraySlice<(line: ReportLine, item: ReportLog.Item?)>) -> [ReportLine]
  {
    lines.map { line, item in
      var line = line
      if let origin = item.flatMap({ origins[$0] }) {
        (line.scenario, line.key) = (origin.scenario, origin.key)
      }
      return line
    }
  }
}
