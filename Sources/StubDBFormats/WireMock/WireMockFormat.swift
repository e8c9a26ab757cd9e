internal import Foundation
internal import StubDBModel

/// WireMock's stub mappings: files of one stub or a list, or a folder `mappings` with `__files` beside it.
///
/// https://wiremock.org/docs/stubbing/
struct WireMockFormat: ImportFormat {
  let name = "wiremock"
  let summary = "WireMock's stub mappings, files or the folder with mappings and __files"
  let ownOptions: Set<ImportOption> = [.templates, .lenient, .allowFiles]
  let ownSplits: Set<ImportOptions.Split> = [.folder, .none]

  private static let urlKeys = [
    "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "method",
    "queryParameters", "formParameters", "bodyPatterns", "multipartPatterns", "customMatcher",
    "clientIp", "basicAuth", "basicAuthCredentials", "headers", "cookies", "host",
  ]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    if let mappings = root["mappings"], mappings.isArray {
      return mappings.elements.first.map { $0["request"] != nil || $0["response"] != nil } ?? true
    }
    if root["messageMappings"]?.isArray == true { return true }
    if root["trigger"]?.isObject == true, root["actions"]?.isArray == true { return true }
    guard root["response"] != nil || root["request"] != nil else { return false }
    // An entry of a HAR has a request and a response, too.
    guard root["startedDateTime"] == nil else { return false }
    guard let request = root["request"] else { return root["response"]?.isObject == true }
    return Self.urlKeys.contains { request[$0] != nil }
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    .scenarios(try read(all: [input], options: options))
  }

  /// The files of a folder belong together: later ones answer first.
  func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedContent] {
    [.scenarios(try read(all: inputs, options: options))]
  }

  private func read(
    all inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedScenario] {
    var groups = OrderedGroups<[String], [WireMockImported]>()
    let files = try each(of: inputs) { input throws(FormatError) in try stubs(of: input, options) }
    for (input, stubs) in files {
      let usual = scenarioName(of: input, options)
      for stub in stubs {
        let name = options.split == nil ? stub.origin?.scenarioName ?? usual : usual
        groups[name, default: []].append(stub)
      }
    }
    var scenarios = groups.list.map(scenario)
    WireMockPriorities.settle(&scenarios)
    return scenarios.count > 1 ? [whole(scenarios, inputs)] + scenarios : scenarios
  }

  /// A scenario of stubs in the order in which they were added: the last one answers first.
  private func scenario(
    _ name: [String], _ imported: [WireMockImported]
  ) -> ImportedScenario {
    var scenario = ImportedScenario(name: name)
    let origins = imported.compactMap(\.origin).filter { $0.scenarioName == name }
    scenario.stubs =
      origins.count == imported.count
      ? WireMockImported.restored(imported) ?? imported.reversed().map(\.stub)
      : imported.reversed().map(\.stub)
    scenario.summary = origins.lazy.compactMap(\.scenarioSummary).first
    scenario.tags = origins.flatMap(\.tags)
    scenario.isExact = origins.count == imported.count
    return scenario
  }

  /// A scenario of all folders, because stubs of several folders answer together.
  private func whole(_ scenarios: [ImportedScenario], _ inputs: [ImportInput]) -> ImportedScenario {
    ImportedScenario(
      name: ["all"], summary: "All of \(inputs.first?.rootName ?? "the mappings")",
      includes: scenarios.reversed().map(\.name))
  }

  /// The first folder below `mappings`, or the file itself where one was named.
  private func scenarioName(of input: ImportInput, _ options: ImportOptions) -> [String] {
    guard let root = input.rootName else { return input.path }
    if options.split == ImportOptions.Split.none { return [root] }
    var folders = input.path.dropLast()
    if let mappings = folders.lastIndex(of: "mappings") { folders = folders[(mappings + 1)...] }
    return folders.first.map { [$0] } ?? [root == "mappings" ? "wiremock" : root]
  }

  private func stubs(
    of input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> [WireMockImported] {
    guard let root = input.tree?.root else { return [] }
    root.ignore("$schema", "meta", "importOptions")
    if root["trigger"] != nil || root["messageMappings"] != nil {
      root.drop(.websocket, "Stubs of messages (WebSocket) were left out")
      return []
    }
    let mappings = root["mappings"]?.isArray == true ? root.list("mappings") : [root]
    var stubs: [WireMockImported] = []
    for mapping in mappings {
      let reader = WireMockStubReader(input: input, options: options)
      if let stub = try reader.stub(mapping) { stubs.append(stub) }
    }
    return stubs
  }
}

/// WireMock allows priorities below 1.
enum WireMockPriorities {
  /// Shifts the priorities of all stubs so that the smallest is 1, if any is smaller.
  static func settle(_ scenarios: inout [ImportedScenario]) {
    let least = scenarios.flatMap(\.stubs).map(\.stub.priority).min() ?? 1
    guard least < 1 else { return }
    for scenario in scenarios.indices {
      for stub in scenarios[scenario].stubs.indices {
        scenarios[scenario].stubs[stub].stub.priority += 1 - least
      }
    }
  }
}
