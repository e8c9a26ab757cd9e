internal import Foundation
internal import StubDBJSON

/// Environments of Mockoon, and exports of several.
///
/// https://mockoon.com/docs/latest/mockoon-data-files/data-files-location/
struct MockoonFormat: ImportFormat {
  let name = "mockoon"
  let summary = "environments of Mockoon"
  let ownOptions: Set<ImportOption> = [.templates, .lenient, .allowFiles]

  /// The last version of environments that is known here.
  private static let knownMigration = 33

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    if root["source"]?.peekedText?.hasPrefix("mockoon:") ?? false { return true }
    return root["routes"]?.isArray == true
      && (root["lastMigration"] != nil || root["endpointPrefix"] != nil)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .scenarios([]) }
    guard root["source"] != nil, root["data"]?.isArray == true else {
      return .scenarios(try scenarios(of: root, input.path, input, options))
    }
    root.ignore("source")
    var scenarios: [ImportedScenario] = []
    for entry in root.list("data") {
      entry.ignore("type")
      guard let environment = entry["item"], environment["routes"] != nil else {
        entry.drop(.unknown, "It is no environment; export the whole environment")
        continue
      }
      let name = environment["name"]?.peekedText ?? "environment"
      scenarios += try self.scenarios(of: environment, input.path + [name], input, options)
    }
    return .scenarios(scenarios)
  }

  private func scenarios(
    of environment: SourceValue, _ path: [String], _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> [ImportedScenario] {
    guard environment["routes"]?.isArray == true else {
      throw environment.failure("an environment needs \"routes\", a list")
    }
    Self.noteVersion(of: environment)
    let reader = MockoonRouteReader(
      input: input, options: options, environment: MockoonEnvironment(environment))
    let routes = MockoonOrder(environment).routes
    var groups = OrderedGroups<[String], ImportedScenario>()
    let usesFolders = options.split == .folder
    for (folder, route) in routes {
      let name = usesFolders ? path + folder.prefix(1) : path
      groups[name, default: ImportedScenario(name: name)].stubs += try reader.stubs(of: route)
    }
    var scenarios = groups.list.map(\.value)
    if !scenarios.isEmpty { scenarios[0].summary = environment.text("name") }
    if let proxy = try reader.proxy(environment) {
      if scenarios.isEmpty { scenarios.append(ImportedScenario(name: path)) }
      scenarios[scenarios.count - 1].stubs.append(proxy)
    }
    environment.ignore(
      "uuid", "name", "port", "hostname", "endpointPrefix", "latency", "cors",
      "tlsOptions", "folders", "rootChildren", "proxyRemovePrefix", "proxyReqHeaders",
      "proxyResHeaders", "localhostOnly", "proxyHost", "proxyMode", "callbacks", "https")
    // Without routes, nothing has these fields.
    if scenarios.isEmpty { environment.ignore("headers") }
    environment["data"]?.ignoreUnread()
    return scenarios
  }

  private static func noteVersion(of environment: SourceValue) {
    environment.ignore("lastMigration")
    guard let version = environment.integer("lastMigration"), version > knownMigration else {
      return
    }
    environment["lastMigration"]?.change(
      .unknown, "The environment is of version \(version), and \(knownMigration) is known")
  }
}

/// Routes in the order in which they answer, with the names of their folders.
struct MockoonOrder {
  private(set) var routes: [(folder: [String], route: SourceValue)] = []
  private var byID: [String: SourceValue] = [:]
  private var folders: [String: SourceValue] = [:]

  init(_ environment: SourceValue) {
    let all = environment["routes"]?.elements ?? []
    for route in all {
      if let id = route["uuid"]?.peekedText { byID[id] = route }
    }
    for folder in environment["folders"]?.elements ?? [] {
      if let id = folder["uuid"]?.peekedText { folders[id] = folder }
    }
    var seen: Set<String> = []
    add(environment["rootChildren"], path: [], &seen)
    for route in all {
      let id = route["uuid"]?.peekedText
      if id.map({ seen.contains($0) && byID[$0]?.isSame(route) ?? false }) ?? false { continue }
      routes.append(([], route))
    }
  }

  private mutating func add(_ children: SourceValue?, path: [String], _ seen: inout Set<String>) {
    for child in children?.elements ?? [] {
      guard let id = child["uuid"]?.peekedText, seen.insert(id).inserted else { continue }
      if let route = byID[id] {
        routes.append((path, route))
      } else if let folder = folders[id], path.count < 32 {
        add(folder["children"], path: path + [folder["name"]?.peekedText ?? "folder"], &seen)
      }
    }
  }
}

/// What all routes of an environment have in common.
struct MockoonEnvironment {
  /// What stands before every endpoint, without slashes at its ends.
  let prefix: String
  let latency: Double
  let headers: SourceValue?
  /// The data buckets by their ids and names.
  private(set) var buckets: [String: SourceValue] = [:]

  init(_ environment: SourceValue) {
    prefix = (environment["endpointPrefix"]?.peekedText ?? "").trimmingCharacters(
      in: CharacterSet(charactersIn: "/"))
    latency = environment["latency"]?.peekedText.flatMap(Double.init) ?? 0
    headers = environment["headers"]
    for bucket in environment["data"]?.elements ?? [] {
      for name in ["name", "id", "uuid"] {
        if let key = bucket[name]?.peekedText { buckets[key] = bucket["value"] }
      }
    }
  }

  /// The value of a bucket, which is the text of JSON, or nil.
  func bucket(_ id: String) -> JSONValue? {
    guard let value = buckets[id] else { return nil }
    guard let text = value.text else { return value.isNull ? nil : value.json }
    return (try? JSONValue(parsing: text)) ?? .string(text)
  }
}
