/// What is wrong with a template, found when it was read or when it was carried out.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what to write instead, as a phrase.
  public let message: String
  /// Where in the text of the template.
  public let place: TemplatePlace

  /// Makes an error for what was found outside the language.
  public init(message: String, place: TemplatePlace) {
    self.message = message
    self.place = place
  }

  /// The phrase with its place.
  public var description: String { "\(message) (\(place))" }
}
