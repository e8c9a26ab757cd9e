internal import StubDBCatalog
internal import StubDBChanges
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The value that is bound to a column.
enum ColumnValue {
  case integer(Int64?)
  case text(String?)
  case json(JSONObject?)
}

extension Statement {
  func bind(_ index: Int32, _ value: ColumnValue) throws(SQLiteError) {
    switch value {
    case .integer(let number): try bind(index, number)
    case .text(let text): try bind(index, text)
    case .json(let members): try bind(index, members.map { JSONValue.object($0).canonicalText })
    }
  }
}

extension ScenarioColumn {
  /// The value of a scenario in the column; nil for a column that is filled in after the stubs.
  func value(of scenario: Scenario) -> ColumnValue? {
    switch self {
    case .name: .text(scenario.name.rawValue)
    case .summary: .text(scenario.summary)
    case .tags: .text(JSONValue.array(scenario.tags.map(JSONValue.string)).canonicalText)
    case .digest, .stubCount, .stubsDigest: nil
    }
  }
}

extension ConflictColumn {
  /// The value of a conflict in the column.
  func value(of conflict: Conflict) -> ColumnValue {
    switch self {
    case .scenario: .text(conflict.scenario.rawValue)
    case .key: .text(conflict.key ?? "")
    case .pointer: .text(conflict.pointer.description)
    case .base: .text(conflict.base?.canonicalText)
    case .ours: .text(conflict.ours?.canonicalText)
    case .theirs: .text(conflict.theirs?.canonicalText)
    }
  }
}

extension StubColumn {
  /// The value of a stub in the column.
  func value(of stub: Stub, _ request: RequestColumns) -> ColumnValue {
    switch self {
    case .key: .text(stub.key.rawValue)
    case .summary: .text(stub.summary)
    case .priority: .integer(Int64(stub.priority))
    case .required: .integer(stub.isRequired ? 1 : 0)
    case .method: .text(request.method)
    case .scheme: .text(request.scheme)
    case .host: .text(request.host)
    case .port: .integer(request.port.map(Int64.init))
    case .path: .text(request.path)
    case .pattern: .text(request.pattern)
    case .exhaustion: .text(stub.then.rawValue)
    case .flow: .json(stub.flow?.jsonObject)
    case .capture: .json(stub.captures.isEmpty ? nil : Capture.jsonObject(stub.captures))
    case .recorded: .json(stub.recorded?.jsonObject)
    case .resource: .json(stub.resource?.row)
    }
  }
}

extension ResponseColumn {
  /// The value of a response in the column; `members` are those of its document without the body.
  func value(
    of response: StubResponse, members: JSONObject, body: Int64?
  ) -> ColumnValue {
    switch self {
    case .status: return .integer(Int64(response.status))
    case .headers: return .text(members["headers"]?.canonicalText)
    case .bodyKind: return .text(response.body?.kind.rawValue)
    case .rest:
      var rest = members
      rest["headers"] = nil
      // A template for the status stays in the JSON; the column then contains the default.
      if response.statusTemplate == nil { rest["status"] = nil }
      return .json(rest.isEmpty ? nil : rest)
    case .bodyLength: return .integer(nil)
    case .bodyDigest: return .integer(body)
    }
  }
}
