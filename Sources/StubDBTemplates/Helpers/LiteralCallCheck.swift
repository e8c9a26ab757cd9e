import Foundation

/// Evaluates a call whose arguments are literals, so that an error in them is found when the template is parsed.
struct LiteralCallCheck {
  private let helper: TemplateHelper
  /// Nil for a call whose arguments are known only when the template is rendered.
  private let call: TemplateHelperCall?

  init(
    _ helper: TemplateHelper, _ arguments: [TemplateExpression],
    _ options: [String: TemplateExpression]
  ) {
    self.helper = helper
    var values = arguments.compactMap(\.literal)
    let known = options.compactMapValues(\.literal)
    let isComplete = values.count == arguments.count
    switch helper.trial {
    case .whole where isComplete && known.count == options.count: break
    case .options(let samples):
      if !isComplete { values = samples }
    default:
      call = nil
      return
    }
    call = TemplateHelperCall(
      arguments: values, options: known, room: TemplateRenderer.Limit.bytes)
  }

  /// Why the call cannot return a value; nil if it can, or if that is not yet known.
  var problem: String? {
    guard let call else { return nil }
    do throws(TemplateHelperCall.Failure) {
      _ = try helper.body(call, Surroundings())
      return nil
    } catch {
      return error.message
    }
  }

  /// An environment in which nothing has happened yet.
  private final class Surroundings: TemplateEnvironment {
    var now: Date { Date(timeIntervalSince1970: 0) }
    func value(at path: [String]) -> TemplateValue? { nil }
    func captured(_ name: String) -> TemplateValue? { nil }
    func captured(beginningWith prefix: String) -> [TemplateValue] { [] }
    func select(_ query: String, in value: TemplateValue) -> [TemplateValue]? { nil }
    func texts(atXPath path: String, in text: String) -> [String]? { nil }
    func matches(_ text: String, _ expression: String) -> Bool? { nil }
    func groups(of expression: String, in text: String) -> [String]? { nil }
    func parseJSON(_ text: String) -> TemplateValue? { nil }
    func removing(_ query: String, from value: TemplateValue) -> TemplateValue { value }
    func count(of counter: String) -> Int { 1 }
    func random() -> UInt64 { 0 }
  }
}
