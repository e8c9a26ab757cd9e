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
    try requireVariables(of: groups)
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

  /// - Throws: ``FormatError`` for a value whose name no variable has: it would change nothing.
  private func requireVariables(
    of groups: [(format: any ImportFormat, inputs: [ImportInput])]
  ) throws(FormatError) {
    guard !options.variables.isEmpty else { return }
    let known = groups.reduce(into: Set<String>()) { known, group in
      for input in group.inputs { known.formUnion(group.format.variables(of: input)) }
    }
    guard let name = options.variables.keys.sorted().first(where: { !known.contains($0) }) else {
      return
    }
    let names = known.sorted()
    let advice =
      names.nearest(to: name).map { "did you mean \($0)?" }
      ?? (names.isEmpty
        ? "there are no variables"
        : "there are " + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : ""))
    throw FormatError(
      file: groups.first?.inputs.first?.file ?? "",
      message: "--var \(name): no variable has this name; \(advice)", isUsage: true)
  }

  /// - Throws: ``FormatError`` if everything is to be one scenario, and an input gives several that answer alike.
  private func requireOne(_ scenarios: [ImportedScenario], file: String) throws(FormatError) {
    let count = scenarios.count { !$0.stubs.isEmpty }
    guard case .single(let name) = options.naming, count > 1 else { return }
    throw FormatError(
      file: file,
      message:
        "this gives \(count) scenarios, and --scenario names one; for the beginning of their "
        + "names: --prefix \(name)", isUsage: true)
  }

  /// The inputs of each format, in the order in which the formats occur.
  private func grouped(
    _ inputs: [ImportInput], _ format: (any ImportFormat)?
  ) throws(FormatError) -> [(format: any ImportFormat, inputs: [ImportInput])] {
    var groups = OrderedGroups<String, (format: any ImportFormat, inputs: [ImportInput])>()
    for input in inputs {
      guard let found = try self.format(of: input, format) else { continue }
      groups[found.name, default: (found, [])].inputs.append(input)
    }
    return groups.list.map(\.value)
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
      let wanted = pipeline.wanted(exchanges)
      let own = pipeline.ownSecrets(of: wanted)
      return parts(of: wanted, name: name).map { name, exchanges in
        ImportedScenario(name: name, stubs: pipeline.stubs(of: exchanges, own: own))
      }
    }
  }

  /// The exchanges of each scenario, in the order of their first appearance.
  private func parts(
    of exchanges: [RecordedExchange], name: [String]
  ) -> [(key: [String], value: [RecordedExchange])] {
    let split = options.flags.contains(.by) ? .page : options.split ?? .none
    guard split != .none else { return [(name, exchanges)] }
    var parts = OrderedGroups<[String], [RecordedExchange]>()
    for exchange in exchanges {
      let suffix =
        split == .host ? [URLParts(exchange.url)?.host ?? "unknown"] : exchange.group
      let whole = options.flags.contains(.by) && !suffix.isEmpty ? suffix : name + suffix
      parts[whole, default: []].append(exchange)
    }
    return parts.list
  }

  /// Says of every value that was not read that it is lost, and counts what was ignored.
  private func settleRest(of input: ImportInput) {
    guard let tree = input.tree else { return }
    for value in tree.unread() {
      guard value.saysSomething else {
        value.ignore()
        continue
      }
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

/// Values by keys, in the order in which the keys came.
struct OrderedGroups<Key: Hashable, Value> {
  private(set) var list: [(key: Key, value: Value)] = []
  private var places: [Key: Int] = [:]

  /// The value of a key, which is added with a value at the end if it is new.
  subscript(key: Key, default new: @autoclosure () -> Value) -> Value {
    get { places[key].map { list[$0].value } ?? new() }
    _modify {
      let place = places[key] ?? list.count
      if place == list.count {
        places[key] = place
        list.append((key, new()))
      }
      yield &list[place].value
    }
  }
}
