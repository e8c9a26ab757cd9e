/// Reports that the content of a request does not have the requested form.
public struct RequestContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request and the problem, in one sentence.
  public let description: String
}
