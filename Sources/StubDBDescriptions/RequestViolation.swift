/// What a request violates of a description.
package struct RequestViolation: Hashable, Sendable {
  /// What kind of violation it is, the same ids as those of stubs.
  package enum ID: String, Sendable {
    case unknownPath = "unknown-path"
    case unknownMethod = "unknown-method"
    case undefinedMediaType = "undefined-media-type"
    case parameter = "request-parameter"
    case content = "request-body"
  }

  package let id: ID
  /// The place in the request: `/body/amount`, `/query/expand`, `/headers/X-Key`, `/cookies/id`, `/path/id`; empty for
  /// the whole.
  package let pointer: String
  /// What is there, and what must be.
  package let message: String
  /// The place in the description, such as `shop.yaml#/paths/~1charges/post`.
  package let origin: String
}
