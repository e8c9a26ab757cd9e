public import Foundation

/// What a template asks its surroundings for while it is carried out.
public protocol TemplateEnvironment {
  /// The time that `now` means.
  var now: Date { get }

  /// The value of a path such as `request.query.page`, whose first part is `request` or `answer`; nil where there is none.
  func value(at path: [String]) -> TemplateValue?

  /// A value that the run keeps; nil where there is none of the name.
  func captured(_ name: String) -> TemplateValue?

  /// The values that the run keeps under names with this beginning, in the order in which they came.
  func captured(beginningWith prefix: String) -> [TemplateValue]

  /// The values that a JSONPath query selects, the text of JSON being read first; nil if it is not JSON.
  ///
  /// The query was among ``TemplateNeeds/queries``, as the expressions below were.
  func select(_ query: String, in value: TemplateValue) -> [TemplateValue]?

  /// The texts that an XPath selects in the text of a document; nil if it is not XML.
  func texts(atXPath path: String, in text: String) -> [String]?

  /// Whether a regular expression matches the whole text; nil if that takes too long.
  func matches(_ text: String, _ expression: String) -> Bool?

  /// The first text that a regular expression finds, and its groups; nil if there is none.
  func groups(of expression: String, in text: String) -> [String]?

  /// The value of the text of JSON; nil if it is not JSON.
  func parseJSON(_ text: String) -> TemplateValue?

  /// A JSON value without what a JSONPath query selects.
  func removing(_ query: String, from value: TemplateValue) -> TemplateValue

  /// A date rounded, as in `first hour of day`, in UTC; nil for words that mean nothing.
  func truncated(_ date: Date, to truncation: String) -> Date?

  /// How often an answer has used the counter of this name, this one counted.
  ///
  /// The name was among ``TemplateNeeds/counters``.
  func count(of counter: String) -> Int

  /// The next random number.
  mutating func random() -> UInt64
}
