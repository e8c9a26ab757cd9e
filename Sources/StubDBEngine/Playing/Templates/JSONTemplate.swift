import StubDBJSON
import StubDBTemplates

/// JSON whose strings are templates, with parts that may be repeated or omitted.
indirect enum JSONTemplate: Sendable {
  /// JSON without templates, and its size in bytes.
  case constant(JSONValue, byteCount: Int)
  case text(Template)
  /// A string that is a single `{{json …}}`, which its value replaces.
  case value(TemplateCall)
  case array([JSONTemplate])
  case object([(name: Template, value: JSONTemplate)])
  case loop(TemplateBlock, JSONTemplate)
  case condition(TemplateBlock, JSONTemplate, otherwise: JSONTemplate?)

  /// Compiles a value; adds what it needs to `needs`.
  init(
    _ value: JSONValue, names: TemplateNames = .outside, needs: inout CompiledNeeds
  ) throws(CompileError) {
    switch value {
    case .string(let text) where Template.isTemplate(text):
      let template = try needs.template(text, names: names)
      self = template.soleJSON.map { .value($0) } ?? .text(template)
    case .array(let elements):
      var parts: [JSONTemplate] = []
      for (index, element) in elements.enumerated() {
        do throws(CompileError) {
          parts.append(try JSONTemplate(element, names: names, needs: &needs))
        } catch {
          throw error.inside(String(index))
        }
      }
      self = parts.allSatisfy(\.isConstant) ? Self.constant(value) : .array(parts)
    case .object(let members):
      if members.keys.contains(where: TemplateBlock.isBlock) {
        self = try Self.block(members, names, &needs)
      } else {
        self = try Self.object(members, names, &needs)
      }
    default:
      self = Self.constant(value)
    }
  }

  private static func constant(_ value: JSONValue) -> JSONTemplate {
    .constant(value, byteCount: value.canonicalText.utf8.count)
  }

  private var isConstant: Bool { if case .constant = self { true } else { false } }

  private static func object(
    _ members: JSONObject, _ names: TemplateNames, _ needs: inout CompiledNeeds
  ) throws(CompileError) -> JSONTemplate {
    var parts: [(name: Template, value: JSONTemplate)] = []
    var isConstant = true
    for name in members.keys.sorted() {
      do throws(CompileError) {
        let value = try JSONTemplate(members[name] ?? .null, names: names, needs: &needs)
        isConstant = isConstant && value.isConstant && !Template.isTemplate(name)
        parts.append((try needs.template(name, names: names), value))
      } catch {
        throw error.inside(name)
      }
    }
    return isConstant ? constant(.object(members)) : .object(parts)
  }

  /// An object that is a block: one name opens it, and `{{else}}` may be another.
  private static func block(
    _ members: JSONObject, _ names: TemplateNames, _ needs: inout CompiledNeeds
  ) throws(CompileError) -> JSONTemplate {
    var (opening, otherwise): ((TemplateBlock, JSONTemplate)?, JSONTemplate?)
    for name in members.keys.sorted() {
      do throws(CompileError) {
        guard TemplateBlock.isBlock(name) else {
          throw CompileError(
            code: .invalidTemplate,
            reason: "an object with a block as a name has no other members but {{else}}", path: [])
        }
        let block = try needs.block(name, names: names)
        let value = try JSONTemplate(members[name] ?? .null, names: block.names, needs: &needs)
        if block.kind == .otherwise {
          otherwise = value
        } else if opening != nil {
          throw CompileError(
            code: .invalidTemplate, reason: "an object opens one block, and this is a second one",
            path: [])
        } else {
          opening = (block, value)
        }
      } catch {
        throw error.inside(name)
      }
    }
    guard let (block, value) = opening, block.kind == .condition || otherwise == nil else {
      throw CompileError(
        code: .invalidTemplate, reason: "{{else}} goes with {{#if …}} or {{#unless …}}", path: [])
    }
    return block.kind == .each
      ? .loop(block, value) : .condition(block, value, otherwise: otherwise)
  }
}

extension JSONTemplate {
  /// The values that replace this one: usually one; zero or more for a block.
  func values(_ renderer: inout TemplateRenderer) throws(TemplateError) -> [JSONValue] {
    switch self {
    case .constant(let value, let byteCount):
      try renderer.spend(byteCount)
      return [value]
    case .text(let template):
      return [.string(try renderer.text(template))]
    case .value(let call):
      return [JSONValue(try renderer.value(call))]
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values += try element.values(&renderer) }
      return [.array(values)]
    case .object(let members):
      var object: JSONObject = [:]
      for (name, value) in members {
        let name = try renderer.text(name)
        if let value = try value.member(&renderer) { object[name] = value }
      }
      return [.object(object)]
    case .loop(let block, let body):
      var values: [JSONValue] = []
      try renderer.forEach(block) { (renderer) throws(TemplateError) in
        values += try body.values(&renderer)
      }
      return values
    case .condition(let block, let body, let otherwise):
      if try renderer.holds(block) { return try body.values(&renderer) }
      return try otherwise?.values(&renderer) ?? []
    }
  }

  /// The value if only one is possible: a loop gives an array, a condition that fails gives nil.
  func member(_ renderer: inout TemplateRenderer) throws(TemplateError) -> JSONValue? {
    let values = try values(&renderer)
    if case .loop = self { return .array(values) }
    return values.first
  }
}
