/// The content of a request cannot be had in the form asked for.
public struct RequestContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request and the problem, in one sentence for people.
  public let description: String
}
