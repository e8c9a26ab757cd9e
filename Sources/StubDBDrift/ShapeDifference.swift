package import StubDBJSON

/// A difference between the shape of a stored answer and that of a live one.
package struct ShapeDifference: Hashable, Sendable {
  /// What differs; the words of exceptions and of JSON output.
  package enum ID: String, Hashable, Sendable, CaseIterable {
    case statusClass = "status-class"
    case status
    case mediaType = "media-type"
    case notJSON = "not-json"
    case missing
    case optional
    case type
    case null
    case added
    case `enum`
    case `class`
    case header
    case redirect
  }

  /// How much a difference matters.
  package enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A client does not notice it, but the stub says less than the server.
    case note
    /// Some clients break.
    case warning
    /// Clients break.
    case error

    package static func < (left: Level, right: Level) -> Bool {
      left.order < right.order
    }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package var id: ID
  package var level: Level
  /// The place in the content, with `*` for any element; `/headers/NAME` for a header field.
  package var pointer: JSONPointer
  /// What the stub has there, in words.
  package var stored: String
  /// What the live answer has there, in words; never a value of its content.
  package var live: String
  /// The live value, which is shown only to those who ask for it; nil if there is no single one.
  package var liveValue: String?
}

/// A place of which the samples do not say whether it differs.
package struct InconclusiveShape: Hashable, Sendable {
  /// The place in the content, with `*` for any element.
  package var pointer: JSONPointer
  /// Why nothing is known, as a sentence without a full stop.
  package var reason: String
}

/// What counts as a difference, as a user asks for it.
package struct ShapeRules: Hashable, Sendable {
  /// Whether a null that the stub never has is an error in place of a warning.
  package var isStrict = false
  /// Whether another status of the same class is a warning in place of an error.
  package var isLenient = false
  /// Whether a member that the stub never has is an error, if all its objects have the same members.
  package var isClosed = false
  /// Further header fields that a live answer must have if the stub has them, in lower case.
  package var headers: Set<String> = []

  package init() {}
}
