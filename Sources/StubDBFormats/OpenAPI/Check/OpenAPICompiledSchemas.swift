internal import StubDBJSON

/// The schemas of a description by their places, since thousands of stubs may answer one operation.
final class OpenAPICompiledSchemas {
  /// The outcome of compiling a schema.
  enum Outcome {
    case compiled(JSONSchema)
    case tooLarge
    /// Why it cannot be used, as the end of a sentence.
    case unreadable(String)
  }

  private struct Place: Hashable {
    var tree: ObjectIdentifier
    var index: Int
    var direction: OpenAPISchema.Direction
    /// The number of levels of the values; nil for any.
    var levelCount: Int?
  }

  /// With so many values in the schemas they are made again when they are needed.
  private static let largest = 500_000

  private let references: OpenAPIReferences
  private let isOld: Bool
  private var outcomes: [Place: Outcome] = [:]

  /// `isOld` says whether schemas are those of OpenAPI 3.0 and before.
  init(_ references: OpenAPIReferences, isOld: Bool) {
    (self.references, self.isOld) = (references, isOld)
  }

  /// The schema at a place, for values with so many levels of members and elements, or with any number of them; the
  /// keywords of `without` are left out of it.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  func outcome(
    of value: SourceValue, _ direction: OpenAPISchema.Direction, levelCount: Int? = nil,
    without keyword: String? = nil
  ) throws(FormatError) -> Outcome {
    let whole = Place(
      tree: ObjectIdentifier(value.tree), index: value.index, direction: direction)
    var place = whole
    place.levelCount = levelCount
    if let known = outcomes[whole] ?? outcomes[place] { return known }
    if references.translatedCount > Self.largest {
      (outcomes, references.translatedCount) = ([:], 0)
    }
    var translation = OpenAPISchema(
      references: references, isOld: isOld, direction: direction, levelCount: levelCount ?? .max)
    let outcome = Self.compiled(try translation.schema(of: value), without: keyword)
    // What nothing was left out of is for all values.
    outcomes[translation.isCut ? place : whole] = outcome
    return outcome
  }

  private static func compiled(_ translated: JSONValue?, without keyword: String?) -> Outcome {
    guard var translated else { return .tooLarge }
    if let keyword, case .object(var members) = translated {
      members[keyword] = nil
      translated = .object(members)
    }
    do throws(JSONSchemaError) {
      return .compiled(try JSONSchema(translated, dialect: .draft202012))
    } catch {
      return .unreadable("\(error)")
    }
  }
}

extension JSONValue {
  /// How many levels of members and elements a value has; 0 for one that is neither an object nor a list.
  var levelCount: Int {
    switch self {
    case .object(let members): 1 + (members.values.lazy.map(\.levelCount).max() ?? 0)
    case .array(let elements): 1 + (elements.lazy.map(\.levelCount).max() ?? 0)
    default: 0
    }
  }
}
