import Foundation
import RegexBuilder
import StubDBTemplates

/// An environment with a fixed time and a known request.
final class StandInEnvironment: TemplateEnvironment {
  var now = Date(timeIntervalSince1970: 1_795_248_000.5)
  var state: UInt64 = 1
  var values: [String: TemplateValue] = [
    "method": .text("POST"),
    "path": .text("/shop/7"),
    "query": .object(["page": .text("2"), "tag": .list([.text("a"), .text("b")])]),
    "headers": .object(["X-Id": .text("h 1")]),
    "json": .object([
      "name": .text("Ä \"b\""), "amount": .number("12.50"), "none": .null, "paid": .bool(true),
      "items": .list([
        .object(["id": .number("1"), "name": .text("cup")]),
        .object(["id": .number("2"), "name": .text("pot")]),
      ]),
    ]),
  ]
  var kept: [String: TemplateValue] = [
    "token": .text("t1"), "customers/7": .object(["id": .number("7")]),
    "customers/8": .object(["id": .number("8")]),
  ]

  func value(at path: [String]) -> TemplateValue? {
    var value: TemplateValue? = path[0] == "request" ? .object(values) : nil
    if path[0] == "answer" { return .number("3") }
    for name in path.dropFirst() { value = value?[name] }
    return value
  }

  func captured(_ name: String) -> TemplateValue? { kept[name] }

  func captured(beginningWith prefix: String) -> [TemplateValue] {
    kept.keys.filter { $0.hasPrefix(prefix) }.sorted().compactMap { kept[$0] }
  }

  func select(
    _ query: String, in value: TemplateValue
  ) throws(TemplateQueryGivenUp) -> [TemplateValue]? {
    if query.contains("slow") { throw TemplateQueryGivenUp() }
    guard case .object(let members) = value else { return nil }
    return query == "$.*" ? members.keys.sorted().compactMap { members[$0] } : []
  }

  func texts(atXPath path: String, in text: String) throws(TemplateQueryGivenUp) -> [String]? {
    if path.contains("slow") { throw TemplateQueryGivenUp() }
    return text.hasPrefix("<") ? (path.hasSuffix("/none") ? [] : [path]) : nil
  }

  func matches(_ text: String, _ expression: String) -> Bool? {
    text.wholeMatch(of: (try? Regex(expression)) ?? Regex { "" }) != nil
  }

  func groups(of expression: String, in text: String) throws(TemplateQueryGivenUp) -> [String]? {
    if expression.contains("slow") { throw TemplateQueryGivenUp() }
    guard let regex = try? Regex(expression), let match = text.firstMatch(of: regex) else {
      return nil
    }
    return match.output.map { String($0.substring ?? "") }
  }

  func parseJSON(_ text: String) -> TemplateValue? {
    guard
      let value = try? JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
    else { return nil }
    return Self.value(value)
  }

  private static func value(_ value: Any) -> TemplateValue {
    switch value {
    case let text as String: .text(text)
    case let number as NSNumber: .number("\(number)")
    case let list as [Any]: .list(list.map(Self.value))
    case let members as [String: Any]: .object(members.mapValues(Self.value))
    default: .null
    }
  }

  func removing(_ query: String, from value: TemplateValue) -> TemplateValue {
    guard case .object(var members) = value else { return value }
    members[String(query.dropFirst(2))] = nil
    return .object(members)
  }

  func count(of counter: String) -> Int { counter.isEmpty ? 1 : counter.count }

  func random() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

/// Renders a template in the environment.
func rendered(_ text: String, _ environment: StandInEnvironment = .init()) throws -> String {
  var renderer = TemplateRenderer(environment)
  return try renderer.text(Template(text))
}
