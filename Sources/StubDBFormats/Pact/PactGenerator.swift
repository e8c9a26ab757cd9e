internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
internal import StubDBTemplates

/// What Pact generates anew for each answer, as templates.
///
/// https://github.com/pact-foundation/pact-specification/tree/version-3#generators
enum PactGenerator {
  /// The generator that does what a text of one template function does, or nil.
  static func members(of text: String) -> JSONValue? {
    if text.wholeMatch(of: /\{\{\s*uuid\s*\}\}/) != nil { return ["type": "Uuid"] }
    let integer =
      /\{\{\s*(?:json\s+\()?randomInt\s+lower=(-?[0-9]{1,9})\s+upper=(-?[0-9]{1,9})\)?\s*\}\}/
    if let match = text.wholeMatch(of: integer), let lower = Int(match.output.1),
      let upper = Int(match.output.2), lower < upper
    {
      return [
        "type": "RandomInt", "min": .number(JSONNumber(lower)),
        "max": .number(JSONNumber(upper - 1)),
      ]
    }
    if text.wholeMatch(of: /\{\{\s*now\s*\}\}/) != nil {
      return ["type": "DateTime", "format": "yyyy-MM-dd'T'HH:mm:ssX"]
    }
    if let match = text.wholeMatch(of: /\{\{\s*now\s+format=(?:'([^']+)'|"([^"]+)")\s*\}\}/) {
      let format = String(match.output.1 ?? match.output.2 ?? "")
      return ["unix", "epoch"].contains(format)
        ? nil : ["type": "DateTime", "format": .string(format)]
    }
    return nil
  }

  /// The call that gives what a generator does, or nil.
  static func call(of generator: SourceValue) -> String? {
    let call: String? =
      switch generator.text("type") {
      case "RandomInt": integer(generator)
      case "RandomBoolean": "pickRandom true false"
      case "RandomString":
        "randomValue length=\(generator.integer("size") ?? 20) type='ALPHANUMERIC'"
      case "RandomHexadecimal":
        "randomValue length=\(generator.integer("digits") ?? 10) type='HEXADECIMAL'"
      case "RandomDecimal": decimal(digits: generator.integer("digits") ?? 10)
      case "Uuid": uuid(generator.text("format"))
      case "Date": now(generator, "yyyy-MM-dd")
      case "Time": now(generator, "HH:mm:ss")
      case "DateTime": now(generator, "yyyy-MM-dd'T'HH:mm:ss")
      default: nil
      }
    return call.flatMap { (try? Template("{{\($0)}}")) == nil ? nil : $0 }
  }

  private static func integer(_ generator: SourceValue) -> String? {
    let least = generator.integer("min") ?? 0
    let most = generator.integer("max") ?? 10
    guard least <= most, most < Int.max else { return nil }
    return "randomInt lower=\(least) upper=\(most + 1)"
  }

  /// A number of so many digits, of which one is before the point.
  private static func decimal(digits: Int) -> String? {
    guard (2...15).contains(digits) else { return nil }
    return "randomDecimal lower=1 upper=10"
  }

  private static func uuid(_ format: String?) -> String? {
    switch format {
    case nil, "lower-case-hyphenated": "uuid"
    case "upper-case-hyphenated": "upper (uuid)"
    case "simple": "replace (uuid) '-' ''"
    case "URN": "concat 'urn:uuid:' (uuid)"
    default: nil
    }
  }

  /// The time now; nil for one that is computed, as `+ 1 day` is.
  private static func now(_ generator: SourceValue, _ usual: String) -> String? {
    guard generator["expression"].map(\.isNull) ?? true else { return nil }
    let format = generator.text("format") ?? usual
    guard !format.contains("\""), !format.contains("\\"), !format.contains("}}") else {
      return nil
    }
    return "now format=\(format.contains("'") ? "\"\(format)\"" : "'\(format)'")"
  }

  /// Visits the texts of a value that have templates, by the path to each.
  static func visit(
    _ value: JSONValue, at path: [PactRuleWriter.Step] = [],
    _ visitor: ([PactRuleWriter.Step], String) -> Void
  ) {
    switch value {
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        visit(value, at: path + [.name(name)], visitor)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        visit(element, at: path + [.index(index)], visitor)
      }
    case .string(let text) where text.contains("{{"): visitor(path, text)
    case .string, .null, .bool, .number: break
    }
  }
}

/// The generators of a response, put into its example.
struct PactGenerators {
  /// The response with templates in place of what is generated.
  private(set) var response: StubResponse

  /// Generators that have no counterpart, and those of places that the example does not have, leave the example as it
  /// is; the report says so.
  init(_ generators: SourceValue?, in response: StubResponse) {
    self.response = response
    let hasBraces = response.texts.canonicalText.contains("{{")
    var isTemplate = false
    for part in generators?.members ?? [] {
      for (place, generator) in Self.generators(of: part.value) {
        guard !hasBraces, let call = PactGenerator.call(of: generator),
          apply(call, to: part.name, at: PactRules.path(place))
        else {
          let name = generator["type"]?.peekedText ?? "of this kind"
          generator.change(
            .generated, "The generator \(name) is not applied; the example is answered")
          continue
        }
        generator.keep()
        isTemplate = true
      }
    }
    if isTemplate { self.response.isTemplate = true }
  }

  /// The generators of a part by their places; those of a path or a status have none.
  private static func generators(of part: SourceValue) -> [(String, SourceValue)] {
    part["type"]?.isString ?? false ? [("", part)] : part.members.map { ($0.name, $0.value) }
  }

  /// Puts a call at a place; false if the example has no such place.
  private mutating func apply(_ call: String, to part: String, at path: [String]) -> Bool {
    var count = 0
    switch part {
    case "body":
      guard let content = response.content else { return false }
      let isText = response.body?.kind == .text
      response.setContent(
        Self.value(content, at: path[...], calling: call, isText: isText, &count))
    case "header", "headers":
      guard let name = path.first.flatMap({ HTTPField.Name($0) }) else { return false }
      let fields = response.headers[fields: name]
      let values = JSONValue.array(fields.map { .string($0.value) })
      // A path without a place is about all values.
      let places = path.count == 1 || fields.count == 1 ? ["*"] : path.dropFirst()
      guard
        case .array(let called) = Self.value(
          values, at: places, calling: call, isText: true, &count)
      else { return false }
      response.headers[fields: name] = zip(fields, called).map { field, value in
        guard case .string(let text) = value else { return field }
        return HTTPField(name: field.name, value: text)
      }
    default: break
    }
    return count > 0
  }

  private static func value(
    _ value: JSONValue, at path: ArraySlice<String>, calling call: String, isText: Bool,
    _ count: inout Int
  ) -> JSONValue {
    guard let step = path.first else {
      count += 1
      if case .string = value { return .string("{{\(call)}}") }
      return .string(isText ? "{{\(call)}}" : "{{json (\(call))}}")
    }
    let rest = path.dropFirst()
    switch value {
    case .object(var members):
      for name in step == "*" ? Array(members.keys) : [step] {
        members[name] = members[name].map {
          Self.value($0, at: rest, calling: call, isText: isText, &count)
        }
      }
      return .object(members)
    case .array(var elements):
      let places = step == "*" ? Array(elements.indices) : Int(step).map { [$0] } ?? []
      for place in places where elements.indices.contains(place) {
        elements[place] = Self.value(
          elements[place], at: rest, calling: call, isText: isText, &count)
      }
      return .array(elements)
    case .null, .bool, .number, .string: return value
    }
  }
}
