internal import HTTPTypes
internal import StubDBModel

/// What of the stubs of a stub file a user wants, and in which scenarios.
struct StubSelection {
  let options: ImportOptions
  let log: ReportLog

  /// - Throws: ``FormatError`` for a `--split` that the format knows nothing of.
  func applied(
    to scenarios: [ImportedScenario], _ format: any ImportFormat, file: String
  ) throws(FormatError) -> [ImportedScenario] {
    var scenarios = wanted(scenarios, format)
    if options.matchesAnyHost { scenarios = scenarios.map { anyHost($0, file) } }
    guard let split = options.split, !format.ownSplits.contains(split) else { return scenarios }
    switch split {
    case .none: return regrouped(scenarios) { _ in nil }
    case .host: return regrouped(scenarios) { $0.request.host?.literal ?? "any-host" }
    case .page, .tag, .folder:
      let known = Set(format.ownSplits.map(\.rawValue) + ["host", "none"]).sorted()
      throw FormatError(
        file: format.name,
        message:
          "\(format.name) has no \(split.rawValue)s; --split takes \(known.joined(separator: ", "))",
        isUsage: true)
    }
  }

  /// When a stub answers, but for the server that is asked.
  private struct Situation: Hashable {
    var request: RequestPattern
    var priority: Int
    var flow: FlowStep?
  }

  /// The scenario for any host.
  ///
  /// Of stubs of several servers for the same request, the first one stays; the report names those that answer otherwise.
  private func anyHost(_ scenario: ImportedScenario, _ file: String) -> ImportedScenario {
    var scenario = scenario
    var kept: [ImportedStub] = []
    var places: [Situation: (server: RequestPattern, place: Int)] = [:]
    for imported in scenario.stubs {
      var imported = imported
      let request = imported.stub.request
      let server = RequestPattern(scheme: request.scheme, host: request.host, port: request.port)
      imported.stub.request.scheme = nil
      imported.stub.request.host = nil
      imported.stub.request.port = nil
      let situation = Situation(
        request: imported.stub.request, priority: imported.stub.priority, flow: imported.stub.flow)
      guard let first = places[situation], first.server != server else {
        if places[situation] == nil { places[situation] = (server, kept.count) }
        kept.append(imported)
        continue
      }
      if kept[first.place].stub.responses == imported.stub.responses {
        kept[first.place].items += imported.items
      } else {
        log.add(
          .dropped, .stubLeftOut, file: file, item: imported.items.first,
          "The stub was left out: with --any-host, that of another host answers the same requests")
      }
    }
    scenario.stubs = kept
    return scenario
  }

  /// The stubs for the requests of `--only` and `--host`.
  private func wanted(
    _ scenarios: [ImportedScenario], _ format: any ImportFormat
  ) -> [ImportedScenario] {
    guard !options.only.isEmpty || !options.hosts.isEmpty else { return scenarios }
    let globs = options.only.map(RequestGlob.init)
    let hosts = Set(options.hosts.map { $0.lowercased() })
    return scenarios.map { scenario in
      var scenario = scenario
      scenario.stubs.removeAll { imported in
        let request = imported.stub.request
        if !hosts.isEmpty, !(request.host?.literal.map { hosts.contains($0.lowercased()) } ?? false)
        {
          return true
        }
        return !globs.isEmpty && !globs.contains { Self.matches($0, request) }
      }
      return scenario
    }
  }

  /// Whether a stub is about requests of a glob, as far as its URL is written out.
  private static func matches(_ glob: RequestGlob, _ request: RequestPattern) -> Bool {
    guard case .template(let path) = request.path else { return false }
    let host = request.host?.literal ?? ""
    let port = request.port.map { ":\($0)" } ?? ""
    let url = "\(request.scheme ?? "https")://\(host)\(port)\(path)"
    let methods = request.methods.map(\.rawValue)
    return methods.isEmpty
      ? glob.matches(nil, url) : methods.contains { glob.matches($0, url) }
  }

  /// One scenario for all stubs of a file, or one for each value of `part`.
  ///
  /// Stubs for one request are alternatives: all but the first one stay in their own scenarios.
  private func regrouped(
    _ scenarios: [ImportedScenario], by part: (Stub) -> String?
  ) -> [ImportedScenario] {
    var result = OrderedGroups<[String], ImportedScenario>()
    var requests: [[String]: Set<RequestPattern>] = [:]
    for scenario in scenarios {
      for imported in scenario.stubs {
        var name = Array(scenario.name.prefix(1)) + (part(imported.stub).map { [$0] } ?? [])
        if !requests[name, default: []].insert(imported.stub.request).inserted {
          name = scenario.name
        }
        let new = ImportedScenario(
          name: name, summary: name == scenario.name ? scenario.summary : nil, tags: scenario.tags)
        result[name, default: new].stubs.append(imported)
      }
    }
    return result.list.map(\.value)
  }
}
