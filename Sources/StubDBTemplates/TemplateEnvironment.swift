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

  /// The values that a JSONPath query selects, the text of JSON being read first; nil where it is not JSON.
  ///
  /// The query was among ``Template/queries``.
  func select(_ query: String, in value: TemplateValue) -> [TemplateValue]?

  /// How often an answer has used the counter of this name, this one counted.
  ///
  /// The name was among ``Template/counters``.
  func count(of counter: String) -> Int

  /// The next random number.
  mutating func random() -> UInt64
}
