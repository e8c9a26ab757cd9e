package import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Compares stubs with a description of the API that they represent, without a network.
package struct OpenAPICheck {
  /// What is wrong, in the order of the stubs.
  package private(set) var findings: [OpenAPIFinding] = []
  /// What could not be compared.
  package private(set) var unknown: [OpenAPIUnknown] = []
  /// Operations and statuses without a stub, in the order of the description.
  package private(set) var gaps: [OpenAPIGap] = []

  /// The references of the description to the network, which were not followed: anything fits there.
  package var unread: [String] { description.references.unread }

  /// After so many findings no nearest path is looked for: the description is another API's.
  private static let maximumNearestCount = 500

  let description: OpenAPIOperations
  /// The names of answers that stubs give, by the place of the operation.
  private var covered: [Int: Set<String>] = [:]
  /// The number of the stub that is checked, by which what is found so far is listed.
  private var number = 0
  private var found: [Int: [OpenAPIFinding]] = [:]
  private var notCompared: [Int: [OpenAPIUnknown]] = [:]

  /// - Throws: ``FormatError`` for what is no description, and for a reference that cannot be followed.
  package init(_ input: ImportInput) throws(FormatError) {
    description = try OpenAPIOperations(input)
  }

  /// Checks all stubs, and finds what they do not cover.
  ///
  /// - Throws: ``FormatError`` for a reference of the description that cannot be followed.
  package mutating func check(_ content: ExportContent) throws(FormatError) {
    let stubs = content.stubs
    // The stubs of an operation follow each other, so that its schemas are translated once, however many others there are.
    var byOperation: [Int: [(number: Int, path: [String])]] = [:]
    for (number, stub) in stubs.enumerated() {
      self.number = number
      guard let path = path(of: stub), let operation = operation(of: stub, path) else {
        continue
      }
      byOperation[operation, default: []].append((number, path))
    }
    for operation in description.operations {
      for (number, path) in byOperation[operation.index] ?? [] {
        self.number = number
        try check(stubs[number], operation, path)
      }
    }
    for stub in stubs { cover(stub) }
    findings = Self.inOrder(found)
    unknown = Self.inOrder(notCompared)
    findGaps()
  }

  /// Notes what a resource answers besides its list, of which no content is known.
  private mutating func cover(_ stub: ExportedStub) {
    guard let resource = stub.whole.resource, isDescribed(stub.whole.request) else { return }
    let methods = stub.whole.request.methods.map(\.rawValue)
    for (method, path, statuses) in resource.operations
    where methods.isEmpty || methods.contains(method) {
      for place in description.nearest(to: path)
      where description.operations[place].method == method {
        let operation = description.operations[place]
        covered[operation.index, default: []].formUnion(statuses.compactMap(operation.response))
      }
    }
  }

  /// What was found in the order of the stubs.
  private static func inOrder<Found>(_ found: [Int: [Found]]) -> [Found] {
    found.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  private mutating func findGaps() {
    gaps = []
    for operation in description.operations {
      guard let statuses = covered[operation.index] else {
        gaps.append(OpenAPIGap(method: operation.method, path: operation.path))
        continue
      }
      for member in operation.value["responses"]?.members ?? []
      where !member.name.hasPrefix("x-") && !statuses.contains(member.name) {
        gaps.append(
          OpenAPIGap(method: operation.method, path: operation.path, status: member.name))
      }
    }
  }

  mutating func add(
    _ id: OpenAPIFinding.ID, _ level: OpenAPIFinding.Level, _ stub: ExportedStub,
    at pointer: String, _ message: String
  ) {
    let place = JSONPointer(parsing: pointer).map(stub.whole.documentPointer)
    found[number, default: []].append(
      OpenAPIFinding(
        scenario: stub.scenario, key: stub.stub.key, id: id, level: level,
        pointer: place?.description ?? pointer, message: message))
  }

  mutating func addUnknown(_ stub: ExportedStub, _ reason: String) {
    notCompared[number, default: []].append(
      OpenAPIUnknown(scenario: stub.scenario, key: stub.stub.key, reason: reason))
  }

  /// The place of the operation that a stub answers; nil if it is missing, or none that is compared.
  private mutating func operation(
    of stub: ExportedStub, _ path: [String]
  ) -> Int? {
    let places = description.nearest(to: path)
    guard !places.isEmpty else {
      add(
        .unknownPath, .error, stub, at: "/request",
        "the description has no path /\(path.joined(separator: "/"))" + nearest(path))
      return nil
    }
    return operation(of: stub, among: places.map { description.operations[$0] })?.index
  }

  private mutating func check(
    _ stub: ExportedStub, _ operation: OpenAPIOperation, _ path: [String]
  ) throws(FormatError) {
    if operation.value.flag("deprecated") {
      add(
        .deprecated, .note, stub, at: "/request",
        "\(operation.method) \(operation.path) is deprecated")
    }
    try checkRequest(of: stub, operation, path)
    try checkAnswers(of: stub, operation)
  }

  /// Whether one of the description's servers may be meant.
  private func isDescribed(_ request: RequestPattern) -> Bool {
    guard let host = request.host?.literal?.lowercased() else { return true }
    return description.hosts.isEmpty || description.hosts.contains(host)
  }

  /// The segments of the stub's path; nil if it may be any of several, or on another server.
  private mutating func path(of stub: ExportedStub) -> [String]? {
    let request = stub.stub.request
    if let host = request.host?.literal?.lowercased(), !isDescribed(request) {
      addUnknown(stub, "its host \(host) is none of the description's servers")
      return nil
    }
    if let url = request.wholeURL?.literal.flatMap({ URLParts($0) }) {
      return OpenAPIOperations.segments(url.path)
    }
    switch request.path {
    case .template(let path)?:
      if let path = description.path(path, methods: request.methods.map(\.rawValue)) { return path }
    case .value(let value)?:
      if let path = value.literal { return OpenAPIOperations.segments(path) }
    default: break
    }
    addUnknown(stub, "it answers several paths")
    return nil
  }

  /// The operation of the stub's method; nil if it is missing, or several.
  private mutating func operation(
    of stub: ExportedStub, among operations: [OpenAPIOperation]
  ) -> OpenAPIOperation? {
    let methods = stub.stub.request.methods.map(\.rawValue)
    guard !methods.isEmpty else {
      if operations.count == 1 { return operations[0] }
      addUnknown(stub, "it answers any method, of which the description has several")
      return nil
    }
    var found: [OpenAPIOperation] = []
    for method in methods {
      // A server that answers GET answers HEAD alike.
      let operation =
        operations.first { $0.method == method }
        ?? (method == "HEAD" ? operations.first { $0.method == "GET" } : nil)
      if let operation {
        found.append(operation)
      } else {
        let others = Set(operations.map(\.method)).sorted().joined(separator: ", ")
        add(
          .unknownMethod, .error, stub, at: "/request/method",
          "the description has \(others) of \(operations[0].path), but no \(method)")
      }
    }
    if found.count > 1 {
      addUnknown(stub, "it answers several methods; only \(found[0].method) is compared")
    }
    return found.first
  }

  private func nearest(_ path: [String]) -> String {
    guard found.count < Self.maximumNearestCount else { return "" }
    let name = "/" + path.joined(separator: "/")
    let names = description.operations.map { operation in
      "/" + (operation.paths.first ?? []).map(\.text).joined(separator: "/")
    }
    return names.nearest(to: name).map { "; the nearest is \($0)" } ?? ""
  }
}

// MARK: - Answers

extension OpenAPICheck {
  private mutating func checkAnswers(
    of stub: ExportedStub, _ operation: OpenAPIOperation
  ) throws(FormatError) {
    let answers = stub.storedAnswers(to: stub.anyExample())
    for (index, answer) in answers.enumerated() {
      switch answer {
      case .none(let reason): addUnknown(stub, reason)
      case .answer(let answer):
        var check = OpenAPIAnswerCheck(
          description, operation, isHead: operation.method == "GET" && stub.isHead)
        try check.check(answer)
        covered[operation.index, default: []].insert(check.response ?? "")
        for problem in check.problems {
          let place = answers.count > 1 ? " (answer \(index + 1))" : ""
          let content = problem.isInContent ? "/\(stub.contentMember(of: index))" : ""
          add(
            problem.id, problem.level, stub,
            at: "/responses/\(index)\(content)\(problem.pointer)", problem.message + place)
        }
        if let reason = check.unknown { addUnknown(stub, reason) }
      }
    }
  }
}

extension ExportedStub {
  fileprivate var isHead: Bool { stub.request.methods.map(\.rawValue) == ["HEAD"] }

  /// The member of a response in which its content is.
  fileprivate func contentMember(of index: Int) -> String {
    stub.responses[index].body?.kind.rawValue ?? "chunks"
  }
}

extension OpenAPICheck {
  /// Compares scenarios with the description in a file.
  package init(
    of scenarios: [Scenario], against file: URL, named name: String
  ) throws(FormatError) {
    let inputs = try ImportFiles(log: ReportLog()).inputs(at: file, named: name)
    guard inputs.count == 1, let input = inputs.first else {
      throw FormatError(file: name, message: "--openapi takes one file")
    }
    try self.init(input)
    try check(ExportContent(scenarios))
  }
}
