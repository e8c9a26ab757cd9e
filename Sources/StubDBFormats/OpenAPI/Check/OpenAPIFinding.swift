package import StubDBModel

/// What a stub has that a description of the API does not.
package struct OpenAPIFinding: Hashable, Sendable {
  /// What is wrong; the words of exceptions and of JSON output.
  package enum ID: String, Hashable, Sendable, CaseIterable {
    case unknownPath = "unknown-path"
    case unknownMethod = "unknown-method"
    case undefinedStatus = "undefined-status"
    case undefinedMediaType = "undefined-media-type"
    case missingRequiredHeader = "missing-required-header"
    case headerSchema = "header-schema"
    case bodySchema = "body-schema"
    case requestCannotMatch = "request-cannot-match"
    case deprecated
    case securityMissing = "security-missing"
  }

  package enum Level: String, Hashable, Sendable, CaseIterable {
    case error
    case warning
    case note
  }

  package var scenario: ScenarioName
  package var key: Stub.Key
  package var id: ID
  package var level: Level
  /// The place: in the content of an answer (`/items/0/id`), or in the stub (`/request/query/page`).
  package var pointer: String
  /// A clause that says what is wrong, such as `the description has no status 418`.
  package var message: String
}

/// A stub, or a part of it, that cannot be compared with a description.
package struct OpenAPIUnknown: Hashable, Sendable {
  package var scenario: ScenarioName
  package var key: Stub.Key
  /// A clause that says why.
  package var reason: String
}

/// An operation, or one of its statuses, that no stub answers with.
package struct OpenAPIGap: Hashable, Sendable {
  package var method: String
  package var path: String
  /// `404`, `4XX` or `default`; nil for an operation without any stub.
  package var status: String?
}
