internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension OrderedJSON {
  /// The document of a scenario.
  package static func scenario(_ scenario: Scenario) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [("scenario", .string(scenario.name.rawValue))]
    if let summary = scenario.summary { members.append(("summary", .string(summary))) }
    if !scenario.tags.isEmpty { members.append(("tags", .words(scenario.tags))) }
    if !scenario.includes.isEmpty {
      members.append(("includes", .words(scenario.includes.map(\.rawValue))))
    }
    members.append(("stubs", .array(scenario.stubs.map(stub))))
    return .object(members)
  }

  /// A stub as in a document, defaults left out.
  package static func stub(_ whole: Stub) -> OrderedJSON {
    let resource = resource(of: whole)
    let stub = resource?.rest ?? whole
    var members: [(String, OrderedJSON)] = [("key", .string(stub.key.rawValue))]
    if let summary = stub.summary { members.append(("summary", .string(summary))) }
    if stub.priority != Stub.defaultPriority {
      members.append(("priority", .integer(stub.priority)))
    }
    if stub.isRequired { members.append(("required", .yes)) }
    let request = requestMembers(stub.request, isURLWhole: true)
    if !request.isEmpty { members.append(("request", .object(request))) }
    if let resource { members.append(("resource", resource.tree)) }
    if !stub.captures.isEmpty {
      members.append(("capture", .object(captureMembers(stub.captures))))
    }
    if stub.responses != [StubResponse()] {
      members.append(
        ("responses", .array(stub.responses.map { .object(responseMembers($0)) })))
    }
    if stub.then != .repeatLast { members.append(("then", .string(stub.then.rawValue))) }
    if let flow = stub.flow { members.append(("flow", .object(flowMembers(flow)))) }
    if let recording = stub.recorded {
      members.append(("recorded", .object(recordingMembers(recording))))
    }
    return .object(members)
  }

  static func captureMembers(_ captures: [Capture]) -> [(String, OrderedJSON)] {
    captures.map { ($0.name, capture($0.source)) }
  }

  private static func capture(_ source: Capture.Source) -> OrderedJSON {
    source.kind == .nothing
      ? .json(.null) : .object([(source.kind.rawValue, .string(source.text.string))])
  }

  static func recordingMembers(_ recording: Stub.Recording) -> [(String, OrderedJSON)] {
    [("at", .string(recording.at))] + (recording.from.map { [("from", .string($0))] } ?? [])
  }

  static func flowMembers(_ flow: FlowStep) -> [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = [("name", .string(flow.name))]
    if let requires = flow.requires { members.append(("requires", .string(requires))) }
    if let becomes = flow.becomes { members.append(("becomes", .string(becomes))) }
    return members
  }
}
