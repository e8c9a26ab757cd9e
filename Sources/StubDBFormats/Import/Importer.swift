internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Turns inputs into scenarios that can be written.
package struct Importer {
  private let options: ImportOptions
  private let log: ReportLog

  package init(options: ImportOptions = ImportOptions(), log: ReportLog) {
    self.options = options
    self.log = log
  }

  /// The problems of stubs that `check` would refuse, by key; such stubs are left out.
  ///
  /// Called on several threads.
  package var refusals: @Sendable (Scenario) -> [(key: String, problem: String)] = { _ in [] }

  /// The scenarios of inputs in their order.
  ///
  /// The format of each input is found out if none is given. `progress` is called with the number of inputs that are
  /// done, and with that of all.
  /// - Throws: ``FormatError`` for the first input that cannot be read.
  package func scenarios(
    of inputs: [ImportInput], format: (any ImportFormat)? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(FormatError) -> ImportResult {
    var builder = ScenarioBuilder(options: options, log: log)
    var done = 0
    let groups = try grouped(inputs, format)
    try options.requireUse(in: groups.map(\.format), file: inputs.first?.file ?? "")
    for (format, group) in groups {
      log.item = nil
      for content in try format.read(group, options: options) {
        let scenarios = try scenarios(of: content, format, file: group[0].file)
        try requireOne(scenarios, file: group[0].file)
        builder.beginContent()
        for scenario in scenarios where !scenario.stubs.isEmpty || !scenario.includes.isEmpty {
          builder.add(scenario, format: format.name, file: group[0].file)
        }
      }
      for input in group { settleRest(of: input) }
      done += group.count
      progress(done, inputs.count)
    }
    // A folder of which nothing could be read is an error, as a file is.
    if let error = inputs.first?.leftOut, inputs.allSatisfy({ $0.leftOut != nil }) { throw error }
    return builder.result(refusals: refusals)
  }

  /// - Throws: ``FormatError`` if everything is to be one scenario, and an input gives several that answer alike.
  private func requireOne(_ scenarios: [ImportedScenario], file: String) throws(FormatError) {
    guard case .single(let name) = options.naming, scenarios.count > 1 else { return }
    throw FormatError(
      file: file,
      message:
        "this gives \(scenarios.count) scenarios, and --scenario names one; for the beginning of their "
        + "names: --prefix \(name)", isUsage: true)
  }

  /// The inputs of each format, in the order in which the formats occur.
  private func grouped(
    _ inputs: [ImportInput], _ format: (any ImportFormat)?
  ) throws(FormatError) -> [(format: any ImportFormat, inputs: [ImportInput])] {
    var groups: [(format: any ImportFormat, inputs: [ImportInput])] = []
    for input in inputs {
      guard let found = try self.format(of: input, format) else { continue }
      if let place = groups.firstIndex(where: { $0.format.name == found.name }) {
        groups[place].inputs.append(input)
      } else {
        groups.append((found, [input]))
      }
    }
    return groups
  }

  /// The format of an input; nil for a file of a folder that is in another one than a person said.
  private func format(
    of input: ImportInput, _ format: (any ImportFormat)?
  ) throws(FormatError) -> (any ImportFormat)? {
    guard let format else { return try FormatDetection.format(of: input) }
    guard let other = FormatDetection.other(than: format, of: input) else { return format }
    guard input.rootName != nil else {
      throw FormatError(
        file: input.file,
        message: "this is in the format \(other.name), not \(format.name); leave out --format",
        isUsage: true)
    }
    log.add(
      .ignored, .unknown, file: input.file,
      "The file is in the format \(other.name), not \(format.name)")
    input.tree?.root.ignore()
    return nil
  }

  private func scenarios(
    of content: ImportedContent, _ format: any ImportFormat, file: String
  ) throws(FormatError) -> [ImportedScenario] {
    switch content {
    case .scenarios(let scenarios):
      return try StubSelection(options: options, log: log).applied(
        to: scenarios, format, file: file)
    case .recording(let exchanges, let name):
      if let split = options.split, [.tag, .folder].contains(split) {
        throw FormatError(
          file: format.name,
          message: "recordings have no \(split.rawValue)s; --split takes page, host or none",
          isUsage: true)
      }
      let pipeline = RecordingPipeline(options: options, log: log)
      return parts(of: pipeline.wanted(exchanges), name: name).map { name, exchanges in
        ImportedScenario(name: name, stubs: pipeline.stubs(of: exchanges))
      }
    }
  }

  /// The exchanges of each scenario, in the order of their first appearance.
  private func parts(
    of exchanges: [RecordedExchange], name: [String]
  ) -> [(name: [String], exchanges: [RecordedExchange])] {
    let split = options.namesPages ? .page : options.split ?? .none
    guard split != .none else { return [(name, exchanges)] }
    var parts: [(name: [String], exchanges: [RecordedExchange])] = []
    var places: [[String]: Int] = [:]
    for exchange in exchanges {
      let suffix =
        split == .host ? [URLParts(exchange.url)?.host ?? "unknown"] : exchange.group
      let whole = options.namesPages && !suffix.isEmpty ? suffix : name + suffix
      if let place = places[whole] {
        parts[place].exchanges.append(exchange)
      } else {
        places[whole] = parts.count
        parts.append((whole, [exchange]))
      }
    }
    return parts
  }

  /// Says of every value that was not read that it is lost, and counts what was ignored.
  private func settleRest(of input: ImportInput) {
    guard let tree = input.tree else { return }
    for value in tree.unread() {
      log.item = tree.item(around: value.index)
      value.drop(.unknown, "stubdb does not know what this is; it was left out")
    }
    if log.listsIgnored { listIgnored(tree) }
    log.item = nil
    log.countIgnored(tree.count(of: .ignored))
  }

  private func listIgnored(_ tree: SourceTree) {
    for value in tree.ignored() {
      log.item = tree.item(around: value.index)
      let id: ReportID =
        switch value.pointer.tokens.last {
        case "statusText", "statusMessage", "message", "reason": .reason
        case "httpVersion", "http_version": .httpVersion
        default: .ignored
        }
      log.add(.ignored, id, at: value, "It does not decide what is answered")
    }
  }
}

/// What an import makes of its inputs.
package struct ImportResult {
  /// The scenarios, with names and keys that are unique among them.
  package var scenarios: [Scenario]
  /// The report, with the scenario and the key that each line is about.
  package var report: LossReport
}

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

  init(options: ImportOptions, log: ReportLog) {
    self.options = options
    self.log = log
  }

  /// Begins the next content.
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
    for stub in imported.stubs {
      add(stub, to: place)
      for item in stub.items { sources[item] = file }
    }
  }

  private mutating func add(_ imported: ImportedStub, to place: Int) {
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

  /// The scenarios, and the report with their names.
  mutating func result(
    refusals: @escaping @Sendable (Scenario) -> [(key: String, problem: String)]
  ) -> ImportResult {
    let count = scenarios.count
    let refused = ParallelWork.values(
      count, progress: { [log] in log.progress("\($0) of \(count) scenarios checked") },
      { [scenarios] in refusals(scenarios[$0]) })
    for (place, problems) in refused.enumerated() { leaveOut(problems ?? [], from: place) }
    for pending in pendingIncludes {
      for parts in pending.includes {
        guard let name = names[parts].map(ScenarioName.init(unchecked:)),
          name != scenarios[pending.scenario].name,
          !scenarios[pending.scenario].includes.contains(name)
        else { continue }
        scenarios[pending.scenario].includes.append(name)
      }
    }
    let lines = log.lines.map { line, item in
      var line = line
      if let origin = item.flatMap({ origins[$0] }) {
        (line.scenario, line.key) = (origin.scenario, origin.key)
      }
      return line
    }
    let report = LossReport(
      lines: lines, requestCount: requestCount,
      stubCount: scenarios.reduce(0) { $0 + $1.stubs.count }, scenarioCount: scenarios.count,
      ignoredCount: log.ignoredCount)
    return ImportResult(scenarios: scenarios, report: report)
  }
}
