package import Foundation

/// What a template asks of its surroundings while it is rendered.
///
/// An object, so that whoever made it sees what rendering has changed in it.
package protocol TemplateEnvironment: AnyObject {
  /// The time of `now`.
  var now: Date { get }

  /// The value of a path such as `request.query.page`, whose first part is `request` or `answer`; nil if there is no
  /// such value.
  func value(at path: [String]) -> TemplateValue?

  /// The value that the run keeps under the name; nil if it keeps nothing there.
  func captured(_ name: String) -> TemplateValue?

  /// The values that the run keeps under names with this prefix, oldest first.
  func captured(beginningWith prefix: String) -> [TemplateValue]

  /// The values that a JSONPath query selects; text is parsed as JSON first. Nil if it is not JSON.
  ///
  /// The query is one of ``TemplateNeeds/queries``, as are the expressions below.
  func select(
    _ query: String, in value: TemplateValue
  ) throws(TemplateQueryGivenUp) -> [TemplateValue]?

  /// The texts that an XPath selects in an XML document; nil if the text is not XML.
  func texts(atXPath path: String, in text: String) throws(TemplateQueryGivenUp) -> [String]?

  /// Whether a regular expression matches the whole text; nil if that takes too long.
  func matches(_ text: String, _ expression: String) -> Bool?

  /// The first match of a regular expression in a text, and its groups; nil if nothing matches.
  func groups(of expression: String, in text: String) throws(TemplateQueryGivenUp) -> [String]?

  /// The value of a JSON text; nil if the text is not JSON.
  func parseJSON(_ text: String) -> TemplateValue?

  /// A JSON value with everything removed that a JSONPath query selects.
  func removing(
    _ query: String, from value: TemplateValue
  ) throws(TemplateQueryGivenUp) -> TemplateValue

  /// Increments the counter of this name and returns how often answers have used it.
  ///
  /// The name is one of ``TemplateNeeds/counters``.
  func count(of counter: String) -> Int

  /// The next random number.
  func random() -> UInt64
}

/// Reports that a query of a template takes too long, so that its result is unknown.
package struct TemplateQueryGivenUp: Error, Hashable, Sendable {
  /// Makes a report.
  package init() {}
}
