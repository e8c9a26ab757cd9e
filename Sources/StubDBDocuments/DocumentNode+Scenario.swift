internal import StubDBJSON
package import StubDBModel

extension DocumentObjectKind {
  package static let scenario = DocumentObjectKind(
    "a scenario", ["scenario", "summary", "tags", "includes", "stubs"])

  package static let stub = DocumentObjectKind(
    "a stub",
    [
      "key", "summary", "priority", "required", "request", "resource", "capture", "responses",
      "then", "flow", "recorded",
    ])

  package static let event = DocumentObjectKind(
    "an event", ["event", "id", "retry", "data", "json", "after"])
}

extension DocumentNode {
  func scenarioName() throws(DocumentError) -> ScenarioName {
    let text = try string()
    guard let reason = ScenarioName.reasonAgainst(text) else {
      return ScenarioName(unchecked: text)
    }
    throw failure(.invalidValue, "\"\(text)\" is not a scenario name: \(reason)")
  }

  func scenario() throws(DocumentError) -> Scenario {
    let object = try object(.scenario)
    var scenario = Scenario(name: try object.required("scenario").scenarioName())
    scenario.summary = try object["summary"]?.line("the summary")
    scenario.tags = try object["tags"]?.tags() ?? []
    scenario.includes = try object["includes"]?.includes() ?? []
    scenario.stubs = try object["stubs"]?.stubs() ?? []
    return scenario
  }

  private func tags() throws(DocumentError) -> [String] {
    var tags: Set<String> = []
    for node in try list("a list of tags") {
      let tag = try node.line("the tag")
      if !tags.insert(tag).inserted {
        throw node.failure(.duplicate, "the tag \"\(tag)\" is given twice")
      }
    }
    return tags.sorted()
  }

  private func includes() throws(DocumentError) -> [ScenarioReference] {
    var includes: [ScenarioReference] = []
    var known: Set<ScenarioReference> = []
    for node in try list("a list of scenario names") {
      let reference = try node.scenarioReference()
      if !known.insert(reference).inserted {
        throw node.failure(.duplicate, "the scenario \"\(reference)\" is included twice")
      }
      includes.append(reference)
    }
    return includes
  }

  private func scenarioReference() throws(DocumentError) -> ScenarioReference {
    let text = try string()
    guard let reason = ScenarioReference.reasonAgainst(text) else {
      return ScenarioReference(unchecked: text)
    }
    throw failure(.invalidValue, "\"\(text)\" is not a scenario name: \(reason)")
  }

  func stubs() throws(DocumentError) -> [Stub] {
    var stubs: [Stub] = []
    var places: [Stub.Key: DocumentPlace] = [:]
    for node in try list("a list of stubs") {
      let stub = try node.stub()
      if let first = places.updateValue(node.place, forKey: stub.key) {
        throw DocumentError(
          .duplicate, pointer: node.place.pointer.appending("key"),
          message: "the stub \(first.pointer) has the key \"\(stub.key)\" too;"
            + " every stub of a scenario needs its own")
      }
      stubs.append(stub)
    }
    return stubs
  }

  func stub() throws(DocumentError) -> Stub {
    let object = try object(.stub)
    var stub = Stub(key: try object.required("key").stubKey())
    stub.summary = try object["summary"]?.line("the summary")
    if let priority = try object["priority"]?.integer("the priority", in: 1...Int.max) {
      stub.priority = priority
    }
    stub.isRequired = try object.flag("required")
    if let request = try object["request"]?.requestPattern() { stub.request = request }
    if let captures = try object["capture"]?.captures() { stub.captures = captures }
    if let responses = try object["responses"]?.responses() { stub.responses = responses }
    try object["resource"]?.readResource(into: &stub, of: object)
    if let then = object["then"] { stub.then = try then.choice("a value of \"then\"") }
    stub.flow = try object["flow"]?.flowStep()
    stub.recorded = try object["recorded"]?.recording()
    return stub
  }

  private func stubKey() throws(DocumentError) -> Stub.Key {
    let key = try line("the key")
    if key.unicodeScalars.count > Stub.Key.maximumLength {
      throw failure(
        .invalidValue, "the key is longer than \(Stub.Key.maximumLength) characters")
    }
    return Stub.Key(unchecked: key)
  }

  private func responses() throws(DocumentError) -> [StubResponse] {
    var responses: [StubResponse] = []
    for node in try list("a list of responses") { responses.append(try node.response()) }
    if responses.isEmpty {
      throw failure(
        .invalidValue, "the list is empty; leave \"responses\" out to answer with an empty 200")
    }
    return responses
  }
}
