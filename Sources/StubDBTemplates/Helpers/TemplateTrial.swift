import Foundation

/// Tries a call whose values stand in the template, so that a mistake in them is found when the template is read.
struct TemplateTrial {
  /// Functions that ask the surroundings for more than time and chance.
  private static let asking: Set<String> = ["jsonPath", "captured", "capturedAll", "counter"]
  /// Functions whose options say nothing about each other, so that some of them can be tried without the rest.
  private static let independent: Set<String> = ["now", "date", "randomValue"]
  private let call: TemplateHelperCall?

  init(
    _ helper: TemplateHelper, _ arguments: [TemplateExpression],
    _ options: [String: TemplateExpression]
  ) {
    let values = arguments.compactMap(\.literal)
    let known = options.compactMapValues(\.literal)
    let isIndependent = Self.independent.contains(helper.name)
    guard !Self.asking.contains(helper.name), known.count == options.count || isIndependent else {
      call = nil
      return
    }
    if values.count == arguments.count {
      call = TemplateHelperCall(
        name: helper.name, arguments: values, options: known, room: TemplateRenderer.Limit.bytes)
    } else if helper.name == "date" {
      // What the date is to be made into can be tried with any.
      call = TemplateHelperCall(
        name: "now", arguments: [], options: known, room: TemplateRenderer.Limit.bytes)
    } else {
      call = nil
    }
  }

  /// Why the call can give no value; nil where it can, or where that is not known yet.
  var problem: String? {
    guard var call else { return nil }
    var environment: any TemplateEnvironment = Surroundings()
    do throws(TemplateHelperCall.Failure) {
      _ = try call.value(&environment)
      return nil
    } catch {
      return error.message
    }
  }

  /// Surroundings in which nothing has happened yet.
  private struct Surroundings: TemplateEnvironment {
    var now: Date { Date(timeIntervalSince1970: 0) }
    func value(at path: [String]) -> TemplateValue? { nil }
    func captured(_ name: String) -> TemplateValue? { nil }
    func captured(beginningWith prefix: String) -> [TemplateValue] { [] }
    func select(_ query: String, in value: TemplateValue) -> [TemplateValue]? { nil }
    func count(of counter: String) -> Int { 1 }
    func random() -> UInt64 { 0 }
  }
}

extension TemplateExpression {
  /// The value that stands in the template; nil for what is only known later.
  fileprivate var literal: TemplateValue? {
    if case .literal(let value) = kind { value } else { nil }
  }
}
