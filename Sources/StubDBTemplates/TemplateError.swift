/// An error in a template, found when it is parsed or when it is rendered.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong and what to write instead.
  public let message: String
  /// The place in the text of the template.
  public let place: TemplatePlace

  /// Makes an error for a problem that the caller found.
  public init(message: String, place: TemplatePlace) {
    self.message = message
    self.place = place
  }

  /// The message with its place.
  public var description: String { "\(message) (\(place))" }
}
